"""A Setright server of the demo's own: the ordinary `setright serve` as a process, started and ended here."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

START = "from setright.faces.cli.main import main; main()"
STOP_SECONDS = 25
LAST_WORDS = 12


class ServerDidNotStart(Exception):
    """The server ended before it answered; the message repeats what it said."""


class OwnServer:
    """Starts on entering, so that `url` and `token` are known then, and has ended after leaving."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.url = ""
        self.token = ""
        self._port = port
        self._log = folder / "server.log"

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = process = subprocess.Popen(  # noqa: S603 - our own program and a number
                [sys.executable, "-c", START, "serve", "--json", *self._flags()],
                cwd=self.folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        try:
            if process.stdout is not None:
                self._hear(process.stdout)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def wait(self) -> None:
        """Wait until the server ends by itself."""
        self._process.wait()

    def last_words(self) -> Sequence[str]:
        """The last lines of the server's log."""
        return self._log.read_text("utf-8", "replace").splitlines()[-LAST_WORDS:]

    def _flags(self) -> list[str]:
        return ["--host", "127.0.0.1", "--port", str(self._port), "--data-folder", str(self.folder)]

    def _hear(self, stdout: IO[bytes]) -> None:
        """Wait for the one line in which the server says where it is, or why it cannot be."""
        line = stdout.readline()
        try:
            told = json.loads(line)
            self.url, self.token = told["url"], told["token"]
        except (ValueError, KeyError):
            said = _reason(line + stdout.read()) or self.last_words()
            raise ServerDidNotStart("\n".join(["The server did not start.", *said])) from None

    def _end(self) -> None:
        """Stop the server, at first politely; nothing of it is left afterwards, also when Ctrl-C is pressed again."""
        process = self._process
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except (KeyboardInterrupt, subprocess.TimeoutExpired):
            process.kill()
            process.wait()
        finally:
            if process.stdout is not None:
                process.stdout.close()


def _reason(document: bytes) -> list[str]:
    """What a failed `serve --json` says on stdout, as sentences; nothing when it is no such document."""
    try:
        error = json.loads(document)["error"]
        return [error["message"], *(f"> {step}" for step in error.get("advice", ()))]
    except (ValueError, KeyError, TypeError):
        return []


def _environment() -> dict[str, str]:
    """This process's environment without any setting of Setright, so that the demo is the same everywhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SETRIGHT_")}
