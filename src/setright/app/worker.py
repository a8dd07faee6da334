"""The worker: takes jobs by a lease, does them batch by batch, and hands on what it cannot finish."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from setright import events, jobs
from setright.app.reactions import react
from setright.app.work import KINDS, LEDGER, Kind
from setright.jobs import MOST_ATTEMPTS, Batch, Job
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.errors import Refusal, StorageUnavailable
from setright.storage import Snapshot, Store, Tx
from setright.storage.kept import WORKER_SEEN, read_mark, set_mark
from setright.storage.moments import database_now

LOG = logging.getLogger("setright.worker")
PAUSE_SECONDS = 0.25
TROUBLE_SECONDS = 2.0
BEAT_SECONDS = 15
SEEN_FOR = 60_000_000


def in_the_name_of(tenant_id: str, kind: str, identifier: str) -> Actor:
    """Who a batch acts as: who asked for the job, with the rights that were checked when it was asked for."""
    return Actor(tenant_id, kind, identifier, "", frozenset(SCOPES), {}, Role.ADMIN)


def of_ledger(tenant_id: str = LEDGER) -> Actor:
    """The ledger itself, for what nobody asked for."""
    return in_the_name_of(tenant_id, "service", "ledger")


class Worker:
    """Does the jobs of a store in a thread of its own, or in the caller's; several may work on one database.

    `forgot` is called after a job that has deleted for good.
    """

    def __init__(
        self, store: Store, kinds: Mapping[str, Kind] = KINDS, forgot: Callable[[], None] | None = None
    ) -> None:
        self._store = store
        self._forgot = forgot
        self._kinds = kinds
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._last_beat = float("-inf")

    def start(self) -> None:
        """Work in a thread until `stop`."""
        self._thread = threading.Thread(target=self.work, name="setright-worker", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Have the work end after the batch that runs, without waiting for it; may be called in a signal handler."""
        self._stop.set()

    def stop(self) -> None:
        """Finish the batch that runs, and end the thread if there is one."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def work(self) -> None:
        """Do what is due until `stop`; trouble of the database is waited for."""
        ready = False
        while not self._stop.is_set():
            try:
                ready = ready or self._begin()
                self._beat()
                busy = self.turn()
            except StorageUnavailable as trouble:
                LOG.warning("the worker waits for the database: %s", trouble.details["reason"])
                self._stop.wait(TROUBLE_SECONDS)
                continue
            if not busy:
                self._stop.wait(PAUSE_SECONDS)

    def do_what_is_due(self, seconds: float) -> None:
        """Do what is due in the caller's thread; after so many seconds what is left is handed back for another worker."""
        timer = threading.Timer(seconds, self.end)
        timer.daemon = True
        timer.start()
        try:
            while not self._stop.is_set() and self.turn():
                pass
        finally:
            timer.cancel()

    def turn(self) -> bool:
        """Do one job as far as it goes; whether there was one."""
        due, recurs = self._store.read(_what_is_due).result()
        if recurs:
            self._store.write(lambda tx: jobs.ask_what_recurs(tx, of_ledger)).result()
        if not due and not recurs:
            return False
        taken = self._store.write(jobs.take).result()
        if taken is not None:
            self._do(*taken)
        return taken is not None

    def _begin(self) -> bool:
        """Say what recurs, once for each start: a newer version may bring more of it."""

        def say(tx: Tx) -> bool:
            tx.actor = of_ledger()
            for kind in self._kinds.values():
                if kind.every is not None:
                    jobs.again_and_again(tx, kind.name, kind.every)
            return True

        return self._store.write(say).result()

    def _do(self, job: Job, lease: str) -> None:
        """Batch after batch until the job is done, fails, is taken from us, or this worker is to stop."""
        kind = self._kinds.get(job.name)
        if kind is None:
            self._fail(
                job, lease, {"code": "unknown-job", "message": f"This version knows no job {job.name}."}
            )
            return
        if job.attempt > MOST_ATTEMPTS:
            self._fail(
                job, lease, {"code": "worker-died", "message": "Every worker that took it ended in it."}
            )
            return
        while not self._stop.is_set():
            try:
                batch = self._batch(kind, job, lease)
            except jobs.LeaseLost:
                LOG.info("job %s was taken by another or cancelled", job.id)
                return
            except StorageUnavailable:
                raise
            except Refusal as refusal:
                self._fail(job, lease, {"code": refusal.code, "message": refusal.message})
                return
            except Exception as error:
                LOG.exception("job %s failed", job.id)
                self._fail(job, lease, {"code": "fault", "message": type(error).__name__})
                return
            if batch.is_last:
                if kind.forgets:
                    self._forget()
                return
            job = replace(job, cursor=batch.cursor, attempt=1)
        self._store.write(lambda tx: jobs.hand_back(tx, job, lease)).result()

    def _forget(self) -> None:
        """Have the files forget what was deleted, and say so to who remembers that it was."""
        self._store.forget()
        if self._forgot is not None:
            self._forgot()

    def _batch(self, kind: Kind, job: Job, lease: str) -> Batch:
        if kind.before is not None:
            kind.before()

        def work(tx: Tx) -> Batch:
            tx.actor = in_the_name_of(job.tenant_id, job.asked_by_kind, job.asked_by_id)
            batch = kind.batch(tx, job.arguments, job.cursor)
            jobs.carry_on(tx, job, lease, batch)
            react(tx)
            events.append(tx)
            return batch

        return self._store.write(work).result()

    def _fail(self, job: Job, lease: str, failure: Mapping[str, Any]) -> None:
        def work(tx: Tx) -> bool:
            tx.actor = of_ledger(job.tenant_id)
            given_up = jobs.fail(tx, job, lease, failure)
            events.append(tx)
            return given_up

        try:
            given_up = self._store.write(work).result()
        except jobs.LeaseLost:
            return
        level = logging.ERROR if given_up else logging.WARNING
        LOG.log(level, "job %s (%s) failed at attempt %d: %s", job.id, job.name, job.attempt, failure["code"])

    def _beat(self) -> None:
        """Let others see, now and then, that a worker is there."""
        now = time.monotonic()
        if now - self._last_beat >= BEAT_SECONDS:
            self._store.write(lambda tx: set_mark(tx, WORKER_SEEN, str(database_now(tx)))).result()
            self._last_beat = now


def _what_is_due(at: Snapshot) -> tuple[bool, bool]:
    return jobs.is_due(at), jobs.recurs_now(at)


def worker_was_seen(at: Snapshot) -> bool:
    """Whether any worker of this database showed itself in the last minute."""
    seen = read_mark(at, WORKER_SEEN)
    return seen is not None and database_now(at) - int(seen) < SEEN_FOR
