"""The README's first correction, word for word, from the built wheel in an empty folder."""

import json
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tests.readme.installed import Installed

README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = README.split("\n## A first correction\n")[1].split("\n## ")[0]
SERVE = "setright serve"
READY = re.compile(rb"ready at http://127\.0\.0\.1:\d+")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def shell(installed: Installed, text: str, stdin: str | None = None) -> str:
    done = subprocess.run(
        ["sh", "-euc", text],
        check=False,
        cwd=installed.home,
        env=installed.variables(),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def port(installed: Installed) -> Iterator[int]:
    """The port of a server that was installed and started by the first block of the section.

    The section says that another port may be taken, and how: that is all that is substituted.
    """
    install, serve = blocks("sh")[0].splitlines()
    assert serve == SERVE
    shell(installed, install)
    free = free_port()
    assert f"{SERVE} --port 8322" in SECTION
    command = ["sh", "-c", f"exec {serve} --port {free}"]
    log = installed.home / "log"
    with log.open("wb") as stderr:
        server = subprocess.Popen(
            command, cwd=installed.home, env=installed.variables(), stdout=subprocess.PIPE, stderr=stderr
        )
        said = wait_until_ready(server)
        assert READY.search(said), said.decode() + log.read_text()
        yield free
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)
    assert server.returncode == 0
    assert "Traceback" not in log.read_text()


def wait_until_ready(server: "subprocess.Popen[bytes]") -> bytes:
    assert server.stdout is not None
    said = b""
    until = time.monotonic() + 30
    while not READY.search(said) and time.monotonic() < until:
        line = server.stdout.readline()
        if not line:
            break
        said += line
    return said


def test_the_readme_is_true_from_the_wheel(installed: Installed, port: int) -> None:
    where, run, correct = [block.replace("8321", str(port)) for block in blocks("sh")[1:]]
    it_ran_from_the_wheel(installed)
    the_curl_blocks_say_what_the_text_says(installed, where, run, correct)
    the_python_block_prints_what_it_should(installed, where)
    the_error_is_told_as_it_is_shown(installed, where + correct)
    assert "That is the story." in shell(installed, "setright demo --once")


def it_ran_from_the_wheel(installed: Installed) -> None:
    place = shell(installed, "python -c 'import setright; print(setright.__file__)'").strip()
    assert Path(place).is_relative_to(installed.environment)
    assert "corrections" in shell(installed, "setright --help")


def the_curl_blocks_say_what_the_text_says(installed: Installed, where: str, run: str, correct: str) -> None:
    recorded = json.loads(shell(installed, where + run))
    assert (recorded["id"], recorded["status"]) == ("day-pass", "completed")
    first = shell(installed, where + correct)
    kept = json.loads(first)
    assert (kept["madeBy"]["kind"], kept["status"], kept["sortedTo"]) == ("user", "open", "improve")
    assert shell(installed, where + correct) == first


def the_python_block_prints_what_it_should(installed: Installed, where: str) -> None:
    (python,) = blocks("python")
    printed = shell(installed, f"{where}\npython -", python).splitlines()
    assert re.fullmatch(r"cor_\w{26} with-owner owner", printed[0])
    assert printed[1:] == ["cancel-218 with-owner", "day-pass open"]
    listed = shell(installed, f"{where}\nsetright corrections list")
    assert "day-pass" in listed
    assert "cancel-218" in listed


def the_error_is_told_as_it_is_shown(installed: Installed, correct: str) -> None:
    mistaken = correct.replace(', "shouldSay": "Within 14 days."', "").replace("my-first", "another")
    told = json.loads(shell(installed, mistaken))["error"]
    (shown,) = re.findall(r"^```json\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    expected = json.loads(shown)["error"]
    assert (told["code"], told["message"]) == (expected["code"], expected["message"])
    assert told.keys() == expected.keys()
