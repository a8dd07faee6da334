"""Transactions on pooled PostgreSQL connections: statements in pipelines, and what lost a race is run again."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg.errors import (
    DeadlockDetected,
    LockNotAvailable,
    QueryCanceled,
    ReadOnlySqlTransaction,
    SerializationFailure,
    UndefinedTable,
    UniqueViolation,
)
from psycopg_pool import ConnectionPool, PoolTimeout

from setright.kernel.clock import Clock
from setright.kernel.errors import Refusal, StorageUnavailable
from setright.kernel.ids import NewId
from setright.storage.sql import Compiled, EngineName
from setright.storage.store import Read
from setright.storage.sums import Counted, Overtaken, write_sums
from setright.storage.tickets import Ticket
from setright.storage.together import is_insert, together
from setright.storage.tx import Snapshot, Tx
from setright.storage.usage import Meter

T = TypeVar("T")
Connection = psycopg.Connection[Any]
TRIES = 5
RACES = (UniqueViolation, DeadlockDetected, SerializationFailure, Overtaken)
TROUBLE = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    PoolTimeout,
    ReadOnlySqlTransaction,
    UndefinedTable,
)


class PooledSession:
    """One connection, as a transaction uses it; in a pipeline only a result that is asked for waits for the server.

    Inserts that follow one another go out as one statement, before anything else and at the latest by `flush`.
    """

    engine: EngineName = "postgresql"
    __slots__ = ("_connection", "_cursor", "_held")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._held: dict[Compiled, dict[str, Any]] = {}

    def fetch(self, statement: Compiled, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """All rows of a statement's result."""
        self.flush()
        return self._cursor.execute(statement.text.encode(), values).fetchall()

    def execute(self, statement: Compiled, values: dict[str, Any]) -> int:
        """The number of rows that a statement changed.

        Leaving the inner pipeline waits for the server. `Pipeline.sync` would too, but it does not see to it that
        a value larger than the socket's buffer is sent whole, and then waits for ever (psycopg issue 685).
        """
        self.flush()
        with self._connection.pipeline():
            cursor = self._connection.execute(statement.text.encode(), values)
        return cursor.rowcount

    def send(self, statement: Compiled, values: dict[str, Any]) -> None:
        """Run a statement without waiting for it; its failure shows at the next wait, at the latest at COMMIT."""
        if statement in self._held or not is_insert(statement):
            self.flush()
        if is_insert(statement):
            self._held[statement] = values
        else:
            self._cursor.execute(statement.text.encode(), values)

    def plain(self, text: str) -> None:
        """Run a statement without values or result."""
        self.flush()
        self._cursor.execute(text.encode())

    def flush(self) -> None:
        """Send the inserts that are held back, as one statement."""
        if self._held:
            held, self._held = list(self._held.items()), {}
            self._cursor.execute(*together(held))


class LostConnection(psycopg.OperationalError):
    """The connection went before anything was committed, as all do when a server is started again."""


class LostWhileCommitting(psycopg.OperationalError):
    """The connection went while the server was committing: whether it did is not known."""


class Tainted(Exception):
    """A ticket of a group was refused after it had written, so the group cannot be committed as it is."""


