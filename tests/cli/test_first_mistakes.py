"""What a newcomer gets wrong first is told in a sentence, with what to do next, and never by a traceback."""

import socket
import subprocess
from pathlib import Path

import pytest

from tests.cli.shell import COMMAND, Shell, Told

GOOD_TOKEN = "srt_01M8PEPQA8BS3ZAXHJP3EX6AZTLBGezJziLJrAb7o4cdkd65aTBsvWYaiNn2QMCBPvf2a26y1I6"


def is_told_well(told: Told, code: int, *words: str) -> None:
    """It ends with the code, says these words, and shows no trace of our insides."""
    assert told.code == code, f"{told.code}: {told.out}{told.err}"
    for word in words:
        assert word in told.err, f"{word!r} is not in {told.err!r}"
    for trace in ("Traceback", 'File "', "Error:", "fault of setright itself"):
        assert trace not in told.err + told.out


def nobody_listens() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def test_no_server_at_the_address(shell: Shell) -> None:
    url = nobody_listens()
    told = shell("runs", "list", SETRIGHT_URL=url, SETRIGHT_TOKEN=GOOD_TOKEN)
    is_told_well(told, 2, url, "setright serve starts a server", "without SETRIGHT_URL")


def test_a_write_that_was_not_answered_tells_its_key(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{"runId": "x", "answer": "right"}')
    told = shell(
        "corrections", "add", "--file", "c.json", "--url", nobody_listens(), SETRIGHT_TOKEN=GOOD_TOKEN
    )
    is_told_well(told, 2, "the same command with --key ", "records nothing twice")


def test_runs_that_were_not_answered_go_in_once_with_the_told_key(
    shell: Shell, served: tuple[str, str]
) -> None:
    run = '{"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "1"}, "input": 1}'
    words = ["runs", "add", "-", "--json", "--url"]
    lost = shell(*words[:3], "--url", nobody_listens(), SETRIGHT_TOKEN=served[1], stdin=run)
    is_told_well(lost, 2, "the same command with --key ")
    key = lost.err.partition("--key ")[2].split()[0]
    told = [
        shell(*words, served[0], "--key", key, SETRIGHT_TOKEN=served[1], stdin=run).good().json
        for _ in range(2)
    ]
    assert told[0] == told[1]


def test_no_token_for_a_server(shell: Shell) -> None:
    told = shell("runs", "list", SETRIGHT_URL="http://127.0.0.1:9")
    is_told_well(told, 2, "SETRIGHT_TOKEN is not set", "export SETRIGHT_TOKEN=")


@pytest.mark.parametrize(
    ("token", "reason"),
    [("srt_nope", "characters instead of"), ("sk-12345", "srt_"), (GOOD_TOKEN, "not known here")],
)
def test_a_wrong_token(served: tuple[str, str], shell: Shell, token: str, reason: str) -> None:
    told = shell("runs", "list", SETRIGHT_URL=served[0], SETRIGHT_TOKEN=token)
    is_told_well(told, 1, reason, "auth-invalid", "SETRIGHT_TOKEN")


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://example.org", "http://", "http://user:pw@example.org"]
)
def test_an_address_that_is_none(shell: Shell, url: str) -> None:
    is_told_well(shell("runs", "list", SETRIGHT_URL=url, SETRIGHT_TOKEN=GOOD_TOKEN), 2, "url ")


def test_a_path_that_is_not_the_servers(served: tuple[str, str], shell: Shell) -> None:
    told = shell("runs", "list", "--url", f"{served[0]}/api", SETRIGHT_TOKEN=served[1])
    is_told_well(told, 1, "route-not-found", "the address must be that of a Setright server")


def test_an_unknown_project_names_those_that_are_known(ledger_shell: Shell) -> None:
    told = ledger_shell("runs", "list", "--project", "nix")
    is_told_well(
        told, 1, "There is no project 'nix'.", "projects that you may read: ", "setright project create"
    )
    as_json = ledger_shell("runs", "list", "--project", "nix", "--json")
    assert (as_json.code, as_json.json["error"]["code"]) == (1, "project-not-found")


