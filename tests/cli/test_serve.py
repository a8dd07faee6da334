"""`setright serve` as people start it: the first time, again, and where it must not."""

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from setright.storage import sqlite
from tests.cli.shell import Served, Shell
from tests.support.postgres import Postgres


def test_the_first_start_makes_a_ledger_and_tells_its_token_once(shell: Shell) -> None:
    first = Served(shell)
    try:
        said = "\n".join(first.lines)
        token = (shell.data / "local-token").read_text().strip()
        assert f"Made a ledger: {shell.data / 'ledger.db'}" in said
        assert said.count(token) == 1
        assert said.count("http://") == 1
        listed = shell("project", "list", "--json", SETRIGHT_URL=first.url, SETRIGHT_TOKEN=token).good().json
        assert [project["id"] for project in listed["data"]] == ["default"]
        assert [project["id"] for project in shell("project", "list", "--json").good().json["data"]] == [
            "default"
        ]
    finally:
        assert first.stop() == 0
    second = Served(shell)
    assert len(second.lines) == 1
    assert second.stop() == 0
    assert (shell.data / "local-token").read_text().strip() == token


def test_only_the_owner_can_read_what_it_makes(shell: Shell) -> None:
    server = Served(shell)
    try:
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in shell.data.iterdir()}
        assert {"ledger.db", "ledger.db-wal", "local-token"} <= set(modes)
        assert {mode & 0o077 for name, mode in modes.items() if not name.endswith(".upgrade")} == {0}
        assert stat.S_IMODE(shell.data.stat().st_mode) == 0o700
    finally:
        server.stop()


def test_with_json_it_says_one_document(shell: Shell) -> None:
    server = Served(shell, "--json", "--database", str(shell.folder / "own.db"))
    try:
        (line,) = server.lines
        told = json.loads(line)
        assert told["database"] == str(shell.folder / "own.db")
        assert told["url"] == server.url
        assert Path(told["tokenFile"]).read_text().strip() == told["token"]
    finally:
        assert server.stop() == 0


def test_each_database_has_its_own_token(shell: Shell) -> None:
    for database in ("one.db", "two.db"):
        shell("user", "create", "ada", "--database", database).good()
    assert len(list(shell.data.glob("local-token-*"))) == 2
    again = shell("user", "list", "--json", "--database", str(shell.folder / "one.db")).good()
    assert [user["name"] for user in again.json["data"]] == ["ada", "admin"]


def test_an_open_address_without_tls_is_refused_with_the_reason(shell: Shell) -> None:
    told = shell("serve", "--host", "0.0.0.0", "--port", "0")
    assert told.code == 2
    assert "tokens would travel in the clear" in told.err
    assert "--tls-certificate" in told.err
    assert not shell.data.exists()


def test_more_workers_on_sqlite_are_refused(shell: Shell) -> None:
    told = shell("serve", "--workers", "2")
    assert told.code == 2
    assert "one process" in told.err
    assert "postgresql://" in told.err


def test_a_taken_port_is_told(shell: Shell, served: tuple[str, str]) -> None:
    port = served[0].rpartition(":")[2]
    told = shell("serve", "--port", port)
    assert told.code == 2
    assert f"port {port}" in told.err
    assert "--port" in told.err


def test_an_unsuitable_sqlite_is_refused(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "drivers", lambda: [("sqlite3", sqlite3, (3, 45, 1))])
    told = shell("serve", "--port", "0")
    assert told.code == 2
    assert "3.45.1" in told.err
    assert "pip install pysqlite3" in told.err
    doctor = shell("doctor", "--json")
    assert doctor.code == 1
    found = {finding["name"]: finding for finding in doctor.json["findings"]}
    assert found["SQLite"]["ok"] is False


def test_a_ledger_of_a_newer_version_is_refused(shell: Shell) -> None:
    shell("project", "list").good()
    with closing(sqlite3.connect(shell.data / "ledger.db")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    for command in (["serve"], ["project", "list"], ["db", "upgrade"], ["bootstrap"]):
        told = shell(*command)
        assert told.code == 2
        assert "install a newer setright" in told.err


def test_postgresql_is_upgraded_by_hand_only(shell: Shell, postgres: Postgres) -> None:
    shell.environment["SETRIGHT_DATABASE"] = postgres.new_database()
    for command in (["serve"], ["project", "list"], ["bootstrap"], ["db", "check"]):
        told = shell(*command)
        assert told.code == 2
        assert "setright db upgrade" in told.err
    assert "it is new" in shell("db", "upgrade").good().out
    nobody = shell("project", "list")
    assert (nobody.code, "setright bootstrap" in nobody.err) == (2, True)
    made = shell("bootstrap", "--tenant", "acme", "--project", "shop", "--user", "ada", "--json").good().json
    assert made["token"].startswith("srt_")
    assert [project["id"] for project in shell("project", "list", "--json").good().json["data"]] == ["shop"]
    assert "constraints" in shell("db", "check").good().out
    doctor = shell("doctor", "--json")
    assert doctor.good().json["good"] is True
    assert "password" not in doctor.out


def test_postgresql_without_a_tenant_is_served_with_a_note(shell: Shell, postgres: Postgres) -> None:
    database = postgres.new_database()
    shell("db", "upgrade", "--database", database).good()
    server = Served(shell, "--database", database)
    try:
        assert len(server.lines) == 1
        assert "setright bootstrap" in server.log.read_text()
    finally:
        assert server.stop() == 0
