"""Another process that holds the write lock, a full disk, a file that cannot be written: 503, then all is well again."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from setright.kernel.clock import Clock
from setright.kernel.errors import StorageUnavailable
from setright.kernel.ids import Ids
from setright.storage import sqlite
from setright.storage.embedded import EmbeddedStore
from setright.storage.sqlite import connect
from tests.storage import notes
from tests.storage.conftest import Opener
from tests.storage.notes import Held

HOLDER = """
import sys
from pathlib import Path
from setright.storage.sqlite import connect
connection = connect(Path(sys.argv[1]))
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
connection.execute("ROLLBACK")
"""


@contextmanager
def lock_held_elsewhere(path: Path) -> Iterator[None]:
    """Another process holds the write lock of the file."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin
    assert holder.stdout
    try:
        assert holder.stdout.readline() == "held\n"
        yield
    finally:
        holder.stdin.close()
        holder.wait(10)
        holder.stdout.close()


def reason_of(outcome: Any) -> str:
    """Why a future was refused with 503."""
    trouble = outcome.exception(30)
    assert isinstance(trouble, StorageUnavailable)
    assert trouble.retry_after
    return trouble.details["reason"]


def test_a_lock_held_for_longer_than_five_seconds_is_told_and_ends_by_itself(
    path: Path, store: EmbeddedStore
) -> None:
    with lock_held_elsewhere(path):
        started = time.monotonic()
        first = store.write(notes.add("first"))
        while store.figures()["write_queue_depth"]:
            time.sleep(0.01)
        later = [store.write(notes.add(f"later {number}")) for number in range(20)]
        assert store.read(notes.names).result(2) == []
        assert reason_of(first) == "another process holds the write lock"
        assert 4 < time.monotonic() - started < 8
        assert {reason_of(future) for future in later} == {"another process holds the write lock"}
        assert time.monotonic() - started < 14
    assert store.write(notes.add("after")).result(10) == "after"
    assert store.read(notes.names).result(10) == ["after"]


def test_a_lock_held_for_a_moment_is_waited_for(path: Path, store: EmbeddedStore) -> None:
    with lock_held_elsewhere(path):
        waiting = store.write(notes.add("a"))
        time.sleep(0.3)
        assert not waiting.done()
    assert waiting.result(10) == "a"


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every connection opened from now on may add no page to its file (SQLite says SQLITE_FULL, as on a full disk)."""
    plain = sqlite.connect

    def connect_to_full(path: Path, *, read_only: bool = False) -> Any:
        connection = plain(path, read_only=read_only)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "connect", connect_to_full)
        yield


def test_on_a_full_disk_what_still_fits_is_kept_and_the_rest_is_told(
    open_embedded: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    with full_disk(monkeypatch):
        store = open_embedded()
        held = Held(store)
        small = [store.write(notes.add(f"small {number}")) for number in range(2)]
        large = store.write(notes.add("large", "x" * 100_000))
        more = store.write(notes.add("small 2"))
        held.let_go()
        assert reason_of(large) == "the disk is full"
        assert [future.result(10) for future in (*small, more)] == ["small 0", "small 1", "small 2"]
        assert store.read(notes.names).result(10) == ["small 0", "small 1", "small 2"]
        assert reason_of(store.write(notes.add("large", "x" * 100_000))) == "the disk is full"
    assert store.write(notes.add("large", "x" * 100_000)).result(10) == "large"


READ_ONLY = """
import os, sys
from pathlib import Path
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids
from setright.storage.embedded import EmbeddedStore
from tests.storage import notes
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
store = EmbeddedStore(Path(sys.argv[1]), Clock(), Ids())
print(repr(store.write(notes.add("b")).exception(20)))
print(store.read(notes.names).result(20))
sys.stdin.readline()
print(store.write(notes.add("b")).result(20))
store.close()
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter, so that a user with fewer rights can be asked."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def test_a_file_that_may_not_be_written_is_told_read_and_written_again_later(
    empty_ledger: Path, open_folder: Path
) -> None:
    path = Path(shutil.copy(empty_ledger, open_folder / "ledger.db"))
    store = EmbeddedStore(path, Clock(), Ids())
    store.write(notes.add("a")).result(10)
    for file in open_folder.iterdir():
        file.chmod(0o444 if file == path else 0o666)
    command = [sys.executable, "-u", "-c", READ_ONLY, str(path)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout
    assert "the file is read-only" in other.stdout.readline()
    assert other.stdout.readline() == "['a']\n"
    path.chmod(0o666)
    written, _ = other.communicate("go\n", timeout=30)
    store.close()
    assert written == "b\n"
    assert notes.in_file(path) == ["a", "b"]


def test_a_file_that_is_no_database_is_told(path: Path, open_embedded: Opener) -> None:
    path.write_bytes(b"this is a letter to a friend, not a database" * 100)
    store = open_embedded()
    assert reason_of(store.write(notes.add("a"))) == "the file is not a database"
    assert reason_of(store.read(notes.names)) == "the file is not a database"


def test_a_file_without_a_ledger_is_told(path: Path, open_embedded: Opener) -> None:
    path.unlink()
    connection = connect_new(path)
    connection.close()
    store = open_embedded()
    assert reason_of(store.write(notes.add("a"))) == "the file has no ledger in it"
    assert reason_of(store.read(notes.names)) == "the file has no ledger in it"


def connect_new(path: Path) -> Any:
    """A connection to a new, empty file."""
    path.touch()
    return connect(path)
