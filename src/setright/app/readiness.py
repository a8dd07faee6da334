"""Whether the app can do its work just now: the database answers, has a ledger in it, and takes writes."""

import asyncio
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Text, bindparam, literal_column, select, text, update

from setright.app.perform import Performer
from setright.kernel.errors import StorageUnavailable
from setright.storage import Snapshot, Sql, Store, Tx
from setright.storage.kept import ADD_MARK, marks

_VERSION: ColumnElement[str] = literal_column("version_num", Text)
SCHEMA = Sql(select(_VERSION.label("version")).select_from(text("alembic_version")))
PROBE = "write-probe"
TOUCH = Sql(update(marks).where(marks.c.name == PROBE).values(value=bindparam("new_value")))


@dataclass(frozen=True, slots=True)
class Readiness:
    """The database's engine and the version of its schema."""

    engine: str
    schema_version: str


async def readiness(store: Store, performer: Performer) -> Readiness:
    """What the database says of itself; refuses when there is no ledger in it, or when it takes no writes.

    It is only written to where the last write failed: who asks often shall cost nothing, and who is asked for whether
    it stores shall not say yes because it can be read.
    """
    found = await asyncio.wrap_future(store.read(_read))
    if performer.failed_to_write:
        await store.write_in_loop(_touch, asyncio.get_running_loop())
        performer.failed_to_write = False
    return found


def _read(at: Snapshot) -> Readiness:
    row = at.one(SCHEMA)
    if row is None:
        raise StorageUnavailable("there is no ledger in it", 5)
    return Readiness(at.engine, row["version"])


def _touch(tx: Tx) -> None:
    value = str(tx.now)
    tx.run(ADD_MARK, name=PROBE, value=value)
    tx.run(TOUCH, new_value=value)
