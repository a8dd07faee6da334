"""Reading a database from beside its servers: one snapshot for as long as it takes, which writes nothing at all."""

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager

import psycopg

from setright.storage import sqlite
from setright.storage.address import Address
from setright.storage.pooled import PooledSession
from setright.storage.sqlite import SqliteSession
from setright.storage.tx import Snapshot

_SETTINGS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")


@contextmanager
def snapshot(address: Address, now: Callable[[], int]) -> Generator[Snapshot]:
    """The ledger at `address` as it is now; it needs no right to write."""
    if address.path is not None:
        with closing(sqlite.connect(address.path, read_only=True)) as connection:
            session = SqliteSession(connection)
            session.plain("BEGIN")
            yield Snapshot(session, now())
            session.plain("ROLLBACK")
        return
    with psycopg.connect(address.url, autocommit=True, connect_timeout=5) as server:
        for name in _SETTINGS:
            server.execute(f"SET {name} = 0".encode())
        server.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield Snapshot(PooledSession(server), now())
