"""The one SQLite writer: a thread that commits together whatever arrived while the last commit ran."""

import threading
import time
from collections import deque
from pathlib import Path
from queue import Empty, SimpleQueue

from setright.kernel.clock import Clock
from setright.kernel.errors import StorageUnavailable
from setright.kernel.ids import NewId
from setright.storage.sqlite import Handle, SqliteSession, trouble
from setright.storage.tickets import Ticket, settle
from setright.storage.tx import Tx

LARGEST_GROUP = 64


class Writer:
    """Takes tickets from any thread; `close` finishes what was accepted."""

    def __init__(self, path: Path, clock: Clock, new_id: NewId) -> None:
        self._handle = Handle(path)
        self._clock = clock
        self._new_id = new_id
        self._queue: SimpleQueue[Ticket | None] = SimpleQueue()
        self.group_sizes: deque[int] = deque(maxlen=1000)
        self.commit_seconds: deque[float] = deque(maxlen=1000)
        self.groups = 0
        self.writes = 0
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="setright-writer", daemon=True)
        self._thread.start()

    def put(self, ticket: Ticket) -> None:
        """Queue a ticket; refused with 503 once the writer is closed."""
        if self._closed:
            ticket.error = StorageUnavailable("the server is stopping", 5)
            settle([ticket])
        else:
            self._queue.put(ticket)

    def depth(self) -> int:
        """How many tickets wait."""
        return self._queue.qsize()

    def close(self) -> None:
        """Finish every accepted ticket and end the thread."""
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
        """Commit a group; if that fails, each alone, so that only what fails by itself is refused."""
        started = time.perf_counter()
        failed = self._try(group)
        if failed is not None and len(group) > 1:
            for ticket in group:
                ticket.error = self._try([ticket]) or ticket.error
        elif failed is not None:
            group[0].error = failed
        self.group_sizes.append(len(group))
        self.commit_seconds.append(time.perf_counter() - started)
        self.groups += 1
        self.writes += len(group)

    def _try(self, group: list[Ticket]) -> Exception | None:
        """Run and commit the group in one transaction; why nothing of it lasts, or None when it does."""
        try:
            session = self._handle.ready()
            session.plain("BEGIN IMMEDIATE")
            for ticket in group:
                ticket.error = None
                self._run(session, ticket)
            session.plain("COMMIT")
        except Exception as error:  # noqa: BLE001 - whoever waits for the tickets gets it
            self._handle.drop()
            return trouble(error) or error
        return None

    def _run(self, session: SqliteSession, ticket: Ticket) -> None:
        """One ticket's work in its own savepoint; a refusal or a fault undoes that ticket and no other."""
        session.plain("SAVEPOINT work")
        try:
            ticket.result = ticket.work(Tx(session, self._clock.now(), self._new_id))
        except Exception as error:
            if trouble(error) is not None or not self._handle.in_transaction():
                raise
            session.plain("ROLLBACK TO work")
            ticket.error = error
        session.plain("RELEASE work")
