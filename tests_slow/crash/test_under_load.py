"""The database is full, stopped, locked or away while callers go on: 503 with Retry-After, and then all is as it was."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.crash.load import Book, Figures, Load, hold_to_account
from tests.crash.program import Program
from tests.crash.rounds import report
from tests.storage.test_locked_or_full import lock_held_elsewhere
from tests.support.ledger import sqlite_url
from tests.support.postgres import Postgres

pytestmark = pytest.mark.timeout(600)


@contextmanager
def serving(program: Program) -> Iterator[Program]:
    """The server while it runs."""
    program.start()
    try:
        yield program
        assert program.stop() == 0
    finally:
        program.kill()


def through(program: Program, trouble: Callable[[], None], name: str) -> Figures:
    """A load before, during and after some trouble, and the account."""
    book = Book.open(program.wire())
    load = Load(program.wire(), book, 1)
    time.sleep(0.5)
    trouble()
    time.sleep(1)
    after = len([sent for sent in book.sent if sent.answer is not None])
    time.sleep(1.5)
    figures = load.stop()
    assert figures.acknowledged > after, "callers are answered again without a restart"
    figures.add(hold_to_account(program.wire(), book))
    report(name, figures)
    assert figures.refused > 0
    return figures


def test_the_database_is_stopped_and_started(tmp_path: Path, server: Postgres) -> None:
    def trouble() -> None:
        server.interrupt()
        time.sleep(12)
        server.resume()
        time.sleep(5)

    with serving(Program(tmp_path, server.new_database())) as program:
        through(program, trouble, "postgresql stopped for twelve seconds")


def test_another_process_holds_the_write_lock(tmp_path: Path) -> None:
    with serving(Program(tmp_path, sqlite_url(tmp_path))) as program:

        def trouble() -> None:
            with lock_held_elsewhere(tmp_path / "ledger.db"):
                time.sleep(8)

        through(program, trouble, "sqlite locked for eight seconds")


def test_the_file_is_moved_away_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with serving(Program(tmp_path, sqlite_url(tmp_path))) as program:

        def trouble() -> None:
            for _ in range(10):
                away = path.rename(tmp_path / "elsewhere.db")
                time.sleep(0.2)
                away.rename(path)
                time.sleep(0.1)

        through(program, trouble, "sqlite moved away ten times")


DISK = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
        'mount -t tmpfs -o size=24m tmpfs "$0" && exec "$@"')  # fmt: skip
"""A disk of twenty-four megabytes in a namespace of its own; the words after it are its folder and a command."""


def test_the_disk_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    program = Program(tmp_path, f"sqlite:///{disk / 'ledger.db'}", (*DISK, str(disk)))
    with serving(program):
        seen = Path(f"/proc/{program.pid}/root{disk}")
        assert (seen / "ledger.db").exists()

        def trouble() -> None:
            with (seen / "filler").open("wb", buffering=0) as filler:
                for size in (64 * 1024, 4096):
                    fill_up(filler.write, b"\0" * size)
                time.sleep(3)
                fill_up(filler.write, b"\0" * 4096)
                time.sleep(3)
            (seen / "filler").unlink()

        through(program, trouble, "sqlite on a full disk")


def fill_up(write: Callable[[bytes], int | None], block: bytes) -> None:
    """Write until nothing more fits."""
    try:
        while write(block) == len(block):
            pass
    except OSError:
        return


def test_a_server_that_is_told_to_stop_answers_everything_that_it_accepted(tmp_path: Path) -> None:
    program, whole = Program(tmp_path, sqlite_url(tmp_path)), Figures()
    program.start()
    book = Book.open(program.wire())
    for seed in range(5):
        load = Load(program.wire(), book, seed)
        time.sleep(0.4)
        assert program.stop() == 0
        whole.add(load.stop())
        program.start()
        whole.add(hold_to_account(program.wire(), book))
    program.kill()
    report("sqlite stopped gracefully five times", whole)
    assert whole.done_unanswered == 0


def test_a_server_that_is_frozen_and_goes_on_loses_nothing(tmp_path: Path) -> None:
    """The process is frozen in the middle of its work, as a laptop that sleeps does, and goes on."""
    with serving(Program(tmp_path, sqlite_url(tmp_path))) as program:
        book = Book.open(program.wire())
        load = Load(program.wire(), book, 7)
        for _ in range(5):
            time.sleep(0.3)
            os.kill(program.pid, signal.SIGSTOP)
            time.sleep(0.5)
            os.kill(program.pid, signal.SIGCONT)
        figures = load.stop()
        figures.add(hold_to_account(program.wire(), book))
        report("sqlite frozen five times", figures)
