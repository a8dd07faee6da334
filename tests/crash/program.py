"""`setright serve` as a process of its own, which can be killed and started again on the same database."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.concurrency.wire import Wire

COMMAND = Path(sys.executable).with_name("setright")


class Program:
    """The real command on a database; `prefix` may wrap it in another command, and `port` 0 takes a free one."""

    def __init__(self, folder: Path, database: str, prefix: tuple[str, ...] = (), port: int = 0) -> None:
        self._folder = folder
        self._database = database
        self._prefix = prefix
        self._process: subprocess.Popen[str] | None = None
        self._port = port
        self.port = port
        self.log = folder / "serve.log"
        self.token = ""
        if database.startswith("postgresql"):
            self._run("db", "upgrade")
            self.token = json.loads(self._run("bootstrap", "--json"))["token"]

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SETRIGHT_")}
        ours = {"SETRIGHT_DATABASE": self._database, "SETRIGHT_DATA_FOLDER": str(self._folder / "data")}
        return {**kept, **ours, "SETRIGHT_RATE_PER_SECOND": "0", "HOME": str(self._folder)}

    def _run(self, *arguments: str) -> str:
        command = [*self._prefix, COMMAND, *arguments]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=self._folder,
            env=self._environment(),
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self) -> None:
        """Start the server, and wait until it says where it answers."""
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*self._prefix, COMMAND, "serve", "--port", str(self._port), "--json"],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self._folder,
                env=self._environment(),
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the server ended: {self.log.read_text()[-2000:]}"
        told = json.loads(line)
        self.port = int(told["url"].rpartition(":")[2])
        self.token = self.token or told["token"]

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self._process is not None
        return self._process.pid

    def wire(self) -> Wire:
        """The person who made the ledger, as a caller."""
        return Wire(self.port, self.token)

    def kill(self) -> None:
        """End it at once, as a crash does (kill -9)."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(number)
        code = process.wait(60)
        assert process.stdout is not None
        process.stdout.close()
        return code
