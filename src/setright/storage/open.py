"""Opening a database: the schema's version is checked first, and a store is given only when it fits."""

import os
import stat
from contextlib import closing
from pathlib import Path

from setright.kernel.clock import Clock
from setright.kernel.ids import NewId
from setright.storage import sqlite
from setright.storage.address import Address, parse
from setright.storage.store import Store
from setright.storage.version import HEAD, KNOWN


class SchemaMismatch(RuntimeError):
    """The database's schema does not fit this code; the message says what to run."""


class NotWritable(RuntimeError):
    """This user may not write the SQLite file, or not beside it; the message says what to change."""


def check_writable(address: Address) -> None:
    """Refuse (NotWritable) a SQLite file that is there and may not be written; only a writable one can be served."""
    path = address.path
    if path is None or not path.exists():
        return
    places = (path, path.absolute().parent)
    place = next((place for place in places if not os.access(place, os.W_OK)), None)
    if place is None:
        return
    beside = "" if place == path else ", and SQLite keeps its write-ahead log there"
    raise NotWritable(
        f"{place} cannot be written by this user (its mode is {stat.S_IMODE(place.stat().st_mode):o}){beside}. "
        "Start as the user it belongs to, give that user the right to write, or mount its disk for writing."
    )


def _check_openable(path: Path) -> None:
    """Refuse (NotWritable) a file in a folder that may not be written, where SQLite must put its index of the log."""
    beside = path.absolute().parent
    if not os.access(beside, os.W_OK) and not path.with_name(f"{path.name}-shm").exists():
        check_writable(Address(str(path), "sqlite", path))


def schema_version(address: Address) -> str | None:
    """The version of the schema in the database, None when there is no ledger in it."""
    question = "SELECT version_num FROM alembic_version"
    if address.path is not None:
        if not address.path.exists() or address.path.stat().st_size == 0:
            return None
        _check_openable(address.path)
        with closing(sqlite.connect(address.path)) as connection:
            tables = connection.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
            ).fetchone()
            row = connection.execute(question).fetchone() if tables else None
            return row[0] if row else None
    import psycopg

    with psycopg.connect(address.url, connect_timeout=5) as connection:
        exists = connection.execute("SELECT to_regclass('alembic_version')").fetchone()
        row = connection.execute(question).fetchone() if exists and exists[0] else None
        return str(row[0]) if row else None


def check_schema(address: Address) -> None:
    """Refuse (SchemaMismatch) a database whose schema is missing, older or newer than this code needs."""
    found = schema_version(address)
    if found == HEAD:
        return
    if found is None:
        raise SchemaMismatch(f"There is no ledger in {address.shown}; run `setright db upgrade` to make one.")
    if found in KNOWN:
        raise SchemaMismatch(
            f"The schema of {address.shown} is {found}, this version needs {HEAD}; run `setright db upgrade`."
        )
    raise SchemaMismatch(
        f"The schema of {address.shown} is {found}, newer than this version knows ({HEAD}); "
        "install a newer setright."
    )


def create_or_upgrade(url: str) -> str | None:
    """Bring the database at `url` to the schema of this code; the version it had before, None for a new one."""
    from setright.storage import migrate

    address = parse(url)
    if address.path is None:
        before = schema_version(address)
        if before != HEAD:
            migrate.upgrade(address)
        return before
    check_writable(address)
    make_file(address.path)
    with migrate.upgrade_lock(address.path):
        before = schema_version(address)
        if before != HEAD:
            if before is not None:
                migrate.copy_aside(address.path, HEAD)
            migrate.upgrade(address)
        return before


def make_file(path: Path) -> None:
    """Create an empty file that only its owner may read, with its folder, unless it is there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def open_store(url: str, clock: Clock, new_id: NewId, connections: int = 10, writers: int = 2) -> Store:
    """The store at `url`, whose schema must fit; raises SchemaMismatch, NotWritable, UnsuitableSqlite, ValueError."""
    address = parse(url)
    check_writable(address)
    check_schema(address)
    if address.path is not None:
        from setright.storage.embedded import EmbeddedStore

        return EmbeddedStore(address.path, clock, new_id)
    from setright.storage.server import ServerStore

    return ServerStore(address.url, clock, new_id, connections, writers)
