"""PostgreSQL's own programs: which are needed, that nobody sees a password, and what is told when one fails."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from setright.app import machine
from setright.app.backups import BackupStopped
from setright.app.settings import Settings
from setright.faces.cli.failures import explain
from setright.storage.programs import Target, find
from tests.backup.places import Places, every_row, filled, sound
from tests.backup.test_bad_input import is_untouched, resealed
from tests.support.postgres import Postgres

WRAPPER = """#!{python}
import json, os, sys
with open({seen!r}, "a") as file:
    file.write(json.dumps([sys.argv, dict(os.environ)]) + "\\n")
{before}
os.execv({program!r}, [{program!r}, *sys.argv[1:]])
"""


def wrapped(places: Places, name: str, before: str = "") -> Path:
    """Have a program do something before the real one runs, and note how it was called; where that is noted."""
    folder = places.folder / "programs"
    folder.mkdir(exist_ok=True)
    seen = places.folder / "seen"
    for program in ("pg_dump", "pg_restore"):
        real, ours = str(places.programs / program), before if program == name else ""
        text = WRAPPER.format(python=sys.executable, seen=str(seen), program=real, before=ours)
        (folder / program).write_text(text)
        (folder / program).chmod(0o755)
    places.programs = folder
    return seen


@pytest.fixture
def locked(postgres: Postgres, postgresql_places: Places) -> Iterator[str]:
    """A new database that lets in its owner with a password only."""
    url = postgresql_places.new()
    rules = postgres.folder / "pg_hba.conf"
    before = rules.read_text()
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"CREATE ROLE own_{name} LOGIN PASSWORD 'se cret''s'".encode())
        connection.execute(f"ALTER DATABASE {name} OWNER TO own_{name}".encode())
        rules.write_text(f"local all own_{name} scram-sha-256\n{before}")
        connection.execute("SELECT pg_reload_conf()")
    yield url.replace("postgres:@", f"own_{name}:se%20cret's@")
    rules.write_text(before)


def test_a_password_goes_through_the_environment_only(postgresql_places: Places, locked: str) -> None:
    seen, back = wrapped(postgresql_places, "pg_dump"), postgresql_places.new()
    machine.upgrade(Settings(database=locked))
    made = postgresql_places.back_up(locked)
    calls = [json.loads(line) for line in seen.read_text().splitlines()]
    assert all("cret" not in " ".join(arguments) for arguments, _ in calls)
    (dump,) = [environment for arguments, environment in calls if "--format=custom" in arguments]
    assert dump["PGPASSWORD"] == "se cret's"
    assert b"cret's" not in made.path.read_bytes()
    postgresql_places.restore(made.path, back)
    assert every_row(back) == every_row(locked)


def test_a_wrong_password_is_told_without_showing_it(postgresql_places: Places, locked: str) -> None:
    with pytest.raises(psycopg.OperationalError) as refused:
        postgresql_places.back_up(locked.replace("se%20cret's", "guessed"))
    stop = explain(refused.value)
    assert stop.code == 2
    assert "password authentication failed" in stop.message
    assert "guessed" not in stop.message


def test_a_secret_that_has_no_other_way_is_not_put_where_others_see_it() -> None:
    with pytest.raises(BackupStopped, match="sslpassword") as stopped:
        Target("postgresql://ada@db/ledger?sslpassword=hush")
    assert "hush" not in str(stopped.value)
    assert "service" in stopped.value.advice[0]


def older(places: Places) -> Path:
    """Programs of an earlier PostgreSQL than the server is."""
    folder = places.programs.parent.parent / "pginstall" / "bin"
    assert find("pg_dump", folder).major < find("pg_dump", places.programs).major
    return folder


def test_a_pg_dump_older_than_the_server_is_told_before_anything_is_done(postgresql_places: Places) -> None:
    url = postgresql_places.with_schema()
    postgresql_places.programs = older(postgresql_places)
    with pytest.raises(BackupStopped, match="must be as new as the server") as stopped:
        postgresql_places.back_up(url, "none")
    assert stopped.value.code == "tool-too-old"
    assert any("--pg-bin" in step for step in stopped.value.advice)
    assert list(postgresql_places.folder.glob("none*")) == []


def test_a_pg_restore_older_than_the_dump_is_told_before_anything_is_done(postgresql_places: Places) -> None:
    made, back = postgresql_places.back_up(postgresql_places.with_schema()), postgresql_places.new()
    postgresql_places.programs = older(postgresql_places)
    with pytest.raises(BackupStopped, match="which it cannot read") as stopped:
        postgresql_places.restore(made.path, back)
    assert stopped.value.code == "tool-too-old"
    assert is_untouched(back)


FAILURES = {
    "it complains": (
        "print('pg_x: error: the moon is full', file=sys.stderr); sys.exit(3)",
        "the moon is full",
    ),
    "it says nothing": ("sys.exit(3)", "it said nothing"),
    "it is killed": ("os.kill(os.getpid(), 9)", "ended by the signal 9"),
    "it stops half way": ("os.write(1, b'PGDMP half'); sys.exit(1)", r"failed \(1\)"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_program_that_fails_leaves_nothing(postgresql_places: Places, failure: str) -> None:
    places, (does, says) = postgresql_places, FAILURES[failure]
    url, back = places.with_schema(), places.new()
    filled(places, url)
    made = places.back_up(url)
    working = places.programs
    only_then = f"if '--version' not in sys.argv: {does}"
    wrapped(places, "pg_dump", only_then)
    with pytest.raises(BackupStopped, match=says) as stopped:
        places.back_up(url, "none")
    assert stopped.value.code == "tool-failed"
    assert list(places.folder.glob("none*")) == []
    places.programs = working
    wrapped(places, "pg_restore", only_then)
    with pytest.raises(BackupStopped, match=says):
        places.restore(made.path, back)
    assert is_untouched(back)
    places.programs = working
    places.restore(made.path, back)
    assert sound(back)


def test_what_a_newer_program_sets_and_an_older_server_does_not_know_is_left_out(
    postgresql_places: Places,
) -> None:
    made, back = postgresql_places.back_up(postgresql_places.with_schema()), postgresql_places.new()
    strange = "if '--version' not in sys.argv: os.write(1, b'SET no_such_setting = 0;\\n')"
    wrapped(postgresql_places, "pg_restore", strange)
    postgresql_places.restore(made.path, back)
    assert sound(back)


def test_what_the_server_refuses_is_told_and_nothing_is_kept(postgresql_places: Places) -> None:
    made, back = postgresql_places.back_up(postgresql_places.with_schema()), postgresql_places.new()
    broken = (
        "if '--version' not in sys.argv: os.write(1, b'CREATE TABLE half (a int);\\nSELECT nonsense;\\n')"
    )
    wrapped(postgresql_places, "pg_restore", broken)
    with pytest.raises(BackupStopped, match=r"could not take the backup .*nonsense") as stopped:
        postgresql_places.restore(made.path, back)
    assert stopped.value.code == "restore-failed"
    assert is_untouched(back)


def test_other_rows_than_the_manifest_says_are_not_kept(postgresql_places: Places) -> None:
    made, back = postgresql_places.back_up(postgresql_places.with_schema()), postgresql_places.new()
    resealed(made.path, rows={**made.manifest.contents.rows, "runs": 7})
    with pytest.raises(BackupStopped, match=r"is not what was backed up: .* instead of 7 runs") as stopped:
        postgresql_places.restore(made.path, back)
    assert stopped.value.code == "restore-differs"
    assert is_untouched(back)


def test_a_program_that_says_no_version_is_told(postgresql_places: Places) -> None:
    wrapped(postgresql_places, "pg_dump", "sys.exit('what?')")
    with pytest.raises(BackupStopped, match="does not say its version"):
        postgresql_places.back_up(postgresql_places.with_schema())


def with_own_schema(places: Places) -> str:
    """A new database that makes its tables in a schema of its own, whose name must be quoted."""
    url = places.new()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute('CREATE SCHEMA "My own.*"')
        connection.execute(f'ALTER DATABASE {connection.info.dbname} SET search_path = "My own.*"'.encode())
    return url


def test_tables_of_another_schema_are_told(postgresql_places: Places) -> None:
    made, back = (
        postgresql_places.back_up(postgresql_places.with_schema()),
        with_own_schema(postgresql_places),
    )
    with pytest.raises(BackupStopped, match=r"are in the schema public, and .* makes tables in My own"):
        postgresql_places.restore(made.path, back)
    assert is_untouched(back)


def test_a_ledger_in_a_schema_of_its_own_comes_back_into_it(postgresql_places: Places) -> None:
    places = postgresql_places
    url, back = with_own_schema(places), with_own_schema(places)
    machine.upgrade(Settings(database=url))
    caller = filled(places, url)
    places.restore(places.back_up(url).path, back)
    assert places.again(caller, back).get("/v1/runs").content == caller.get("/v1/runs").content
    assert sound(back)
