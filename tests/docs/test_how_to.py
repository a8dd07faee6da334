"""Every how-to page, word for word, from the built wheel in an empty folder."""

import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tests.readme.conftest import installed
from tests.readme.installed import Installed
from tests.readme.test_quick_start import blocks, free_port, wait_until_ready

__all__ = ["installed"]
PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)(?: exit-(\d))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
END = "the block has ended:"
ADDRESS = "127.0.0.1:9000"
LONGEST = 120


class Reader:
    """Somebody who does what a page says, in one shell."""

    def __init__(self, installed: Installed, folder: Path, port: int) -> None:
        self.folder = folder
        environment = installed.variables() | {"HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        self.shell = subprocess.Popen(
            ["sh"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._port = port
        self._timer = threading.Timer(LONGEST, self.stop)
        self._timer.start()

    def types(self, block: str) -> tuple[int, str]:
        """Run a block; its exit code and what it said."""
        assert self.shell.stdin is not None
        assert self.shell.stdout is not None
        text = block.replace("8321", str(self._port))
        self.shell.stdin.write(f'{text}\necho "{END} $?"\n')
        self.shell.stdin.flush()
        said: list[str] = []
        for line in self.shell.stdout:
            before, mark, code = line.partition(END)
            said.append(before)
            if mark:
                return int(code), "".join(said)
        raise AssertionError(f"the shell ended: {''.join(said)}")

    def stop(self) -> None:
        """End the shell and what it started."""
        self._timer.cancel()
        subprocess.run(["kill", "-TERM", "--", f"-{self.shell.pid}"], check=False, capture_output=True)
        self.shell.wait(20)


@pytest.fixture
def reader(installed: Installed, tmp_path: Path) -> Iterator[Reader]:
    """A reader who did what the README says, up to its first corrections."""
    subprocess.run(
        ["sh", "-euc", blocks("sh")[0].splitlines()[0]],
        cwd=tmp_path,
        env=installed.variables(),
        check=True,
        capture_output=True,
        timeout=LONGEST,
    )
    port = free_port()
    with (tmp_path / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [str(installed.environment / "bin" / "setright"), "serve", "--port", str(port)],
            cwd=tmp_path,
            env=installed.variables() | {"HOME": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=log,
        )
        wait_until_ready(server)
        somebody = Reader(installed, tmp_path, port)
        (python,) = blocks("python")
        (tmp_path / "first.py").write_text(python)
        for block in (*blocks("sh")[1:], "python first.py"):
            code, said = somebody.types(block)
            assert code == 0, said
        yield somebody
        somebody.stop()
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)


def wait_until_settled(reader: Reader) -> None:
    """Wait until every correction has moved that moves, as a reader's own pace does."""
    until = time.monotonic() + 30
    # A trace waits half a minute for further spans, and no page for the trace.
    waiting = "setright jobs list --state waiting | grep -v assemble-trace"
    unfinished = f"{waiting}; setright jobs list --state running"
    while "job_" in reader.types(unfinished)[1]:
        assert time.monotonic() < until


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_the_page_says_is_true(page: Path, reader: Reader) -> None:
    address = free_address()
    text = page.read_text(encoding="utf-8").replace(ADDRESS, address)
    text = text.replace('("127.0.0.1", 9000)', f'("127.0.0.1", {address.rpartition(":")[2]})')
    found = BLOCK.findall(text)
    assert {language for language, _, _ in found} <= {"python", "sh", "text"}
    said = ""
    for language, wanted, block in found:
        if language == "python":
            name = re.match(r"# (\w+\.py)\n", block)
            assert name is not None, block
            (reader.folder / name[1]).write_text(block, encoding="utf-8")
        elif language == "sh":
            code, said = reader.types(block)
            assert code == int(wanted or 0), f"{block}\n{said}"
            wait_until_settled(reader)
        else:
            for line in block.splitlines():
                assert line in said, f"{line}\n\n{said}"


def test_there_are_pages() -> None:
    assert len(PAGES) >= 5
