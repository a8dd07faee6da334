"""Ten threads, a reader that stays, and a second process on the same file: everything is stored."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from setright.kernel.errors import StorageUnavailable
from setright.storage import Snapshot, sqlite
from setright.storage.embedded import EmbeddedStore
from tests.storage import notes
from tests.storage.conftest import Opener

THREADS, EACH = 10, 50

OTHER_PROCESS = """
import sys
from pathlib import Path
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids
from setright.storage.embedded import EmbeddedStore
from tests.storage import notes
store = EmbeddedStore(Path(sys.argv[1]), Clock(), Ids())
print("ready", flush=True)
for number in range(int(sys.argv[2])):
    store.write(notes.add(f"other-{number:03}")).result(60)
print(len(store.read(notes.names).result(60)), flush=True)
store.close()
"""


def write_with_retries(store: EmbeddedStore, name: str, told: list[str]) -> None:
    """Write, and again after an explicit 503, as every client of ours does."""
    for _ in range(20):
        try:
            store.write(notes.add(name)).result(60)
        except StorageUnavailable as trouble:
            told.append(trouble.details["reason"])
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"{name} was refused twenty times")


def write_fifty(store: EmbeddedStore, thread: int, told: list[str]) -> None:
    """The share of one thread."""
    for number in range(EACH):
        write_with_retries(store, f"{thread}-{number:02}", told)


def stay(at: Snapshot, leave: threading.Event) -> tuple[int, int]:
    """Read, stay on the snapshot until told to leave, and read the same again."""
    before = len(notes.names(at))
    leave.wait(60)
    return before, len(notes.names(at))


def test_ten_threads_beside_a_long_reader_and_a_second_process_store_everything(
    path: Path, open_embedded: Opener
) -> None:
    store, told, leave = open_embedded(), list[str](), threading.Event()
    long_reader = store.read(lambda at: stay(at, leave))
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, str(path), "100"], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout
    assert other.stdout.readline() == "ready\n"
    threads = [threading.Thread(target=write_fifty, args=(store, number, told)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert other.wait(60) == 0
    leave.set()
    before, after = long_reader.result(10)
    wanted = {f"{thread}-{number:02}" for thread in range(THREADS) for number in range(EACH)}
    stored = set(store.read(notes.names).result(10))
    assert len(wanted & stored) == THREADS * EACH == 500
    assert stored - wanted == {f"other-{number:03}" for number in range(100)}
    assert before == after, "a reader sees one state, however long it reads"
    assert set(told) <= {"another process holds the write lock"}


def test_readers_never_wait_for_the_writer(store: EmbeddedStore) -> None:
    store.write(notes.add("a")).result(10)
    held = notes.Held(store)
    outcomes: list[Any] = [store.read(notes.names).result(2) for _ in range(8)]
    held.let_go()
    assert outcomes == [["a"]] * 8


def test_the_write_ahead_log_shrinks_back_once_a_long_reader_is_gone(
    path: Path, open_embedded: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOG_BYTES", 1_000_000)
    store, leave, log = open_embedded(), threading.Event(), path.with_name("ledger.db-wal")
    long_reader = store.read(lambda at: stay(at, leave))
    for number in range(30):
        store.write(notes.add(f"large-{number}", "x" * 200_000)).result(10)
    assert log.stat().st_size > 30 * 200_000
    leave.set()
    long_reader.result(10)
    for number in range(3):
        store.write(notes.add(f"small-{number}")).result(10)
    assert log.stat().st_size <= 1_000_000
    assert path.stat().st_size > 30 * 200_000, "what the log held stands in the file"
