"""Whether the app can do its work just now: the database answers, and has a ledger in it."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Text, literal_column, select, text

from setright.kernel.errors import StorageUnavailable
from setright.storage import Snapshot, Sql

_VERSION: ColumnElement[str] = literal_column("version_num", Text)
SCHEMA = Sql(select(_VERSION.label("version")).select_from(text("alembic_version")))


@dataclass(frozen=True, slots=True)
class Readiness:
    """The database's engine and the version of its schema."""

    engine: str
    schema_version: str


def readiness(at: Snapshot) -> Readiness:
    """What the database says of itself; refuses when there is no ledger in it."""
    row = at.one(SCHEMA)
    if row is None:
        raise StorageUnavailable("there is no ledger in it", 5)
    return Readiness(at.engine, row["version"])
