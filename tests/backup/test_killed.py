"""A backup or a restore that is killed in the middle leaves nothing that could be taken for whole."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from setright.app import machine
from setright.app.settings import Settings
from setright.storage.address import parse
from tests.backup.places import Places, every_row, filled, sound
from tests.backup.test_bad_input import is_untouched

KILLED = """
import os, signal, sys
from pathlib import Path
from setright.app import backups
from setright.app.settings import Settings
what, url, file, programs, step, times = sys.argv[1:]
seen = []
def progress(now, done, total):
    seen.append(now)
    if seen.count(step) == int(times):
        os.kill(os.getpid(), signal.SIGKILL)
getattr(backups, what)(Settings(database=url), Path(file), Path(programs), progress)
"""


def killed_at(places: Places, what: str, url: str, file: Path, step: str, times: int = 1) -> None:
    """Back up or restore in a process that is killed when it reports a step for the so-manieth time."""
    arguments = [what, url, str(file), str(places.programs), step, str(times)]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL


def large(places: Places) -> str:
    """A ledger of some megabytes that no program can make smaller."""
    url = places.with_schema()
    caller = filled(places, url)
    for number in range(4):
        caller.run(f"large-{number}", output=os.urandom(800_000).hex())
    return url


def test_a_killed_backup_leaves_no_backup(places: Places) -> None:
    url, target = large(places), places.folder / "killed"
    killed_at(places, "back_up", url, target, "Copying" if places.engine == "sqlite" else "Dumping")
    assert not target.exists()
    places.back_up(url, "killed")
    assert sound(url)


def test_a_killed_restore_of_a_sqlite_file_leaves_no_file(sqlite_places: Places) -> None:
    url, back = large(sqlite_places), sqlite_places.new()
    made = sqlite_places.back_up(url)
    killed_at(sqlite_places, "restore", back, made.path, "Restoring", 3)
    path = parse(back).path
    assert path is not None
    assert not path.exists()
    assert machine.schema(Settings(database=back)).found is None
    sqlite_places.restore(made.path, back)
    assert every_row(back) == every_row(url)


@pytest.mark.parametrize(("step", "times"), [("Restoring", 1), ("Restoring", 5), ("Finishing", 1)])
def test_a_restore_that_is_killed_on_postgresql_leaves_the_database_empty(
    postgresql_places: Places, step: str, times: int
) -> None:
    url, back = large(postgresql_places), postgresql_places.new()
    made = postgresql_places.back_up(url)
    killed_at(postgresql_places, "restore", back, made.path, step, times)
    _until_free(back)
    assert is_untouched(back)
    assert machine.schema(Settings(database=back)).found is None
    postgresql_places.restore(made.path, back)
    assert every_row(back) == every_row(url)
    assert sound(back)


def test_two_restores_at_once_into_one_database_are_one(postgresql_places: Places) -> None:
    made, back = postgresql_places.back_up(large(postgresql_places)), postgresql_places.new()
    second: list[Exception] = []

    def restore_again(what: str) -> None:
        if what == "Finishing" and not second:
            with pytest.raises(RuntimeError, match=r"Another restore into .* is running") as refused:
                postgresql_places.restore(made.path, back)
            second.append(refused.value)

    postgresql_places.during = restore_again
    postgresql_places.restore(made.path, back)
    assert len(second) == 1
    assert sound(back)


def _until_free(url: str) -> None:
    """Until the program that lost its setright has gone from the server."""
    give_up = time.monotonic() + 20
    with psycopg.connect(url, autocommit=True) as connection:
        while time.monotonic() < give_up:
            others = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            ).fetchone()
            if others == (0,):
                return
            time.sleep(0.05)
    raise AssertionError("somebody is still there")
