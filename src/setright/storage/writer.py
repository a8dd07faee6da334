"""The one SQLite writer: a thread that commits together whatever arrived while the last commit ran."""

import threading
import time
from collections import deque
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from setright.kernel.clock import Clock
from setright.kernel.errors import StorageUnavailable
from setright.kernel.ids import NewId
from setright.storage.sqlite import DatabaseFile, Handle, SqliteSession, trouble
from setright.storage.sums import Counted, write_sums
from setright.storage.tickets import Ticket, settle, stopping
from setright.storage.tx import Tx
from setright.storage.usage import Meter

LARGEST_GROUP = 64
_DISK_ERROR = 10


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a transaction failed, and where: `begin` (nothing ran), `work` (all undone), `end` (it may have lasted)."""

    error: Exception
    step: str


def _failure(error: Exception, step: str) -> _Failure:
    """Only at the end, by a disk that failed or a file that went, can a failed transaction have lasted all the same."""
    if step == "commit":
        if isinstance(error, StorageUnavailable):
            return _Failure(error, "end")
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == _DISK_ERROR:
            return _Failure(StorageUnavailable("a disk error", 5, outcome_known=False), "end")
        step = "work"
    return _Failure(trouble(error) or error, step)


def _refuse(tickets: list[Ticket], error: Exception) -> None:
    for ticket in tickets:
        ticket.error = error


class Writer:
    """Takes tickets from any thread; `close` finishes what was accepted."""

    def __init__(self, file: DatabaseFile, clock: Clock, new_id: NewId) -> None:
        self._handle = Handle(file)
        self._clock = clock
        self._new_id = new_id
        self._queue: SimpleQueue[Ticket | None] = SimpleQueue()
        self.group_sizes: deque[int] = deque(maxlen=1000)
        self.commit_seconds: deque[float] = deque(maxlen=1000)
        self.groups = 0
        self.writes = 0
        self._closed = False
        self._door = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="setright-writer", daemon=True)
        self._thread.start()

    def put(self, ticket: Ticket) -> None:
        """Queue a ticket; refused with 503 once the writer is closed."""
        with self._door:
            if not self._closed:
                self._queue.put(ticket)
                return
        ticket.error = stopping()
        settle([ticket])

    def depth(self) -> int:
        """How many tickets wait."""
        return self._queue.qsize()

    def close(self) -> None:
        """Finish every accepted ticket and end the thread."""
        with self._door:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        while True:
            group, last = self._next_group()
            if group:
                self._commit(group)
                settle(group)
            if last:
                self._handle.drop()
                return

    def _next_group(self) -> tuple[list[Ticket], bool]:
        group: list[Ticket] = []
        ticket = self._queue.get()
        while ticket is not None:
            group.append(ticket)
            if len(group) >= LARGEST_GROUP:
                return group, False
            try:
                ticket = self._queue.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _commit(self, group: list[Ticket]) -> None:
        """Commit a group; if its work or its commit fails, each alone, so that only what fails by itself is refused."""
        started = time.perf_counter()
        failure = self._try(group)
        if failure is not None and failure.step == "work" and len(group) > 1:
            self._one_by_one(group)
        elif failure is not None:
            _refuse(group, failure.error)
        self.group_sizes.append(len(group))
        self.commit_seconds.append(time.perf_counter() - started)
        self.groups += 1
        self.writes += len(group)

    def _one_by_one(self, group: list[Ticket]) -> None:
        """Commit each ticket alone; where not even a transaction can be begun, nobody waits for that a second time."""
        for place, ticket in enumerate(group):
            failure = self._try([ticket])
            if failure is not None and failure.step == "begin":
                _refuse(group[place:], failure.error)
                return
            if failure is not None:
                ticket.error = failure.error

    def _try(self, group: list[Ticket]) -> _Failure | None:
        """Run and commit the group in one transaction; why it is not known to last, or None when it does."""
        step, meter = "begin", Meter()
        try:
            session = self._handle.ready()
            session.plain("BEGIN IMMEDIATE")
            step = "work"
            counted: list[Counted] = []
            for ticket in group:
                ticket.error = None
                counted += self._run(session, ticket, meter)
            write_sums(session, counted)
            step = "commit"
            session.plain("COMMIT")
            self._handle.confirm()
        except Exception as error:  # noqa: BLE001 - whoever waits for the tickets gets it
            self._handle.drop()
            return _failure(error, step)
        return None

    def _run(self, session: SqliteSession, ticket: Ticket, meter: Meter) -> list[Counted]:
        """One ticket's work in its own savepoint, and what it counted; a refusal or a fault undoes that ticket alone."""
        tx = Tx(session, self._clock.now(), self._new_id, meter)
        session.plain("SAVEPOINT work")
        counted: list[Counted] = []
        try:
            ticket.result = ticket.work(tx)
            counted = tx.counted()
        except Exception as error:
            if trouble(error) is not None or not self._handle.in_transaction():
                raise
            session.plain("ROLLBACK TO work")
            ticket.error = error
        session.plain("RELEASE work")
        return counted
