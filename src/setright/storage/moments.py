"""The database's own clock, which every process that shares a lease agrees on."""

from sqlalchemy import BigInteger, cast, func, literal_column, select

from setright.kernel.clock import SECOND
from setright.storage.sql import Sql
from setright.storage.tx import Snapshot

_SQLITE = cast(func.unixepoch("subsec") * SECOND, BigInteger)
_POSTGRESQL = cast(func.extract(literal_column("epoch FROM clock_timestamp()")) * SECOND, BigInteger)
NOW = Sql(select(_SQLITE.label("now")), postgresql=select(_POSTGRESQL.label("now")))


def database_now(at: Snapshot) -> int:
    """The moment by the database's clock in microseconds; what a lease ends by, never what `createdAt` says."""
    row = at.one(NOW)
    return int(row["now"]) if row else at.now
