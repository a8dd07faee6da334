"""A backup as one file: a copy that the engine's own tools can read, then a manifest of it, then a footer."""

import errno
import hashlib
import os
import secrets
import struct
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from setright.kernel import json
from setright.kernel.clock import from_wire, to_wire
from setright.storage.sql import EngineName

FORMAT = 1
MAGIC = b"\x00setright-backup"
CHUNK = 1024 * 1024
_FOOTER = struct.Struct(">Q32s16s")
_MOST_MANIFEST = 1024 * 1024
_NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
_TOLD = ("corrections", "runs", "events", "projects", "users", "tokens", "tenants")
_HEADS = {b"SQLite format 3\0": "a SQLite file", b"PGDMP": "a dump of PostgreSQL"}

Progress = Callable[[str, int, int | None], None]
"""What is being done, how much of it is done, and how much there is, None where nobody knows."""


class BackupStopped(RuntimeError):
    """Why a backup or a restore could not be done; `code` is stable, `advice` is what to do next."""

    def __init__(self, code: str, message: str, *advice: str) -> None:
        super().__init__(message)
        self.code = code
        self.advice = advice


class BackupRefused(BackupStopped):
    """It could be looked at, and the answer is no: a file that is no backup, a target that is taken."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a copy of a database holds: `tool` made it, `namespace` is the PostgreSQL schema of its tables."""

    engine: EngineName
    engine_version: str
    tool: str
    schema: str
    rows: Mapping[str, int]
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands behind the copy: its contents, when and by which setright it was made, its size and its SHA-256."""

    contents: Contents
    created_at: int
    setright: str
    size: int
    sha256: str

    def document(self) -> dict[str, Any]:
        """The manifest as it is written."""
        what = self.contents
        return {
            "format": FORMAT,
            "createdAt": to_wire(self.created_at),
            "setright": self.setright,
            "engine": what.engine,
            "engineVersion": what.engine_version,
            "tool": what.tool,
            "schema": what.schema,
            **({} if what.namespace is None else {"namespace": what.namespace}),
            "bytes": self.size,
            "sha256": self.sha256,
            "rows": dict(sorted(what.rows.items())),
        }


def seal(file: BinaryIO, manifest: Manifest) -> None:
    """Write the manifest and the footer behind the copy, at whose end `file` stands."""
    text = json.write(manifest.document())
    file.write(text)
    file.write(_FOOTER.pack(len(text), hashlib.sha256(text).digest(), MAGIC))


def read_manifest(source: Path) -> Manifest:
    """The manifest of a backup, held against its own hash; refuses a file that is none, is cut off or damaged."""
    with source.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _FOOTER.size))
        footer = file.read(_FOOTER.size)
        if len(footer) < _FOOTER.size or not footer.endswith(MAGIC):
            file.seek(0)
            raise _no_backup(source, file.read(16))
        length, digest, _ = _FOOTER.unpack(footer)
        if length > min(_MOST_MANIFEST, size - _FOOTER.size):
            raise damaged(source)
        file.seek(size - _FOOTER.size - length)
        text = file.read(length)
    if hashlib.sha256(text).digest() != digest:
        raise damaged(source)
    try:
        manifest = _manifest(source, cast("dict[str, Any]", json.read_stored(text.decode())))
    except (KeyError, TypeError, ValueError):
        raise damaged(source) from None
    if manifest.size + length + _FOOTER.size != size:
        raise damaged(source)
    return manifest


def _manifest(source: Path, told: Mapping[str, Any]) -> Manifest:
    if told["format"] > FORMAT:
        raise BackupRefused(
            "backup-newer",
            f"{source} was made by setright {told['setright']} in a form that this version does not know.",
            "install that version of setright, or a newer one",
        )
    contents = Contents(
        told["engine"],
        told["engineVersion"],
        told["tool"],
        told["schema"],
        dict(told["rows"]),
        told.get("namespace"),
    )
    return Manifest(contents, from_wire(told["createdAt"]), told["setright"], told["bytes"], told["sha256"])


def copy_in(source: Path, manifest: Manifest, progress: Progress, what: str) -> Iterator[bytes]:
    """The copy in a backup, piece by piece; after the last piece it refuses a copy that is not what was sealed."""
    digest, done = hashlib.sha256(), 0
    with source.open("rb") as file:
        while done < manifest.size:
            piece = file.read(min(CHUNK, manifest.size - done))
            if not piece:
                break
            digest.update(piece)
            done += len(piece)
            progress(what, done, manifest.size)
            yield piece
    if digest.hexdigest() != manifest.sha256:
        raise damaged(source)


def digest_of(path: Path, progress: Progress) -> tuple[int, str]:
    """The size and the SHA-256 of a file."""
    digest, done, size = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            digest.update(piece)
            done += len(piece)
            progress("Summing up", done, size)
    return done, digest.hexdigest()


def damaged(source: Path) -> BackupRefused:
    """What is said of a backup whose bytes are not those that were written."""
    return BackupRefused(
        "backup-damaged",
        f"{source} is damaged: its bytes are not those that were written when it was made. Nothing was restored.",
        "take another copy of this backup, or an earlier backup",
    )


def _no_backup(source: Path, head: bytes) -> BackupRefused:
    kind = next((name for start, name in _HEADS.items() if head.startswith(start)), None)
    if kind is None:
        return BackupRefused(
            "no-backup",
            f"{source} is no backup: it has neither the beginning nor the end of one. Nothing was restored.",
            "setright db backup makes one",
        )
    return BackupRefused(
        "no-backup",
        f"{source} is {kind} without the manifest of a backup: a backup that was cut off, or a file that another "
        "tool made. Nothing was restored.",
        "take another copy of the backup, or an earlier one",
        "a whole SQLite ledger that you copied yourself is put back by copying it to its place while nothing runs",
    )


@contextmanager
def new_file(target: Path, what: str, *, empty_is_free: bool = False) -> Generator[Path]:
    """A file under a temporary name beside `target`, for its owner only, that becomes `target` when all went well.

    A target that is there is never written over, also one that comes meanwhile; after a failure nothing is left.
    """
    _refuse_taken(target, what, empty_is_free=empty_is_free)
    partial = target.with_name(f"{target.name}.partial-{secrets.token_hex(4)}")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield partial
        sync(partial)
        _put(partial, target, what, empty_is_free=empty_is_free)
        sync(target.absolute().parent)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise no_room(target, str(error.strerror)) from error
        raise
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            partial.with_name(partial.name + end).unlink(missing_ok=True)


def no_room(target: Path, reason: str) -> BackupStopped:
    """What is said when the disk of `target` takes no more."""
    return BackupStopped(
        "no-room",
        f"{target} could not be written ({reason}); nothing is left of it.",
        "make room on that disk, or name another place",
    )


def _refuse_taken(target: Path, what: str, *, empty_is_free: bool) -> None:
    if not os.path.lexists(target):
        return
    if empty_is_free and target.is_file() and target.stat().st_size == 0:
        return
    raise BackupRefused(
        "target-exists", f"{target} is there already, and {what} writes over nothing.", "name another file"
    )


def _put(partial: Path, target: Path, what: str, *, empty_is_free: bool) -> None:
    """Give the file its name, which is claimed first, so that a file that came meanwhile is seen."""
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        _refuse_taken(target, what, empty_is_free=empty_is_free)
    partial.replace(target)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk before going on."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def told_rows(rows: Mapping[str, int]) -> str:
    """How much a database holds, in words: of a ledger what people put there, of another database its tables."""
    if "alembic_version" not in rows:
        names = sorted(rows)
        return f"{len(names)} tables that are no ledger: {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"
    told = [f"{count:,} {name if count > 1 else name[:-1]}" for name in _TOLD if (count := rows.get(name, 0))]
    return ", ".join(told) or "a ledger's tables without rows"
