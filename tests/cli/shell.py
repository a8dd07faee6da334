"""A terminal for tests: the real command, run in this process or in one of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from setright.faces.cli.main import app

COMMAND = Path(sys.executable).with_name("setright")
_HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
IN_FRONT = [sys.executable, "-c", f"{_HEARS}; from setright.faces.cli.main import main; main()"]
"""The command as at a terminal: whoever runs the tests in the background has Ctrl+C ignored."""


@dataclass(frozen=True)
class Told:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    def good(self) -> "Told":
        """The same, when the command succeeded."""
        assert self.code == 0, f"{self.code}\n{self.out}\n{self.err}"
        return self


class Shell:
    """Runs `setright` with its own data folder and environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment: dict[str, str] = {"XDG_DATA_HOME": str(folder / "share"), "HOME": str(folder)}

    @property
    def data(self) -> Path:
        """Where the ledger and its token are kept by default."""
        return self.folder / "share" / "setright"

    def __call__(self, *arguments: object, stdin: str | bytes | None = None, **environment: str) -> Told:
        """Run a command in this process."""
        whole: dict[str, str | None] = {name: None for name in os.environ if name.startswith("SETRIGHT_")}
        whole |= {**self.environment, **environment}
        result = CliRunner().invoke(app, list(map(str, arguments)), input=stdin, env=whole)
        known = result.exception is None or isinstance(result.exception, SystemExit)
        assert known, f"{arguments}: {result.exception!r}"
        return Told(result.exit_code, result.stdout, result.stderr)

    def bare(self) -> dict[str, str]:
        """The environment of a process of its own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SETRIGHT_")}
        return {**kept, **self.environment}

    def outside(
        self, *arguments: str, stdin: str | None = None, prefix: Sequence[str] = (), **environment: str
    ) -> Told:
        """Run a command as a process of its own; `prefix` may wrap it in another command."""
        done = subprocess.run(
            [*prefix, COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**self.bare(), **environment},
            timeout=60,
            check=False,
        )
        return Told(done.returncode, done.stdout, done.stderr)

    def at_a_terminal(self, *arguments: str) -> Told:
        """Run a command as a process of its own whose stderr is a terminal."""
        terminal, end = os.openpty()
        with subprocess.Popen(
            [COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=end,
            text=True,
            cwd=self.folder,
            env=self.bare() | {"TERM": "xterm"},
        ) as process:
            os.close(end)
            drawn: list[bytes] = []
            reader = threading.Thread(target=drawn.extend, args=(_shown_on(terminal),))
            reader.start()
            assert process.stdout is not None
            out = process.stdout.read()
        reader.join()
        return Told(process.returncode, out, b"".join(drawn).decode())


def _shown_on(terminal: int) -> Iterator[bytes]:
    """What a terminal is given, until nobody writes to it any more."""
    with contextlib.suppress(OSError), open(terminal, "rb", buffering=0) as reading:
        while shown := reading.read(4096):
            yield shown


class Served:
    """`setright serve` as a process of its own, from its ready line to its end."""

    def __init__(self, shell: Shell, *arguments: str) -> None:
        self.lines: list[str] = []
        self.log = shell.folder / "serve.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [COMMAND, "serve", "--port", "0", *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=shell.folder,
                env=shell.bare(),
            )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if "http://" in line:
                return
        self.process.wait(10)
        raise AssertionError(f"it ended with {self.process.returncode}: {self.lines} {self.log.read_text()}")

    @property
    def url(self) -> str:
        """The address in the ready line."""
        words = self.lines[-1].replace('"', " ").replace(",", " ").split()
        return next(word for word in words if word.startswith("http://"))

    def stop(self) -> int:
        """Ask it to stop; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code
