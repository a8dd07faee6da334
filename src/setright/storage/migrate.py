"""Bringing a database to the schema that this code needs, one migration after the other."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine
from sqlalchemy.pool import NullPool

from setright.storage import sqlite
from setright.storage.address import Address


def config(engine: Engine | None = None) -> Config:
    """The migration tool's configuration; `engine` is what it works on."""
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    made.attributes["engine"] = engine
    return made


def engine_for(address: Address) -> Engine:
    """A SQLAlchemy engine for migrations only; the product itself uses the drivers directly."""
    path = address.path
    if path is None:
        return create_engine(f"postgresql+psycopg://{address.url.partition('://')[2]}", poolclass=NullPool)
    return create_engine(
        "sqlite://", creator=lambda: sqlite.connect(path), module=sqlite.driver(), poolclass=NullPool
    )


def upgrade(address: Address, target: str = "head") -> None:
    """Run the missing migrations; a SQLite file with rows is copied aside first (`<file>.before-<version>`)."""
    engine = engine_for(address)
    try:
        command.upgrade(config(engine), target)
    finally:
        engine.dispose()


def downgrade(address: Address, target: str) -> None:
    """Undo migrations down to `target` (`base` undoes all)."""
    engine = engine_for(address)
    try:
        command.downgrade(config(engine), target)
    finally:
        engine.dispose()


def copy_aside(path: Path, version: str) -> Path:
    """A consistent copy of a SQLite file beside it, readable by its owner only."""
    copy = path.with_name(f"{path.name}.before-{version}")
    with closing(sqlite.connect(path)) as source, closing(sqlite.driver().connect(str(copy))) as target:
        source.backup(target)
    copy.chmod(0o600)
    return copy


@contextmanager
def upgrade_lock(path: Path) -> Generator[Any]:
    """Only one process at a time upgrades a SQLite file."""
    lock = path.with_name(f"{path.name}.upgrade")
    lock.touch(mode=0o600)
    with closing(sqlite3.connect(lock, timeout=60, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        try:
            yield holder
        finally:
            holder.execute("ROLLBACK")
