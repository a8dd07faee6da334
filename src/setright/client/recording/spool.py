"""The runs that wait on this machine's disk for their server, in a folder that processes share."""

import contextlib
import hashlib
import itertools
import json
import logging
import os
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from setright.client.recording.written import Damaged, WrittenRun, read

_LOCKS: Any = import_module("fcntl") if os.name == "posix" else None
"""The locks of the system, where it has those that end with their process."""
FOLDER = "recorder"
RUN, PART = ".run", ".part"
WAITING, REFUSED, DAMAGED = "waiting", "refused", "damaged"
UNADDRESSED = "no-server"
LEFT_ALONE_SECONDS = 60
MOST_RUNS = 50_000
MOST_BYTES = 1024 * 1024 * 1024

LOG = logging.getLogger("setright.recorder")

_numbers = itertools.count()


class Full(Exception):
    """The folder holds as much as it may; the run was not written."""


@dataclass(frozen=True)
class Bounds:
    """How much waits at most in one folder: runs, and bytes."""

    runs: int = MOST_RUNS
    size: int = MOST_BYTES


def own_folder(environment: Mapping[str, str]) -> Path:
    """The recorder's folder among the user's data, where Setright has its other files."""
    chosen = environment.get("SETRIGHT_DATA_FOLDER")
    if chosen:
        return Path(chosen).expanduser() / FOLDER
    base = environment.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "setright" / FOLDER


def box_name(url: str, token: str) -> str:
    """The folder of what goes to one server by one token: another token may be of another account.

    Neither can be read from it.
    """
    return hashlib.sha256(f"{url}\n{token}".encode()).hexdigest()[:20]


