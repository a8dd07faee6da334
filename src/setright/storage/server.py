"""The store on a PostgreSQL server: one transaction each, from a pool of connections."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import Any, TypeVar

import psycopg
from psycopg.errors import DeadlockDetected, SerializationFailure, UniqueViolation
from psycopg_pool import ConnectionPool, PoolTimeout

from setright.kernel.clock import Clock
from setright.kernel.errors import StorageUnavailable
from setright.kernel.ids import NewId
from setright.storage import tickets
from setright.storage.sql import Compiled, EngineName
from setright.storage.store import Read, Write
from setright.storage.tickets import Ticket, settle
from setright.storage.tx import Snapshot, Tx

T = TypeVar("T")

CONNECTIONS = 10
TRIES = 4
WAIT_SECONDS = 5.0


class ServerSession:
    """One pooled connection's cursor, as a transaction uses it."""

    engine: EngineName = "postgresql"
    __slots__ = ("_cursor",)

    def __init__(self, cursor: "psycopg.Cursor[Any]") -> None:
        self._cursor = cursor

    def fetch(self, statement: Compiled, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """All rows of a statement's result."""
        return self._cursor.execute(statement.text.encode(), values).fetchall()

    def execute(self, statement: Compiled, values: dict[str, Any]) -> int:
        """The number of rows that a statement changed."""
        return self._cursor.execute(statement.text.encode(), values).rowcount

    def plain(self, text: str) -> None:
        """Run a statement without values or result."""
        self._cursor.execute(text.encode())


class ServerStore:
    """A ledger in a PostgreSQL database; work that lost a race (unique key, deadlock) is run again."""

    engine: EngineName = "postgresql"

    def __init__(self, url: str, clock: Clock, new_id: NewId, connections: int = CONNECTIONS) -> None:
        self._clock = clock
        self._new_id = new_id
        self._pool = ConnectionPool[Any](
            url,
            min_size=1,
            max_size=connections,
            timeout=WAIT_SECONDS,
            kwargs={"autocommit": True, "connect_timeout": 5},
            check=None,
            open=False,
        )
        self._pool.open(wait=False)
        self._writers = ThreadPoolExecutor(connections - 2, thread_name_prefix="setright-writer")
        self._readers = ThreadPoolExecutor(4, thread_name_prefix="setright-reader")
        self._lock = threading.Lock()
        self._waiting = 0
        self._seconds: deque[float] = deque(maxlen=1000)
        self._writes = 0

    def write(self, work: Write[T]) -> Future[T]:
        """See `Store.write`."""
        return self._accept(tickets.for_thread(work))

    def write_in_loop(self, work: Write[T], loop: asyncio.AbstractEventLoop) -> "asyncio.Future[T]":
        """See `Store.write_in_loop`."""
        return self._accept(tickets.for_loop(work, loop))

    def _accept(self, ticket: Ticket) -> Any:
        with self._lock:
            self._waiting += 1
        try:
            self._writers.submit(self._do, ticket)
        except RuntimeError:
            ticket.error = StorageUnavailable("the server is stopping", 5)
            settle([ticket])
        return ticket.future

    def _do(self, ticket: Ticket) -> None:
        with self._lock:
            self._waiting -= 1
        started = perf_counter()
        try:
            ticket.result = self._with_retries(lambda: self._write(ticket.work))
        except BaseException as error:  # noqa: BLE001 - whoever waits for the ticket gets it
            ticket.error = error
        self._seconds.append(perf_counter() - started)
        self._writes += 1
        settle([ticket])

    def _with_retries(self, attempt: Callable[[], Any]) -> Any:
        """Run again what lost a race; a lost connection is trouble unless it was lost while committing."""
        for left in range(TRIES - 1, -1, -1):
            try:
                return attempt()
            except (UniqueViolation, DeadlockDetected, SerializationFailure):
                if left == 0:
                    raise StorageUnavailable("too many writers met at one place", 1) from None
            except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
                raise _trouble(error) from error
        raise AssertionError("unreachable")

    def _write(self, work: Write[Any]) -> Any:
        with self._pool.connection() as connection, connection.cursor() as cursor:
            cursor.execute("BEGIN")
            try:
                result = work(Tx(ServerSession(cursor), self._clock.now(), self._new_id))
            except BaseException:
                if not connection.closed:
                    cursor.execute("ROLLBACK")
                raise
            cursor.execute("COMMIT")
            return result

    def read(self, work: Read[T]) -> Future[T]:
        """See `Store.read`."""
        return self._readers.submit(self._with_retries, lambda: self._read(work))

    def _read(self, work: Read[T]) -> T:
        with self._pool.connection() as connection, connection.cursor() as cursor:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                return work(Snapshot(ServerSession(cursor), self._clock.now()))
            finally:
                if not connection.closed:
                    cursor.execute("ROLLBACK")

    def figures(self) -> dict[str, Any]:
        """See `Store.figures`."""
        with self._lock:
            return {
                "write_queue_depth": self._waiting,
                "groups": self._writes,
                "writes": self._writes,
                "group_sizes": [1] * min(self._writes, 1),
                "commit_seconds": list(self._seconds),
            }

    def close(self) -> None:
        """See `Store.close`."""
        self._writers.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self._pool.close()


def _trouble(error: Exception) -> StorageUnavailable:
    """A server's trouble in plain words."""
    if isinstance(error, PoolTimeout):
        return StorageUnavailable("the database server does not answer", 5)
    state = getattr(error, "sqlstate", None)
    reasons = {"53100": "the disk is full", "53300": "the server has no free connection"}
    return StorageUnavailable(reasons.get(state or "", "the connection to the database was lost"), 2)
