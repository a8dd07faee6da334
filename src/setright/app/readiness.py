"""Whether the app can do its work just now: the database answers, has a ledger in it, and takes writes."""

import asyncio
import shutil
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Text, literal_column, select, text

from setright.app.assemble import RunningApp
from setright.app.settings import Settings, database_url
from setright.app.worker import worker_was_seen
from setright.kernel.errors import StorageUnavailable
from setright.storage import Snapshot, Sql, Tx
from setright.storage.address import parse
from setright.storage.kept import set_mark

MEGABYTE = 1024 * 1024
_VERSION: ColumnElement[str] = literal_column("version_num", Text)
SCHEMA = Sql(select(_VERSION.label("version")).select_from(text("alembic_version")))
PROBE = "write-probe"


@dataclass(frozen=True, slots=True)
class Readiness:
    """The database's engine, the version of its schema, and whether a worker showed itself in the last minute."""

    engine: str
    schema_version: str
    worker_seen: bool


async def readiness(app: RunningApp) -> Readiness:
    """What the database says of itself; refuses when there is no ledger in it, no room for more, or no write goes in.

    It is only written to where the last write failed: who asks often shall cost nothing, and who is asked for whether
    it stores shall not say yes because it can be read. On a nearly full disk a small write may still go in where a
    large one does not, so there the free space decides.
    """
    found = await asyncio.wrap_future(app.store.read(lambda at: _read(at, app.settings)))
    if app.performer.failed_to_write:
        await app.store.write_in_loop(_touch, asyncio.get_running_loop())
        app.performer.failed_to_write = False
    return found


def _read(at: Snapshot, settings: Settings) -> Readiness:
    row = at.one(SCHEMA)
    if row is None:
        raise StorageUnavailable("there is no ledger in it", 5)
    _check_room(settings)
    return Readiness(at.engine, row["version"], worker_was_seen(at))


def _check_room(settings: Settings) -> None:
    """Refuse when the disk of a SQLite file is nearly full; what a PostgreSQL server has left cannot be seen."""
    path, least = parse(database_url(settings)).path, settings.ready_free_mb
    if path is None or not least:
        return
    free = shutil.disk_usage(path.absolute().parent).free // MEGABYTE
    if free < least:
        raise StorageUnavailable(
            f"the disk is nearly full: {free} MB are free beside {path.name}, {least} MB are needed", 5
        )


def _touch(tx: Tx) -> None:
    set_mark(tx, PROBE, str(tx.now))
