"""What whoever holds the database may do here: bootstrap, tenants, upgrade, check and doctor."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from setright.app import machine
from setright.storage import sqlite
from setright.storage.version import HEAD
from tests.cli.shell import Shell

RUN = {
    "id": "run-1",
    "projectId": "default",
    "subject": {"kind": "agent", "id": "support", "version": "v1"},
    "input": "x",
    "output": "y",
    "status": "completed",
}


def change(shell: Shell, statement: str) -> None:
    """Change the database behind the back of the product."""
    with closing(sqlite.connect(shell.data / "ledger.db")) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute(statement)


def findings(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {finding["name"]: finding for finding in told["findings"]}


def test_bootstrap_makes_everything_once(shell: Shell) -> None:
    first = shell("bootstrap").good()
    token = (shell.data / "local-token").read_text().strip()
    assert first.out.count(token) == 1
    second = shell("bootstrap", "--json").good().json
    assert second["made"] == "nothing"
    assert "token" not in second
    assert (shell.data / "local-token").read_text().strip() == token


@pytest.mark.parametrize("lost", ["", "srt_nope"])
def test_bootstrap_replaces_a_lost_token(shell: Shell, lost: str) -> None:
    shell("bootstrap").good()
    file = shell.data / "local-token"
    file.unlink()
    if lost:
        file.write_text(lost)
    told = shell("project", "list")
    assert (told.code, "setright bootstrap" in told.err) == (2, True)
    again = shell("bootstrap", "--json").good().json
    assert (again["made"], again["user"]) == ("token", "admin")
    assert file.read_text().strip() == again["token"]
    assert file.stat().st_mode & 0o077 == 0
    shell("project", "list").good()


def test_bootstrap_makes_no_second_tenant(shell: Shell) -> None:
    shell("bootstrap").good()
    told = shell("bootstrap", "--tenant", "acme")
    assert told.code == 1
    assert "setright tenant create acme" in told.err


def test_tenants_are_apart(shell: Shell) -> None:
    shell("bootstrap").good()
    made = shell("tenant", "create", "acme", "--user", "ada", "--project", "shop", "--json").good().json
    assert made["token"]["secret"].startswith("srt_")
    assert [tenant["name"] for tenant in shell("tenant", "list", "--json").good().json["data"]] == [
        "local",
        "acme",
    ]
    taken = shell("tenant", "create", "acme")
    assert (taken.code, "tenant-exists" in taken.err) == (1, True)
    assert "acme" in shell("tenant", "list").good().out
    assert "shop" not in shell("project", "list").good().out


def test_a_name_that_is_none_is_refused_with_its_place(shell: Shell) -> None:
    told = shell("bootstrap", "--project", "no spaces")
    assert told.code == 1
    assert "1 to 64" in told.err
    shell("bootstrap").good()


def test_upgrade_says_what_it_did(shell: Shell) -> None:
    assert "it is new" in shell("db", "upgrade").good().out
    assert "already" in shell("db", "upgrade").good().out
    told = shell("db", "upgrade", "--json").good().json
    assert told["before"] == told["now"]


def test_an_old_ledger_is_upgraded_where_that_was_asked_for(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell("bootstrap").good()
    change(shell, "UPDATE alembic_version SET version_num = '0000'")

    def to_head(_url: str) -> None:
        change(shell, f"UPDATE alembic_version SET version_num = '{HEAD}'")

    monkeypatch.setattr(machine, "create_or_upgrade", to_head)
    monkeypatch.setattr(machine, "KNOWN", ("0000", HEAD))
    monkeypatch.setattr("setright.storage.open.KNOWN", ("0000", HEAD))
    for command in (["project", "list"], ["bootstrap"], ["db", "check"]):
        told = shell(*command)
        assert (told.code, "run `setright db upgrade`" in told.err) == (2, True)
    assert findings(shell("doctor", "--json").json)["database"]["fix"] == "setright db upgrade"
    told = shell("db", "upgrade", "--json").good().json
    assert (told["before"], told["now"]) == ("0000", HEAD)
    assert told["copy"] == f"{shell.data / 'ledger.db'}.before-{HEAD}"
    change(shell, "UPDATE alembic_version SET version_num = '0000'")
    monkeypatch.setattr("setright.faces.cli.serve.serve_over_network", lambda app, _ready: app.close())
    assert "Upgraded the ledger" in shell("serve", "--port", "0").good().out


def test_check_reads_everything(shell: Shell) -> None:
    shell("runs", "add", "-", stdin=json.dumps(RUN)).good()
    shell("corrections", "add", "run-1", "--answer", "wrong", "--should-say", "z").good()
    told = shell("db", "check", "--json").good().json
    assert told["good"] is True
    assert {"schema", "integrity", "foreign keys", "references", "runs", "corrections"} <= set(findings(told))
    assert "each of 1 corrections" in findings(told)["corrections"]["says"]
    assert told["faults"] == []


def test_check_finds_a_correction_without_its_event(shell: Shell) -> None:
    shell("runs", "add", "-", stdin=json.dumps(RUN)).good()
    made = shell("corrections", "add", "run-1", "--answer", "right", "--json").good().json
    change(shell, "DELETE FROM events WHERE kind = 'correction.recorded'")
    told = shell("db", "check", "--json")
    assert told.code == 1
    assert made["id"] in findings(told.json)["corrections"]["says"]
    (fault,) = told.json["faults"]
    assert (fault["table"], fault["id"]) == ("corrections", made["id"])
    assert f"corrections {made['id']}: its history" in shell("db", "check").out


def test_check_finds_a_row_that_points_to_nothing(shell: Shell) -> None:
    shell("runs", "add", "-", stdin=json.dumps(RUN)).good()
    change(shell, "DELETE FROM projects")
    told = shell("db", "check")
    assert told.code == 1
    assert "runs row" in told.out
    assert "WRONG" in told.out


def test_kept_counts_that_are_wrong_are_found_and_counted_anew(shell: Shell) -> None:
    shell("runs", "add", "-", stdin=json.dumps(RUN)).good()
    shell("corrections", "add", "run-1", "--answer", "right").good()
    assert "no kept count was wrong" in shell("db", "recount").good().out
    change(shell, "UPDATE correction_counts SET corrections = 7")
    told = shell("db", "check")
    assert told.code == 1
    assert "corrections is 7 instead of 1" in told.out
    assert "setright db recount" in told.out
    assert shell("db", "recount", "--json").good().json["wrong"] == 1
    shell("db", "check").good()


def test_doctor_is_content_with_a_fresh_machine(shell: Shell) -> None:
    told = shell("doctor", "--json").good().json
    assert told["good"] is True
    assert {"setright", "SQLite", "database", "disk", "address"} <= set(findings(told))
    assert not shell.data.exists()
    shell("bootstrap").good()
    told = findings(shell("doctor", "--json").good().json)
    assert told["local token"]["ok"] is True
    assert told["clock"]["ok"] is True


def test_doctor_tells_each_setting_with_its_source(shell: Shell) -> None:
    (shell.folder / "setright.toml").write_text("slow_call_ms = 250\n")
    told = shell("doctor", "--rate-burst", "7", "--json", SETRIGHT_LOG_LEVEL="debug").good().json
    settings = told["settings"]
    assert settings["slow_call_ms"] == {"value": 250, "from": "slow_call_ms in setright.toml"}
    assert settings["rate_burst"] == {"value": 7, "from": "--rate-burst"}
    assert settings["log_level"] == {"value": "debug", "from": "SETRIGHT_LOG_LEVEL"}
    assert settings["port"] == {"value": 8321, "from": "default"}
    hidden = shell("doctor", SETRIGHT_DATABASE="postgresql://me:secret@127.0.0.1:1/x")
    assert hidden.code == 1
    assert "secret" not in hidden.out + hidden.err


def test_doctor_finds_what_is_unsafe(shell: Shell, tmp_path: Path) -> None:
    shell("bootstrap").good()
    (shell.data / "local-token").chmod(0o644)
    told = shell("doctor", "--host", "0.0.0.0", "--json")
    assert told.code == 1
    found = findings(told.json)
    assert "644" in found["file modes"]["says"]
    assert found["file modes"]["fix"] == f"chmod 600 {shell.data / 'local-token'}"
    assert "in the clear" in found["address"]["says"]
    for_people = shell("doctor", "--host", "0.0.0.0")
    assert "chmod 600" in for_people.out
    missing = shell("doctor", "--tls-certificate", "a.pem", "--tls-key", "b.pem", "--json")
    assert findings(missing.json)["tls_key"]["ok"] is False


def test_doctor_finds_a_clock_that_went_back(shell: Shell) -> None:
    shell("bootstrap").good()
    change(shell, "UPDATE events SET at = 4000000000000000")
    told = shell("doctor", "--json")
    assert told.code == 1
    assert "2096" in findings(told.json)["clock"]["says"]


def test_doctor_finds_a_full_disk(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("setright.app.machine.free_bytes", lambda _folder: 1_000_000)
    told = shell("doctor", "--json")
    assert told.code == 1
    assert findings(told.json)["disk"]["ok"] is False


def test_doctor_asks_the_server(shell: Shell, served: tuple[str, str]) -> None:
    shell.environment |= {"SETRIGHT_URL": served[0], "SETRIGHT_TOKEN": served[1]}
    assert findings(shell("doctor", "--json").good().json)["server"]["ok"] is True
    told = shell("doctor", "--json", SETRIGHT_TOKEN="srt_nope")
    assert (told.code, findings(told.json)["server"]["ok"]) == (1, False)
    clear = shell("doctor", "--json", SETRIGHT_URL="http://setright.invalid")
    assert "in the clear" in clear.out


def test_openapi_is_the_servers_document(ledger_shell: Shell) -> None:
    told = ledger_shell("openapi", "--json").good().json
    assert told["openapi"].startswith("3.1")
    assert "/v1/corrections" in told["paths"]
