"""The store on a PostgreSQL server: a few writers that commit together what waits, and readers apart from them."""

import asyncio
import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import Any, TypeVar

from psycopg_pool import ConnectionPool

from setright.kernel.clock import Clock
from setright.kernel.ids import NewId
from setright.storage import tickets
from setright.storage.pooled import Connection, Transactions
from setright.storage.sql import EngineName
from setright.storage.store import Read, Write
from setright.storage.tickets import Ticket, settle

T = TypeVar("T")

READERS = 4
WAIT_SECONDS = 5.0
LARGEST_GROUP = 32
WORTH_ANOTHER_WRITER = LARGEST_GROUP
LONG_WAIT = 0.05
_OPTIONS = "-c statement_timeout=60000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=60000 -c timezone=UTC"


class ServerStore:
    """A ledger in a PostgreSQL database; `connections` are shared by the readers and the writers."""

    engine: EngineName = "postgresql"

    def __init__(self, url: str, clock: Clock, new_id: NewId, connections: int, writers: int) -> None:
        # A short reconnect_timeout: the pool's own patience doubles to minutes, and nobody would find a server that
        # is back; once it has given up, the next request tries again.
        self._pool = ConnectionPool[Connection](
            url,
            min_size=1,
            max_size=connections,
            timeout=WAIT_SECONDS,
            reconnect_timeout=WAIT_SECONDS,
            kwargs={"autocommit": True, "connect_timeout": 5, "options": _OPTIONS, "prepare_threshold": 2},
            open=False,
        )
        self._pool.open(wait=False)
        self._transactions = Transactions(self._pool, clock, new_id)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="setright-reader")
        self._waiting: deque[Ticket] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._seconds: deque[float] = deque(maxlen=1000)
        self._sizes: deque[int] = deque(maxlen=1000)
        self._groups = 0
        self._writes = 0
        self._writers = [
            threading.Thread(target=self._work, args=(number,), name=f"setright-writer-{number}", daemon=True)
            for number in range(writers)
        ]
        for writer in self._writers:
            writer.start()

    def write(self, work: Write[T]) -> Future[T]:
        """See `Store.write`."""
        return self._accept(tickets.for_thread(work))

    def write_in_loop(self, work: Write[T], loop: asyncio.AbstractEventLoop) -> "asyncio.Future[T]":
        """See `Store.write_in_loop`."""
        return self._accept(tickets.for_loop(work, loop))

    def _accept(self, ticket: Ticket) -> Any:
        with self._changed:
            if self._closed:
                ticket.error = tickets.stopping()
            else:
                self._waiting.append(ticket)
                self._changed.notify_all()
        if ticket.error is not None:
            settle([ticket])
        return ticket.future

    def _work(self, number: int) -> None:
        while group := self._next_group(number):
            started = perf_counter()
            self._transactions.write(group)
            self._seconds.append(perf_counter() - started)
            self._sizes.append(len(group))
            self._groups += 1
            self._writes += len(group)
            settle(group)

    def _next_group(self, number: int) -> list[Ticket]:
        """What waits, for one commit; a further writer begins when a few wait, or when one waits for long."""
        with self._changed:
            while not self._closed and len(self._waiting) <= number * WORTH_ANOTHER_WRITER:
                noticed = self._changed.wait(LONG_WAIT if self._waiting else None)
                if not noticed and self._waiting:
                    break
            return [self._waiting.popleft() for _ in range(min(len(self._waiting), LARGEST_GROUP))]

    def read(self, work: Read[T]) -> Future[T]:
        """See `Store.read`."""
        return tickets.submit(self._readers, self._transactions.read, work)

    def figures(self) -> dict[str, Any]:
        """See `Store.figures`."""
        return {
            "write_queue_depth": len(self._waiting),
            "groups": self._groups,
            "writes": self._writes,
            "group_sizes": list(self._sizes),
            "commit_seconds": list(self._seconds),
        }

    def forget(self) -> None:
        """See `Store.forget`."""

    def close(self) -> None:
        """See `Store.close`."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for writer in self._writers:
            writer.join()
        self._readers.shutdown(wait=True)
        self._pool.close()
