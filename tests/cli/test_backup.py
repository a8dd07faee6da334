"""`db backup` and `db restore` as commands: what they print, how they end, and that a server goes on meanwhile."""

import json
from pathlib import Path

from tests.backup.places import Places
from tests.cli.shell import Served, Shell
from tests.cli.test_machine import RUN


def corrected(shell: Shell) -> str:
    """A ledger with one run and its correction; the correction's id."""
    shell("runs", "add", "-", stdin=json.dumps(RUN)).good()
    return shell("corrections", "add", "run-1", "--answer", "right", "--json").good().json["id"]


def test_a_ledger_is_backed_up_lost_and_restored(shell: Shell) -> None:
    made = corrected(shell)
    told = shell("db", "backup", "safe").good()
    assert "Backed up" in told.out
    assert "1 correction, 1 run" in told.out
    assert "SQLite online backup" in told.out
    assert "token's file is not part of it" in told.err
    (shell.data / "ledger.db").unlink()
    back = shell("db", "restore", "safe").good()
    assert "Restored safe into" in back.out
    assert "1 correction, 1 run" in back.out
    assert "setright bootstrap makes one" in back.err
    assert shell("corrections", "show", made, "--json").good().json["id"] == made
    assert shell("db", "check").good()


def test_json_is_one_document(shell: Shell) -> None:
    corrected(shell)
    told = shell("db", "backup", "--json").good().json
    assert (told["engine"], told["rows"]["corrections"]) == ("sqlite", 1)
    assert Path(told["backup"]).stat().st_size > told["bytes"]
    back = shell("db", "restore", told["backup"], "--database", "other.db", "--json").good().json
    assert (back["sha256"], back["upgradeNeeded"]) == (told["sha256"], False)
    again = shell("db", "restore", told["backup"], "--database", "other.db", "--json")
    assert (again.code, again.json["error"]["code"]) == (1, "target-not-empty")


def test_a_no_is_one_and_what_could_not_be_done_is_two(shell: Shell) -> None:
    corrected(shell)
    shell("db", "backup", "safe").good()
    taken = shell("db", "backup", "safe")
    assert (taken.code, taken.err.splitlines()[-1]) == (1, "> name another file")
    assert shell("db", "restore", "nowhere", "--database", "other.db").code == 2
    assert shell("db", "backup", "nowhere/safe").code == 2
    Path("letter").write_text("hello")
    assert shell("db", "restore", "letter", "--database", "other.db").code == 1


def test_a_server_goes_on_while_its_ledger_is_backed_up(shell: Shell) -> None:
    corrected(shell)
    server = Served(shell)
    try:
        told = shell.outside("db", "backup", "safe", "--json").good().json
        token = (shell.data / "local-token").read_text().strip()
        over = {"SETRIGHT_URL": server.url, "SETRIGHT_TOKEN": token}
        shell("corrections", "add", "run-1", "--answer", "right", **over).good()
    finally:
        assert server.stop() == 0
    assert told["rows"]["corrections"] == 1
    shell("db", "restore", "safe", "--database", "other.db").good()


def test_a_limit_on_the_size_of_files_is_told(shell: Shell) -> None:
    corrected(shell)
    limited = ["sh", "-c", 'ulimit -f 100; exec "$@"', "sh"]
    told = shell.outside("db", "backup", "safe", prefix=limited)
    assert told.code == 2
    assert "ulimit -f" in told.err
    assert "nothing is left" in told.err
    assert list(shell.folder.glob("*safe*")) == []


def test_postgresql_through_its_own_programs(shell: Shell, postgresql_places: Places) -> None:
    url, back = postgresql_places.new(), postgresql_places.new()
    shell.environment["SETRIGHT_DATABASE"] = url
    shell("db", "upgrade").good()
    shell("bootstrap").good()
    corrected(shell)
    programs = postgresql_places.programs
    told = shell("db", "backup", "safe", "--pg-bin", programs).good()
    assert "pg_dump 1" in told.out
    missing = shell("db", "backup", "other", "--pg-bin", shell.folder)
    assert missing.code == 2
    assert f"There is no pg_dump in {shell.folder}" in missing.err
    assert "--pg-bin DIR" in missing.err
    assert "postgresql-client" in missing.err
    nowhere = shell("db", "backup", "other", PATH="")
    assert "There is no pg_dump on the search path (PATH)" in nowhere.err
    shell("db", "restore", "safe", "--database", back, "--pg-bin", programs).good()
    shell.environment["SETRIGHT_DATABASE"] = back
    assert shell("db", "check").good()
    token = shell("bootstrap", "--json").good().json
    assert token["made"] == "token", "the file of the token is kept for each database"
    assert len(shell("corrections", "list", "--json").good().json["data"]) == 1