class Transactions:
    """Runs work on connections of a pool."""

    def __init__(self, pool: "ConnectionPool[Connection]", clock: Clock, new_id: NewId) -> None:
        self._pool = pool
        self._clock = clock
        self._new_id = new_id

    def write(self, group: Sequence[Ticket]) -> None:
        """Give every ticket its result or error: all in one transaction or, if that fails, each in its own."""
        try:
            self._attempt(group)
        except (LostWhileCommitting, PoolTimeout) as error:
            _refuse(group, trouble(error))
        except Exception as error:  # noqa: BLE001 - whoever waits for the tickets gets it
            if isinstance(error, LostConnection):
                self._pool.check()
            elif len(group) == 1 and not isinstance(error, RACES):
                group[0].error = trouble(error) if isinstance(error, TROUBLE) else error
                return
            self._each_alone(group)

    def _each_alone(self, group: Sequence[Ticket]) -> None:
        """Each ticket in its own transaction; where one waited in vain for the server, the others wait no more."""
        for place, ticket in enumerate(group):
            try:
                self.with_retries(lambda alone=ticket: self._attempt([alone]))
            except Exception as error:  # noqa: BLE001 - whoever waits for the ticket gets it
                ticket.error = error
                if isinstance(error.__cause__, WAITED_IN_VAIN):
                    _refuse(group[place:], error)
                    return

    def _attempt(self, group: Sequence[Ticket]) -> None:
        """One transaction; it raises when nothing of it lasts. A refusal of one that wrote nothing harms no other."""
        with self._pool.connection() as connection:
            committing = False
            try:
                with connection.pipeline():
                    connection.execute("BEGIN")
                    meter, counted = Meter(), list[Counted]()
                    for ticket in group:
                        counted += self._run(connection, ticket, meter, alone=len(group) == 1)
                    _write_sums(connection, counted)
                    committing = any(ticket.error is None for ticket in group)
                    end = connection.execute("COMMIT" if committing else "ROLLBACK")
                if committing and end.statusmessage != "COMMIT":
                    raise psycopg.OperationalError("the transaction was rolled back")
            except BaseException as error:
                if _undo(connection):
                    raise
                raise (LostWhileCommitting if committing else LostConnection) from error

    def _run(self, connection: Connection, ticket: Ticket, meter: Meter, *, alone: bool) -> list[Counted]:
        """One ticket's work, and what it counted."""
        session = PooledSession(connection)
        tx = Tx(session, self._clock.now(), self._new_id, meter)
        ticket.error = None
        try:
            ticket.result = ticket.work(tx)
            session.flush()
        except Refusal as refusal:
            if tx.wrote and not alone:
                raise Tainted from refusal
            ticket.error = refusal
            return []
        return tx.counted()

    def read(self, work: Read[T]) -> T:
        """`work` on one consistent state."""

        def attempt() -> T:
            with self._pool.connection() as connection:
                try:
                    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    found = work(Snapshot(PooledSession(connection), self._clock.now()))
                    connection.execute("ROLLBACK")
                except BaseException as error:
                    if _undo(connection):
                        raise
                    raise LostConnection from error
                return found

        return self.with_retries(attempt)

    def with_retries(self, attempt: Callable[[], T]) -> T:
        """Run again what lost a race or its connection; the server's own trouble becomes a refusal."""
        for left in range(TRIES - 1, -1, -1):
            try:
                return attempt()
            except RACES as error:
                if left == 0:
                    raise StorageUnavailable("too many writers met at one place", 1) from error
            except LostConnection as error:
                if left == 0:
                    raise trouble(error) from error
                self._pool.check()
            except TROUBLE as error:
                raise trouble(error) from error
        raise AssertionError("unreachable")


def _write_sums(connection: Connection, counted: Sequence[Counted]) -> None:
    session = PooledSession(connection)
    write_sums(session, counted)
    session.flush()


def _undo(connection: Connection) -> bool:
    """End the transaction; False when the connection is gone, and with it everything that was not committed."""
    if not connection.closed:
        with suppress(psycopg.Error):
            connection.execute("ROLLBACK")
    return not connection.closed


def _refuse(tickets: Sequence[Ticket], error: Exception) -> None:
    for ticket in tickets:
        ticket.error = error


WAITED_IN_VAIN = (PoolTimeout, LockNotAvailable, QueryCanceled)
_REASONS = {
    "25006": "the server accepts no writes",
    "42P01": "the database has no ledger in it",
    "53100": "the disk is full",
    "53200": "the server's memory is exhausted",
    "53300": "the server has no free connection",
    "55P03": "another process holds a lock",
    "57014": "the server took too long",
}


def trouble(error: Exception) -> StorageUnavailable:
    """A server's trouble in plain words."""
    if isinstance(error, LostWhileCommitting):
        return StorageUnavailable("the connection was lost while committing", 2, outcome_known=False)
    if isinstance(error, PoolTimeout):
        return StorageUnavailable("the database server does not answer", 5)
    reason = _REASONS.get(getattr(error, "sqlstate", None) or "")
    return StorageUnavailable(reason or "the connection to the database was lost", 2)