def test_unknown_things_name_the_list_to_look_in(ledger_shell: Shell) -> None:
    is_told_well(ledger_shell("runs", "show", "nix"), 1, "'nix'", "setright runs list")
    is_told_well(ledger_shell("corrections", "show", "nix"), 1, "nix", "setright corrections list")
    is_told_well(ledger_shell("user", "disable", "nix"), 1, "'nix'", "setright user create 'nix'")
    is_told_well(ledger_shell("token", "revoke", "nix"), 1, "'nix'", "setright token list")
    member = ledger_shell("project", "member", "put", "default", "--user", "nix", "--role", "read")
    is_told_well(member, 1, "There is no user 'nix'")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("{", "is not JSON"),
        ('{"a": 1,}', "line 1 column 9"),
        ("[1]", "entry 0 is not a run: it holds a number"),
        ('"run"', "it holds a text"),
        ('{"id": "a"}\n{"id": \n', "line 2 is not JSON"),
        ("\xff", "is not UTF-8"),
        ("[" * 100_000, "cannot be read as JSON"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(shell: Shell, text: str, words: str) -> None:
    (shell.folder / "runs.json").write_bytes(text.encode("latin-1"))
    is_told_well(shell("runs", "add", "runs.json"), 2, "runs.json", words)


def test_a_file_that_is_not_there(shell: Shell) -> None:
    is_told_well(shell("runs", "add", "nix.json"), 2, "There is no file nix.json", "stdin")
    is_told_well(shell("runs", "add", "."), 2, "is a folder")
    is_told_well(shell("corrections", "add", "--file", "nix.json"), 2, "There is no file nix.json")


def test_nothing_was_touched_by_a_file_that_cannot_be_read(shell: Shell) -> None:
    shell("runs", "add", "nix.json")
    assert not shell.data.exists()


def test_a_run_with_faults_tells_each(ledger_shell: Shell) -> None:
    told = ledger_shell("runs", "add", "-", stdin='{"subjekt": 1}')
    is_told_well(told, 1, "/projectId: is required", "/subject: is required", "/subjekt", "> --project NAME")


def test_a_correction_that_says_nothing(ledger_shell: Shell) -> None:
    is_told_well(ledger_shell("corrections", "add"), 2, "Say which run", "setright corrections add RUN")
    is_told_well(ledger_shell("corrections", "add", "x", "--file", "y"), 2, "give it alone")
    is_told_well(ledger_shell("corrections", "add", "x", "--answer", "wrong"), 1, "/answer")
    key = ledger_shell("corrections", "add", "--file", "-", stdin='{"key": "x"}')
    is_told_well(key, 2, "--key sets the Idempotency-Key")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--should-call", "{"], ["--should-call is not JSON", "for example"]),
        (["--should-call", "pay {no}"], ["--should-call is not JSON"]),
        (["--item", "a"], ["has no verdict", "42=wrong"]),
        (["--answer-match", "contains"], ["--answer-match is not JSON", '{"how": "contains"}']),
    ],
)
def test_options_that_cannot_be_read(shell: Shell, options: list[str], words: list[str]) -> None:
    is_told_well(shell("corrections", "add", "run", *options), 2, *words)
    assert not shell.data.exists()


def test_moments_that_are_none(shell: Shell) -> None:
    for text in ("yesterday", "2026-01-05", "2026-01-05T01:00:00", "7", "9999999w", "d"):
        told = shell("token", "create", "--service", "bot", "--expires", text)
        is_told_well(told, 2, "--expires", repr(text), "30d")


def test_who_a_token_is_for_must_be_said(shell: Shell) -> None:
    is_told_well(shell("token", "create"), 2, "--user NAME or --service NAME")
    is_told_well(shell("token", "create", "--user", "a", "--service", "b"), 2, "one of them")
    is_told_well(shell("token", "create", "--user", "a", "--role", "admin"), 2, "do not go with --user")
    is_told_well(shell("token", "create", "--service", "a"), 2, "--project PROJECT", "--role ROLE")
    is_told_well(shell("project", "member", "remove", "default"), 2, "--user NAME or --service NAME")


def test_two_places_at_once(shell: Shell) -> None:
    told = shell("runs", "list", "--url", "http://127.0.0.1:1", "--database", "x.db")
    is_told_well(told, 2, "--url and --database do not go together")


def test_a_token_without_an_address_is_said(shell: Shell) -> None:
    told = shell("project", "list", SETRIGHT_TOKEN=GOOD_TOKEN).good()
    assert "SETRIGHT_TOKEN is set and SETRIGHT_URL is not" in told.err


def test_settings_that_cannot_be_used(shell: Shell) -> None:
    is_told_well(shell("project", "list", SETRIGHT_PORT="many"), 2, "SETRIGHT_PORT", "'many'")
    is_told_well(shell("project", "list", "--config", "nix.toml"), 2, "nix.toml does not exist")
    is_told_well(shell("db", "check", "--database", "mysql://x"), 2, "mysql://x", "postgresql://HOST/NAME")
    (shell.folder / "setright.toml").write_text("prot = 1")
    is_told_well(shell("project", "list"), 2, "unknown setting prot")


def test_a_database_that_is_none(shell: Shell) -> None:
    (shell.folder / "text.db").write_text("this is no database, but a text " * 100)
    is_told_well(shell("project", "list", "--database", "text.db"), 2, "file is not a database")
    is_told_well(
        shell("db", "check", "--database", "nix.db"), 2, "There is no ledger in", "setright db upgrade"
    )
    is_told_well(shell("project", "list", "--database", "/proc/nix.db"), 2, "/proc")
    nobody = "postgresql://127.0.0.1:1/nix"
    is_told_well(shell("project", "list", "--database", nobody), 2, "The database cannot be used")


def test_a_wrong_command_is_answered_with_the_right_one(shell: Shell) -> None:
    is_told_well(shell("run", "list"), 2, "Did you mean 'runs'")
    is_told_well(shell("runs", "ad", "x"), 2, "'add'")
    assert shell("runs").code == 2
    assert "Usage" in shell().out


def test_with_json_a_failure_is_one_document_on_stdout(ledger_shell: Shell) -> None:
    told = ledger_shell("corrections", "add", "nix", "--answer", "right", "--json")
    assert (told.code, told.json["error"]["code"]) == (1, "run-not-found")
    assert "run-not-found" not in told.err
    local = ledger_shell("runs", "add", "nix.json", "--json")
    assert (local.code, local.json["error"]["code"]) == (2, "file-not-found")


def test_a_fault_of_ours_is_a_sentence_too(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise TypeError("oops")

    monkeypatch.setattr("setright.faces.cli.names.project", broken)
    told = shell("runs", "list", "--project", "x")
    assert told.code == 2
    assert "This is a fault of setright itself: TypeError: oops" in told.err
    assert "Traceback" not in told.err


def test_a_reader_that_stops_early_is_no_fault(shell: Shell) -> None:
    with subprocess.Popen(
        [COMMAND, "openapi"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.bare(),
        cwd=shell.folder,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert not process.stderr.read()
