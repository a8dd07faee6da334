"""The database's own clock, which every process that shares a lease agrees on."""

from sqlalchemy import BigInteger, cast, extract, func, select

from setright.kernel.clock import SECOND
from setright.storage.sql import Sql
from setright.storage.tx import Snapshot

# SQLite counts milliseconds; the end of the one that runs, so that nothing from within it seems to lie ahead.
_SQLITE = cast(func.unixepoch("subsec") * SECOND, BigInteger) + 999
_POSTGRESQL = cast(extract("epoch", func.clock_timestamp()) * SECOND, BigInteger)
NOW = Sql(select(_SQLITE.label("now")), postgresql=select(_POSTGRESQL.label("now")))


def database_now(at: Snapshot) -> int:
    """The moment by the database's clock in microseconds; what a lease ends by, never what `createdAt` says."""
    row = at.one(NOW)
    return int(row["now"]) if row else at.now
