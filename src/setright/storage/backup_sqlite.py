"""Copying a SQLite ledger while it is written to, and putting a copy back where no ledger is."""

import os
import shutil
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from setright.storage import sqlite
from setright.storage.backup import (
    BackupRefused,
    BackupStopped,
    Contents,
    Manifest,
    Progress,
    copy_in,
    new_file,
    no_room,
    told_rows,
)
from setright.storage.migrate import upgrade_lock
from setright.storage.sqlite import Connection

PAGES = 4096
_BESIDE = ("-wal", "-shm", "-journal")


def copy(path: Path, partial: Path, target: Path, progress: Progress) -> Contents:
    """Copy the ledger at `path` into the empty file `partial`, as it was when this began, and say what is in it.

    One reading transaction holds that moment for the whole copy: who writes meanwhile neither waits nor makes the
    copy begin again, as SQLite's online backup does by itself when another process commits.
    """

    def copied(_status: int, left: int, pages: int) -> None:
        progress("Copying", pages - left, pages)

    with closing(sqlite.connect(path, read_only=True)) as source, _told(path, target):
        source.execute("BEGIN")
        schema = source.execute("SELECT version_num FROM alembic_version").fetchone()[0]
        _check_room(source, target)
        with closing(sqlite.driver().connect(str(partial), isolation_level=None)) as made:
            made.execute("PRAGMA synchronous=OFF")
            source.backup(made, pages=PAGES, progress=copied)
            source.execute("ROLLBACK")
            made.execute("PRAGMA journal_mode=DELETE")
            progress("Checking the copy", 0, None)
            _check_whole(path, made)
            rows = rows_in(made)
    version = sqlite.driver().sqlite_version
    return Contents("sqlite", version, f"SQLite online backup {version}", schema, rows)


def _check_room(source: Connection, target: Path) -> None:
    pages, size = (source.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    free = shutil.disk_usage(target.absolute().parent).free
    if pages * size > free:
        raise no_room(target, f"it needs {_mega(pages * size)} MB, {_mega(free)} MB are free")


def _mega(size: int) -> str:
    return f"{size / 1e6:,.1f}"


def _check_whole(path: Path, made: Connection) -> None:
    (told,) = made.execute("PRAGMA quick_check(1)").fetchone()
    if told != "ok":
        raise BackupStopped(
            "database-damaged",
            f"{path} is damaged, and so would be a backup of it ({told}); none was made.",
            "setright db check tells all that is wrong; an earlier backup may be whole",
        )


def rows_in(connection: Connection) -> dict[str, int]:
    """How many rows each table of a SQLite file has; not of what a full-text index keeps beside it."""
    names = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    ).fetchall()
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608 - names of ours
        for (name,) in names
    }


@contextmanager
def _told(path: Path, target: Path) -> Generator[None]:
    """What the driver says of a copy that fails; it gives no code there, only SQLite's own words."""
    try:
        yield
    except sqlite.driver().Error as error:
        if "full" in str(error):
            raise no_room(target, "the disk is full") from error
        raise BackupStopped(
            "copy-failed",
            f"{path} could not be copied to {target} ({error}); nothing is left of the copy.",
            "look at both disks, and at the limit on the size of files (ulimit -f); setright db check reads the ledger",
        ) from error


def restore(source: Path, manifest: Manifest, path: Path, progress: Progress) -> None:
    """Put the copy in a backup at `path`, where no file or an empty one may be; whole, or not at all."""
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with upgrade_lock(path):
        _refuse_filled(path)
        with new_file(path, "db restore", empty_is_free=True) as partial:
            with partial.open("wb") as file:
                for piece in copy_in(source, manifest, progress, "Restoring"):
                    file.write(piece)
            _refuse_filled(path)


def _refuse_filled(path: Path) -> None:
    left = [name for end in _BESIDE if (name := path.with_name(path.name + end)).exists()]
    if left and not (path.exists() and path.stat().st_size):
        raise BackupRefused(
            "target-not-empty",
            f"{path} is not there, but {', '.join(map(str, left))} of an earlier file is: SQLite would mix the two.",
            "make sure that no server runs on it, and move what is left away",
        )
    if not path.exists() or path.stat().st_size == 0:
        return
    raise BackupRefused(
        "target-not-empty",
        f"{path} is not empty: {_what_is_there(path)}. db restore puts a backup only where nothing is.",
        "stop what uses the file and move it away, with its -wal and -shm; or name another: --database FILE",
    )


def _what_is_there(path: Path) -> str:
    try:
        # Not by `sqlite.connect`, which would put a stranger's file into WAL mode.
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite.driver().connect(address, uri=True)) as connection:
            rows = rows_in(connection)
    except sqlite.driver().Error:
        return f"it holds {path.stat().st_size:,} bytes that are no SQLite database"
    return f"it holds {told_rows(rows)}"
