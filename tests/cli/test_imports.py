"""`setright import` brings files of other tools into the ledger of this machine, and says what it could not read."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import IN_FRONT, Shell, Told
from tests.exchange.samples import call, entry, made, plain, result, said

INTO = ("--project", "default", "--agent", "bike-desk")


@pytest.fixture
def file(shell: Shell) -> Path:
    """A file with six runs of two trials."""
    path = shell.folder / "runs.json"
    path.write_text(json.dumps([plain(task, trial) for task in range(3) for trial in range(2)]))
    return path


def bring(shell: Shell, *files: object, **more: Any) -> Told:
    return shell("import", "tau-bench", *files, *INTO, **more)


def listed(shell: Shell) -> list[dict[str, Any]]:
    return shell("runs", "list", "--all", "--json").good().json["data"]


def test_a_file_comes_in_and_the_same_file_again_adds_nothing(shell: Shell, file: Path) -> None:
    assert bring(shell, file).good().out == "6 runs with 6 calls were read: 6 new, 0 already there.\n"
    assert bring(shell, file).good().out == "6 runs with 6 calls were read: 0 new, 6 already there.\n"
    runs = listed(shell)
    assert len(runs) == 6
    assert {(run["subject"]["id"], run["subject"]["version"]) for run in runs} == {
        ("bike-desk", "trial-0"),
        ("bike-desk", "trial-1"),
    }


def test_the_report_is_one_document(shell: Shell, file: Path) -> None:
    told = bring(shell, file, "--json").good()
    assert told.json == {
        "read": 6,
        "new": 6,
        "alreadyThere": 0,
        "calls": 6,
        "withoutCalls": 0,
        "corrections": 0,
        "notRead": 0,
        "notReadAt": [],
    }


def test_what_could_not_be_read_is_told_with_file_place_and_reason_and_the_exit_is_1(
    shell: Shell, file: Path
) -> None:
    broken = shell.folder / "broken.json"
    broken.write_text(f"[\n{json.dumps(plain(9))},\n{{,\n{json.dumps(entry(said(), task=10))}]")
    told = bring(shell, file, broken)
    assert told.code == 1
    assert told.out == ("7 runs with 7 calls were read: 7 new, 0 already there.\n")
    place = f"{broken}, entry 1 at line 3, column 1"
    assert f"  {place}: is not valid JSON" in told.err
    assert "at line 3, column 2" in told.err
    document = bring(shell, file, broken, "--json")
    assert (document.code, document.json["alreadyThere"], document.json["notRead"]) == (1, 7, 2)
    first = document.json["notReadAt"][0]
    assert (first["file"], first["place"]) == (str(broken), "entry 1 at line 3, column 1")


def test_runs_without_calls_are_told(shell: Shell) -> None:
    (shell.folder / "quiet.json").write_text(json.dumps([entry(said())]))
    assert "1 of them made no call." in bring(shell, "quiet.json").good().out


def test_a_project_may_be_named(shell: Shell, file: Path) -> None:
    shell("project", "create", "Second", "--id", "two").good()
    shell("import", "tau-bench", file, "--project", "Second", "--agent", "a").good()
    assert {run["projectId"] for run in listed(shell)} == {"two"}
    told = shell("import", "tau-bench", file, "--project", "nowhere", "--agent", "a")
    assert (told.code, "There is no project 'nowhere'." in told.err) == (1, True)


def test_a_file_may_come_from_stdin(shell: Shell, file: Path) -> None:
    assert "6 new" in bring(shell, "-", stdin=file.read_bytes()).good().out
    broken = bring(shell, "-", stdin=b"[7]")
    assert (broken.code, "stdin, entry 0 at line 1, column 2: is not an object" in broken.err) == (1, True)


def test_the_project_must_be_said(shell: Shell, file: Path) -> None:
    told = shell("import", "tau-bench", file, "--agent", "a")
    assert (told.code, "--project" in told.err) == (2, True)


def test_an_agent_that_the_file_does_not_name_must_be_said(shell: Shell, file: Path) -> None:
    told = shell("import", "tau-bench", file, "--project", "default")
    assert (told.code, told.err.count("does not say which agent ran; name it with the import")) == (1, 6)
    assert listed(shell) == []


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        ("", "--agent '' is too short; allowed: at least 1 character."),
        ("  ", "--agent '  ' is blank; allowed: at least one visible character."),
        ("x" * 201, "has 201 characters; allowed: at most 200."),
    ],
)
def test_what_no_agent_is_called_is_said_once(shell: Shell, file: Path, agent: str, sentence: str) -> None:
    told = shell("import", "tau-bench", file, "--project", "default", "--agent", agent)
    assert (told.code, told.err.count(sentence)) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("lambda-bench", "runs.json"),
            "There is no format 'lambda-bench' and no file of this name; formats: tau-bench, atif",
        ),
        (("tau-bench", "runs.json", "nothing.json"), "There is no file nothing.json."),
        (("tau-bench", "share"), "share is a folder, not a file."),
    ],
)
def test_what_cannot_be_read_at_all_is_said_before_anything_is_recorded(
    shell: Shell, file: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert listed(shell) == []
    told = shell("import", *arguments, *INTO)
    assert (told.code, sentence in told.err) == (2, True)
    assert listed(shell) == []


def test_on_a_server_it_says_what_to_do_instead(shell: Shell, file: Path) -> None:
    told = bring(shell, file, SETRIGHT_URL="http://127.0.0.1:1", SETRIGHT_TOKEN="srt_x")
    assert told.code == 2
    assert "works on the ledger of this machine only, and SETRIGHT_URL names http://127.0.0.1:1" in told.err
    assert "setright runs add FILE" in told.err


def test_a_refusal_of_the_whole_says_what_was_done_and_that_it_can_go_on(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from setright.app import imports
    from setright.kernel.errors import StorageUnavailable

    async def fail(*_: Any) -> None:
        raise StorageUnavailable("locked")

    bring(shell, file).good()
    monkeypatch.setattr(imports, "_record", fail)
    told = bring(shell, file)
    assert told.code == 2
    assert "0 new runs were recorded and stay, 0 were there already" in told.err
    assert "The same command again goes on from there" in told.err
    document = bring(shell, file, "--json")
    assert (document.code, document.json["error"]["code"]) == (2, "storage-unavailable")
    assert document.json["error"]["report"]["read"] == 0


# A shell's background jobs ignore Ctrl-C and hand that on; whoever runs these tests, the import is in the foreground.


def ended_half_way(shell: Shell, file: list[bytes], how: signal.Signals) -> str:
    """Import the beginning of a file from stdin, and end it when something is recorded; what it said."""
    with subprocess.Popen(
        [*IN_FRONT, "import", "tau-bench", "-", *INTO],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.bare(),
        cwd=shell.folder,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        # Padded, because the reader asks for a whole chunk before it looks at any of it.
        process.stdin.write(b"[" + b",".join(file[:60]) + b"," + b" " * 400_000)
        process.stdin.flush()
        until = time.monotonic() + 60
        while len(listed(shell)) < 32:
            assert time.monotonic() < until
            time.sleep(0.1)
        process.send_signal(how)
        said = process.stderr.read().decode()
    assert process.returncode != 0
    return said


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_import_that_ends_half_way_goes_on_where_it_was(shell: Shell, how: signal.Signals) -> None:
    bring(shell, "-", stdin=b"[]").good()
    file = [json.dumps(plain(task)).encode() for task in range(100)]
    said = ended_half_way(shell, file, how)
    assert "Traceback" not in said
    assert ("new runs were recorded and stay." in said) == (how is signal.SIGINT)
    there = len(listed(shell))
    assert 32 <= there < 100
    told = bring(shell, "-", "--json", stdin=b"[" + b",".join(file) + b"]").good().json
    assert (told["new"], told["alreadyThere"], told["calls"]) == (100 - there, there, 100)
    assert len(listed(shell)) == 100
    assert sum(run["callCount"] for run in listed(shell)) == 100


def test_a_bar_is_only_on_a_terminal_and_never_in_the_answer(shell: Shell, file: Path) -> None:
    assert "Reading" not in shell.outside("import", "tau-bench", str(file), *INTO).good().err
    told = shell.at_a_terminal("import", "tau-bench", str(file), *INTO, "--json")
    assert told.json["read"] == 6
    assert "Reading runs.json" in told.err


def test_a_failed_tool_and_odd_arguments_show_in_the_run(shell: Shell) -> None:
    messages = (made(call(arguments="seven")), result("Error: what?"), said())
    (shell.folder / "odd.json").write_text(json.dumps([entry(*messages)]))
    assert bring(shell, "odd.json").code == 1
    (run,) = listed(shell)
    shown = shell("runs", "show", run["id"]).good().out
    assert 'arguments": "seven"' in shown
    assert "error: Error: what?" in shown
