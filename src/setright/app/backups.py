"""Backing up the ledger of this machine into one file, and putting a backup where no ledger is yet."""

import time
from dataclasses import dataclass
from pathlib import Path

from setright import __version__
from setright.app.machine import Schema, address
from setright.app.settings import Settings
from setright.kernel.clock import Clock
from setright.storage import backup_postgres, backup_sqlite
from setright.storage.address import Address
from setright.storage.backup import (
    BackupRefused,
    BackupStopped,
    Contents,
    Manifest,
    Progress,
    digest_of,
    new_file,
    read_manifest,
    seal,
    told_rows,
)
from setright.storage.open import schema_version
from setright.storage.version import HEAD, KNOWN

__all__ = [
    "ENGINES",
    "BackupRefused",
    "BackupStopped",
    "Made",
    "Manifest",
    "Progress",
    "back_up",
    "restore",
    "told_rows",
]

ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@dataclass(frozen=True, slots=True)
class Made:
    """A backup: where it is, and what it says of itself."""

    path: Path
    manifest: Manifest


def back_up(settings: Settings, target: Path | None, programs: Path | None, progress: Progress) -> Made:
    """Make a backup at `target`: a new file, or one with the time in its name in a folder or, without any, here.

    It holds everything that was acknowledged before it began. Writers do not wait for it.
    """
    place, now = address(settings), Clock().now()
    if schema_version(place) is None:
        raise BackupRefused("no-ledger", f"There is no ledger in {place.shown}; there is nothing to back up.")
    target = _named(target, now)
    with new_file(target, "db backup") as partial:
        contents, size, digest = _copied(place, partial, target, programs, progress)
        manifest = Manifest(contents, now, __version__, size, digest)
        with partial.open("ab") as file:
            seal(file, manifest)
        progress("Writing to the disk", 0, None)
    return Made(target, manifest)


def _copied(
    place: Address, partial: Path, target: Path, programs: Path | None, progress: Progress
) -> tuple[Contents, int, str]:
    if place.path is None:
        return backup_postgres.copy(place, partial, programs, progress)
    contents = backup_sqlite.copy(place.path, partial, target, progress)
    return contents, *digest_of(partial, progress)


def _named(target: Path | None, now: int) -> Path:
    target = target or Path()
    if target.is_dir():
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now // 1_000_000))
        return target / f"setright-{stamp}.backup"
    if not target.absolute().parent.is_dir():
        raise BackupStopped(
            "no-folder", f"There is no folder {target.absolute().parent}.", "make it, or name another file"
        )
    return target


def restore(
    settings: Settings, source: Path, programs: Path | None, progress: Progress
) -> tuple[Manifest, Schema]:
    """Put a backup into the empty database of `settings`: what it holds, and the schema that it has.

    Whatever is wrong with the backup is found before anything is written.
    """
    manifest, place = read_manifest(source), address(settings)
    what = manifest.contents
    if what.engine != place.engine:
        example = "FILE" if what.engine == "sqlite" else "postgresql://HOST/NAME"
        raise BackupRefused(
            "other-engine",
            f"{source} is a backup of a {ENGINES[what.engine]} ledger, and {place.shown} is {ENGINES[place.engine]}.",
            f"name a database of its kind: --database {example}",
        )
    if what.schema not in KNOWN:
        raise BackupRefused(
            "schema-newer",
            f"{source} has the schema {what.schema}, newer than this version knows ({HEAD}); it was made by "
            f"setright {manifest.setright}.",
            "install that version of setright, or a newer one",
        )
    if place.path is None:
        backup_postgres.restore(source, manifest, place, programs, progress)
    else:
        backup_sqlite.restore(source, manifest, place.path, progress)
    return manifest, Schema(what.schema)
