"""The briefing is told in time, from where it can be had, and never keeps a session from starting."""

import io
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from setright.hooks import brief, rules_kept, stops
from setright.hooks.place import Asked, Machine
from tests.hooks.conftest import BRIEFING, RULE, Canned

AGENT = ["--agent", "claude-code"]


@pytest.fixture
def server(machine: Machine, canned: Canned, monkeypatch: pytest.MonkeyPatch) -> Canned:
    """A server that SETRIGHT_URL names."""
    monkeypatch.setenv("SETRIGHT_URL", canned.url)
    monkeypatch.setenv("SETRIGHT_TOKEN", "srt_secret")
    return canned


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `setright brief` in this process: what it printed, and what it said beside."""

    def run(*words: str, stdin: str = "") -> tuple[str, str]:
        read, write = os.pipe()
        os.write(write, stdin.encode())
        os.close(write)
        with os.fdopen(read) as opened:
            monkeypatch.setattr(sys, "stdin", opened)
            assert brief.main([*AGENT, *words]) == 0
        printed = capsys.readouterr()
        return printed.out, printed.err

    return run


def test_the_briefing_is_printed_as_the_server_wrote_it(server: Canned, told: Any) -> None:
    assert told() == (BRIEFING["briefing"] + "\n", "")
    query, headers, _ = server.asked_for("/v1/briefing")[0]
    assert query == "agent=claude-code&format=text"
    assert headers["Authorization"] == "Bearer srt_secret"


@pytest.mark.parametrize(
    ("form", "where"),
    [
        ("gemini", ("hookSpecificOutput", "additionalContext")),
        ("vscode", ("hookSpecificOutput", "additionalContext")),
        ("cursor", ("additional_context",)),
    ],
)
def test_clients_that_want_json_get_one_object(
    server: Canned, told: Any, form: str, where: tuple[str, ...]
) -> None:
    found = json.loads(told("--format", form)[0])
    if len(where) > 1:
        assert found[where[0]]["hookEventName"] == "SessionStart"
    for name in where:
        found = found[name]
    assert found == BRIEFING["briefing"]


@pytest.mark.parametrize(
    ("form", "printed"),
    [("text", ""), ("claude", ""), ("gemini", "{}\n"), ("vscode", "{}\n"), ("cursor", "{}\n")],
)
def test_an_empty_briefing_is_nothing_or_an_empty_object(
    server: Canned, told: Any, form: str, printed: str
) -> None:
    server.answers["/v1/briefing"] = (200, {**BRIEFING, "briefing": "", "rules": [], "guard": []})
    assert told("--format", form) == (printed, "")


@pytest.mark.parametrize(("form", "printed"), [("text", ""), ("gemini", "{}\n"), ("cursor", "{}\n")])
@pytest.mark.parametrize("answer", [(500, {}), (401, {}), (200, b"<html>"), (200, [1]), (302, {}), (200, {})])
def test_no_usable_answer_prints_nothing_and_says_why(
    server: Canned, told: Any, form: str, printed: str, answer: tuple[int, Any]
) -> None:
    server.answers["/v1/briefing"] = answer
    out, err = told("--format", form)
    assert out == printed
    assert err.startswith("setright brief: ")
    assert server.asked_for("/elsewhere") == []


@pytest.mark.parametrize("words", [["--formt", "text"], ["--format", "xml"], ["--agent"], ["nonsense"]])
def test_a_wrong_option_is_told_and_the_session_starts(server: Canned, told: Any, words: list[str]) -> None:
    out, err = told(*words)
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize("url", ["nonsense", "ftp://x", "http://[::1", "http://127.0.0.1:1"])
def test_an_address_that_is_none_is_told(
    server: Canned, told: Any, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETRIGHT_URL", url)
    assert told()[0] == ""


def test_the_last_briefing_is_told_when_the_server_is_gone(server: Canned, told: Any) -> None:
    told("--format", "claude")
    server.answers["/v1/briefing"] = (503, {})
    out, err = told("--format", "claude")
    assert out.startswith(BRIEFING["briefing"])
    assert "since then the ledger could not be asked" in out
    assert "this is the last briefing" in err
    assert told("--format", "claude", "--space", "other")[0] == ""


@pytest.mark.parametrize("drips", [False, True])
def test_a_server_that_keeps_one_waiting_is_not_waited_for(server: Canned, told: Any, drips: bool) -> None:
    server.waits, server.drips = (0.0, True) if drips else (20.0, False)
    out, err = told()
    assert (out, "in time" in err or "does not answer" in err) == ("", True)


def test_every_briefing_brings_the_guard_its_rules(server: Canned, told: Any, machine: Machine) -> None:
    asked = Asked(server.url, "claude-code", "web")
    told("--space", "web")
    assert [rule["id"] for rule in rules_kept.current(machine, asked)] == [RULE["id"]]
    server.answers["/v1/briefing"] = (200, {**BRIEFING, "guard": []})
    told("--space", "web")
    assert rules_kept.current(machine, asked) == []
    assert {stat.S_IMODE(file.stat().st_mode) for file in Path(machine.own).iterdir()} == {0o600}


def test_what_the_guard_stopped_is_sent_once(server: Canned, told: Any, machine: Machine) -> None:
    asked = Asked(server.url, "claude-code", "")
    stops.note(machine, asked, [RULE["id"]] * 3)
    server.answers["/v1/lessons/stops"] = (503, {})
    told()
    server.answers["/v1/lessons/stops"] = (200, {})
    told()
    told()
    sent = server.asked_for("/v1/lessons/stops")
    assert [body for _, _, body in sent] == [{"stops": [{"lessonId": RULE["id"], "count": 3}]}] * 2
    assert len({headers["Idempotency-Key"] for _, headers, _ in sent}) == 1
    assert not list(Path(machine.own).glob("*.sending"))


def test_stops_that_the_server_refuses_for_good_are_dropped(
    server: Canned, told: Any, machine: Machine
) -> None:
    stops.note(machine, Asked(server.url, "claude-code", ""), ["nonsense"])
    server.answers["/v1/lessons/stops"] = (400, {})
    assert told()[0] == BRIEFING["briefing"] + "\n"
    told()
    assert len(server.asked_for("/v1/lessons/stops")) == 1


@pytest.mark.parametrize(
    ("given", "words", "session"),
    [
        ('{"session_id": "s-1", "source": "startup"}', [], "s-1"),
        ('{"conversation_id": "c-1"}', [], "c-1"),
        ('{"session_id": "s-1"}', ["--session", "mine"], "mine"),
        ("[1]", [], None),
        ("no json", [], None),
    ],
)
def test_the_session_of_the_hooks_input_is_told(
    server: Canned, told: Any, given: str, words: list[str], session: str | None
) -> None:
    told(*words, stdin=given)
    query = server.asked_for("/v1/briefing")[0][0]
    assert (f"session={session}" in query.split("&")) if session else ("session" not in query)


def test_an_explanation_is_printed_and_not_kept(server: Canned, told: Any) -> None:
    server.answers["/v1/briefing"] = (200, {**BRIEFING, "explanation": "les_1 is out: it is past its time."})
    assert told("--explain", "les_1", "les_2")[0] == "les_1 is out: it is past its time.\n"
    assert server.asked_for("/v1/briefing")[0][0].endswith("explain=true&lessonId=les_1&lessonId=les_2")
    server.answers["/v1/briefing"] = (503, {})
    assert told("--explain")[0] == ""


def test_the_whole_document_is_printed_as_json(server: Canned, told: Any) -> None:
    assert json.loads(told("--json")[0]) == BRIEFING


def serving(machine: Machine, url: str, process: int) -> None:
    Path(machine.data).mkdir(parents=True)
    (Path(machine.data) / "local-token").write_text("srt_local\n")
    (Path(machine.data) / "local-server").write_text(json.dumps({"url": url, "pid": process}))


def test_without_an_address_the_server_of_this_machine_is_asked(
    machine: Machine, canned: Canned, told: Any
) -> None:
    serving(machine, canned.url, os.getpid())
    assert told()[0] == BRIEFING["briefing"] + "\n"
    assert canned.asked[0][2]["Authorization"] == "Bearer srt_local"


def test_a_dead_servers_address_gets_no_token(machine: Machine, canned: Canned, told: Any) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    serving(machine, canned.url, ended.pid)
    assert told()[0] == ""
    assert canned.asked == []


def test_a_stdin_that_nobody_writes_to_is_not_waited_for(
    server: Canned, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, write = os.pipe()
    with os.fdopen(read) as opened, os.fdopen(write, "w"):
        monkeypatch.setattr(sys, "stdin", opened)
        assert brief.main(AGENT) == 0
    assert server.asked_for("/v1/briefing")


def test_nothing_is_written_where_the_session_starts(server: Canned, told: Any, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    told()
    assert set(tmp_path.iterdir()) - before == {tmp_path / "data"}


@pytest.mark.parametrize("command", [["setright-brief"], ["setright", "brief"]])
def test_both_commands_are_the_same_and_load_nothing_foreign(server: Canned, command: list[str]) -> None:
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run(
        [program, *command[1:], *AGENT],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"},
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, BRIEFING["briefing"] + "\n")
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert not loaded & {"typer", "click", "httpx2", "rich", "asyncio"}


def test_a_full_disk_costs_only_the_copy(server: Canned, told: Any, machine: Machine) -> None:
    Path(machine.data).mkdir(parents=True)
    Path(machine.own).write_text("a file where the folder should be")
    out, err = told()
    assert out == BRIEFING["briefing"] + "\n"
    assert "not kept" in err


def test_a_briefing_with_a_note_stays_within_its_size() -> None:
    told = brief.noted("\n".join(["x" * 99] * 90), "a note")
    assert len(told) <= 9_000
    assert told.endswith("\n\na note")
    assert io.StringIO(told).readline() == "x" * 99 + "\n"


def test_a_rule_in_another_alphabet_is_told_on_a_system_of_one(server: Canned) -> None:
    server.answers["/v1/briefing"] = (200, {**BRIEFING, "briefing": "- Say 日本語 and 🦊.\n"})
    done = subprocess.run(
        [Path(sys.executable).with_name("setright-brief"), *AGENT],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C"},
        check=True,
    )
    assert (done.stdout.decode(), done.stderr) == ("- Say 日本語 and 🦊.\n", b"")
