"""The demo: the story is told, what it offers works, and nothing is left behind."""

import io
import json
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from setright.demo.main import INTERRUPTED, run
from setright.demo.server import OwnServer
from setright.demo.story import play
from setright.demo.telling import Teller
from setright.demo.tries import things_to_try
from tests.backup.places import sound
from tests.cli.shell import IN_FRONT
from tests.support.curl import path_with_curl

# A shell's background jobs ignore Ctrl-C and hand that on; whoever runs these tests, the demo is in the foreground.
COMMAND = [*IN_FRONT, "demo"]
FOLDER = re.compile(r"\S*setright-demo-\w+")
MISTAKE = '"shouldsay"'


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OwnServer, str, str, float]]:
    """A server on which the story was played: the server, what was told, the reviewer's token, the seconds it took."""
    with OwnServer(tmp_path_factory.mktemp("demo"), 0) as server:
        out = io.StringIO()
        started = time.monotonic()
        token = play(server.url, server.token, Teller(out))
        yield server, out.getvalue(), token, time.monotonic() - started
    (file,) = server.folder.rglob("ledger.db")
    assert sound(f"sqlite:///{file}")


def test_the_story_is_told_in_under_six_seconds(told: tuple[OwnServer, str, str, float]) -> None:
    _, text, _, seconds = told
    assert re.findall(r"^(\d+)\. ", text, re.MULTILINE) == [str(number) for number in range(1, 11)]
    assert len(set(re.findall(r"cor_\w{26}", text))) == 5
    assert re.search(r"cor_\w{26}  replaced by cor_\w{26}", text)
    assert re.search(r"the same answer, all \d{3,} bytes of it", text)
    assert seconds < 6
    assert max(map(len, text.splitlines())) <= 100


def test_the_same_correction_is_fixed_by_v2_and_open_again_in_v3(
    told: tuple[OwnServer, str, str, float],
) -> None:
    _, text, _, _ = told
    assert "default does not run v2: deploy or pin it and 2 corrections become fixed." in " ".join(
        text.split()
    )
    fixed = re.search(r"(cor_\w{26})  status fixed, fixedIn v2 \(latest\)\n", text)
    again = re.search(r"(cor_\w{26})  status open, fixedIn v2 \(latest\), reopenedIn v3 \(latest\)\n", text)
    assert fixed
    assert again
    assert fixed.group(1) == again.group(1)
    assert re.findall(r"correction\.\w+", text)[-3:] == [
        "correction.recorded",
        "correction.fixed",
        "correction.reopened",
    ]


@pytest.mark.parametrize("stand_in", [False, True], ids=["curl", "stand-in"])
def test_the_three_things_to_try_work_as_they_are(
    told: tuple[OwnServer, str, str, float], tmp_path: Path, stand_in: bool
) -> None:
    server, _, token, _ = told
    path = path_with_curl(tmp_path, even_if_there=stand_in)

    def answer_to(command: str) -> dict[str, object]:
        done = subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, check=True, timeout=30, env={"PATH": path}
        )
        assert done.stdout.endswith("\n")
        return json.loads(done.stdout)

    waiting, own_words, mistake = [entry.command for entry in things_to_try(server.url, token)]
    listed = answer_to(waiting)["data"]
    assert isinstance(listed, list)
    assert {entry["status"] for entry in listed} == {"open"}
    assert {entry["runId"] for entry in listed} == {"return-a-day-pass", "bike-for-a-tall-rider"}
    assert answer_to(own_words)["shouldSay"] == "14 days, counted from today."
    error = answer_to(mistake)["error"]
    assert isinstance(error, dict)
    assert {fault["pointer"] for fault in error["details"]["faults"]} == {"/shouldsay", "/answer"}


def test_once_ends_after_the_story_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SETRIGHT_DATABASE", "postgresql://nobody@127.0.0.1:1/nowhere")
    monkeypatch.setenv("SETRIGHT_URL", "http://127.0.0.1:1")
    out = io.StringIO()
    assert run(once=True, out=out) == 0
    assert "That is the story." in out.getvalue()
    assert not Path(FOLDER.findall(out.getvalue())[0]).exists()
    assert_closed(out.getvalue())


def assert_closed(text: str) -> None:
    found = re.search(r"http://127\.0\.0\.1:(\d+)", text)
    assert found
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(found.group(1)))) != 0


def started(*more: str) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return subprocess.Popen([*COMMAND, *more], stdout=pipe, stderr=subprocess.STDOUT, text=True)


def until(process: "subprocess.Popen[str]", mark: str) -> str:
    assert process.stdout is not None
    text = ""
    while mark not in text:
        line = process.stdout.readline()
        assert line, text
        text += line
    return text


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGHUP])
def test_it_stays_up_until_it_is_stopped(how: signal.Signals) -> None:
    process = started()
    text = until(process, MISTAKE)
    process.send_signal(how)
    rest, _ = process.communicate(timeout=40)
    assert process.returncode == 0, rest
    folder = FOLDER.findall(text)[0]
    assert f"Stopped. The folder {folder} is removed." in rest
    assert "Traceback" not in rest
    assert not Path(folder).exists()
    assert_closed(text)


def test_it_can_be_stopped_before_the_end() -> None:
    process = started()
    text = until(process, "1. ")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=40)
    assert process.returncode in (0, INTERRUPTED)
    assert "Traceback" not in rest
    assert_closed(text)


def test_a_server_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = OwnServer.wait

    def die_then_wait(server: OwnServer) -> None:
        server._process.kill()
        wait(server)

    monkeypatch.setattr(OwnServer, "wait", die_then_wait)
    out = io.StringIO()
    assert run(once=False, out=out) == 2
    assert "The server ended by itself" in out.getvalue()
    assert not Path(FOLDER.findall(out.getvalue())[0]).exists()


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(once=True, port=port, out=io.StringIO()) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"The server did not start.\nCannot listen on 127.0.0.1 port {port}")
    assert "Traceback" not in said


def test_what_a_terminal_cannot_show_is_escaped() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    Teller(stream).lines("déjà vu")
    assert raw.getvalue() == b"d\\xe9j\\xe0 vu\n"