class Box:
    """The runs for one server: a file each, written whole and then renamed, readable by their owner only.

    A name says when its run ended, how many bytes it has and which process wrote it. With `sync` a file is on the
    disk itself before `put` returns, and survives a power cut; without it, it survives the end of the process, however
    that comes. How full it is, a process knows from its last look and its own writes since.
    """

    def __init__(self, folder: Path, bounds: Bounds, *, sync: bool) -> None:
        self.folder = folder
        self.bounds = bounds
        self._sync = sync
        self._runs = 0
        self._size = 0
        self._looked = False
        self._lock = threading.Lock()
        self._sending: int | None = None

    def put(self, run: WrittenRun) -> None:
        """Keep a run; raises `Full`, or OSError where the disk refuses."""
        if not self._looked:
            self.names()
        content = run.lines()
        with self._lock:
            if self._runs >= self.bounds.runs or self._size + len(content) > self.bounds.size:
                raise Full(f"{self._runs} runs of {self._size} bytes wait in {self.folder}")
            self._runs += 1
            self._size += len(content)
        name = f"{time.time_ns():020d}-{len(content)}-{os.getpid()}-{next(_numbers)}{RUN}"
        try:
            self._write(self.folder / WAITING / name, content)
        except BaseException:
            with self._lock:
                self._runs -= 1
                self._size -= len(content)
            raise

    def forked(self) -> None:
        """In a process that was forked off: leave the parent its locks."""
        self._lock = threading.Lock()
        if self._sending is not None:
            os.close(self._sending)
            self._sending = None

    def names(self) -> list[str]:
        """The names of what waits, oldest first."""
        try:
            found = sorted(_names(self.folder / WAITING, RUN))
        except (FileNotFoundError, NotADirectoryError):
            found = []
        with self._lock:
            self._runs, self._size, self._looked = len(found), sum(map(_size, found)), True
        return found

    def read(self, name: str) -> WrittenRun | None:
        """A run that waits; None when another process has sent it, or when it is damaged, which sets it aside."""
        try:
            return read((self.folder / WAITING / name).read_bytes())
        except FileNotFoundError:
            return None
        except Damaged as fault:
            self._set_aside(name, DAMAGED, {"fault": str(fault)})
            return None

    def drop(self, name: str) -> None:
        """The run has arrived."""
        (self.folder / WAITING / name).unlink(missing_ok=True)

    def refuse(self, name: str, answer: Mapping[str, object]) -> None:
        """The server will never take it: set it aside with the answer."""
        self._set_aside(name, REFUSED, answer)

    def set_aside_parts(self) -> None:
        """Put files aside whose writer ended in the middle."""
        oldest = time.time() - LEFT_ALONE_SECONDS
        for part in _found(self.folder / WAITING, PART):
            with contextlib.suppress(FileNotFoundError):
                if part.stat().st_mtime < oldest:
                    self._set_aside(part.name, DAMAGED, {"fault": "its writer ended in the middle"})

    def count(self, kind: str) -> int:
        """How many runs were set aside as `refused` or `damaged`."""
        return sum(1 for _ in _found(self.folder / kind, RUN)) + sum(
            1 for _ in _found(self.folder / kind, PART)
        )

    def take_back(self) -> int:
        """Have what was refused wait again; how many there were."""
        names = [found.name for found in _found(self.folder / REFUSED, RUN)]
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                (self.folder / REFUSED / name).replace(self._inside(WAITING) / name)
                (self.folder / REFUSED / f"{name}.json").unlink(missing_ok=True)
        return len(names)

    def take_from(self, other: "Box") -> None:
        """Take over what waits in another folder."""
        for name in other.names():
            with contextlib.suppress(FileNotFoundError):
                (other.folder / WAITING / name).replace(self._inside(WAITING) / name)

    @contextlib.contextmanager
    def sending(self) -> Generator[bool]:
        """Whether this process may send now: one at a time, and the system frees the place of one that ends.

        Where there are no such locks several may send, which records nothing twice: a run has one id.
        """
        self._inside(WAITING)
        self._sending = place = os.open(self.folder / "sending", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            yield _locked(place)
        finally:
            self._sending = None
            _unlock(place)
            os.close(place)

    def _set_aside(self, name: str, kind: str, why: Mapping[str, object]) -> None:
        place = self._inside(kind) / name
        with contextlib.suppress(FileNotFoundError):
            (self.folder / WAITING / name).replace(place)
            if kind == DAMAGED:
                LOG.warning("A file of the recorder was set aside in %s: %s.", place.parent, why["fault"])
            self._write(place.with_name(f"{name}.json"), json.dumps(why, default=str).encode())

    def _write(self, place: Path, content: bytes) -> None:
        fresh = place.with_name(f"{place.name}{PART}")
        try:
            self._fill(fresh, content)
        except FileNotFoundError:
            self._inside(place.parent.name)
            self._fill(fresh, content)
        fresh.replace(place)
        if self._sync:
            _synced(place.parent)

    def _fill(self, fresh: Path, content: bytes) -> None:
        opened = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(opened, "wb", buffering=0) as file:
                left = memoryview(content)
                while left:
                    left = left[file.write(left) :]
                if self._sync:
                    os.fsync(file.fileno())
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise

    def _inside(self, kind: str) -> Path:
        """One of the folders, made where it is missing; nobody else may look into them."""
        folder = self.folder / kind
        if not folder.is_dir():
            self.folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.folder.mkdir(exist_ok=True, mode=0o700)
            folder.mkdir(exist_ok=True, mode=0o700)
        return folder


def others_waiting(root: Path, own: Path) -> list[Path]:
    """The folders of other servers or tokens in which runs wait."""
    try:
        folders = sorted(root.iterdir())
    except OSError:
        return []
    aside = (own.name, UNADDRESSED)
    return [one for one in folders if one.name not in aside and next(_found(one / WAITING, RUN), None)]


def _found(folder: Path, ending: str) -> Iterator[Path]:
    try:
        yield from (folder / name for name in _names(folder, ending))
    except (FileNotFoundError, NotADirectoryError):
        return


def _names(folder: Path, ending: str) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.name.endswith(ending)]


def _size(name: str) -> int:
    size = name.split("-", 2)[1:2]
    return int(size[0]) if size and size[0].isdecimal() else 0


def _locked(place: int) -> bool:
    if _LOCKS is not None:
        try:
            _LOCKS.flock(place, _LOCKS.LOCK_EX | _LOCKS.LOCK_NB)
        except OSError:
            return False
    return True


def _unlock(place: int) -> None:
    """Also for the copy that a process has which was forked off meanwhile."""
    if _LOCKS is not None:
        _LOCKS.flock(place, _LOCKS.LOCK_UN)


def _synced(folder: Path) -> None:
    """Have the name of a file on the disk too, where folders can be opened for that."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
