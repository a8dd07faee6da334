"""Real databases, a ledger with callers and runs in it, and the real server as a process of its own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psycopg

from benches.machine import free_port
from setright import events, identity
from setright.identity import NewProject, NewToken
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids
from setright.storage import Store, Tx
from setright.storage.address import parse
from setright.storage.open import create_or_upgrade, open_store
from tests.support.postgres import Postgres

os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
ROOT = Path(__file__).parent.parent
START_SECONDS = 30
UNREACHED = 1_000_000


class Databases:
    """New databases of both engines, all gone at the end."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="setright-bench-"))
        self._postgres: Postgres | None = None

    def new(self, engine: str, name: str) -> str:
        """The address of a new, empty database."""
        if engine == "sqlite":
            folder = self._folder / name
            folder.mkdir()
            return f"sqlite:///{folder / 'ledger.db'}"
        if self._postgres is None:
            self._postgres = Postgres()
        return self._postgres.new_database()

    def processes(self) -> list[int]:
        """The database server's own process, if one runs."""
        if self._postgres is None:
            return []
        lines = (self._postgres._folder / "data" / "postmaster.pid").read_text().splitlines()
        return [int(lines[0])]

    def close(self) -> None:
        """End the database server and remove every file."""
        if self._postgres is not None:
            self._postgres.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def durability(url: str) -> str:
    """What makes a commit last in this database, as the database itself says it."""
    if parse(url).path is not None:
        return "journal_mode=WAL synchronous=FULL"
    with psycopg.connect(url) as connection:
        told = [
            connection.execute(f"SHOW {name}".encode()).fetchone()
            for name in ("server_version", "fsync", "synchronous_commit")
        ]
    version, fsync, commit = (str(row[0]) if row else "?" for row in told)
    return f"PostgreSQL {version.split()[0]} fsync={fsync} synchronous_commit={commit}"


@contextmanager
def opened(url: str) -> Iterator[Store]:
    """The ledger at `url`, opened in this process."""
    store = open_store(url, Clock(), Ids())
    try:
        yield store
    finally:
        store.close()


@dataclass(frozen=True)
class Callers:
    """Who may call a new ledger: its admin, and services that may write in every project."""

    tenant_id: str
    admin: str
    services: list[str]


def new_ledger(url: str, services: int, projects: Sequence[str] = ()) -> Callers:
    """Make a ledger with the project `default` and more, and the secrets of those who may call."""
    create_or_upgrade(url)

    def make(tx: Tx) -> Callers:
        made = identity.bootstrap(tx)
        for project in projects:
            identity.create_project(tx, NewProject.model_validate({"id": project, "name": project}))
        wanted = [
            {"kind": "service", "name": f"desk-{number}", "role": "write"} for number in range(services)
        ]
        issued = [identity.create_token(tx, NewToken.model_validate(body)) for body in wanted]
        events.append(tx)
        return Callers(made.tenant.id, made.issued.secret, [one.secret for one in issued])

    with opened(url) as store:
        return store.write(make).result(60)


class Server:
    """A server process on the loopback; leave the `with` block and it stops."""

    def __init__(self, command: Sequence[str], port: int, environment: dict[str, str]) -> None:
        self.port = port
        self.began = time.perf_counter()
        log, self._log = tempfile.mkstemp(prefix="setright-bench-", suffix=".log")
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | environment, stdout=log, stderr=subprocess.STDOUT
        )
        os.close(log)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def wait_until(self, path: str, within: float = START_SECONDS) -> float:
        """Seconds from the start of the process to its first 200 of GET `path`."""
        while time.perf_counter() - self.began < within:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended with {self._process.returncode}:\n{self.said()}")
            if _answers(self.port, path):
                return time.perf_counter() - self.began
            time.sleep(0.002)
        raise RuntimeError(f"the server did not answer within {within} s:\n{self.said()}")

    def said(self) -> str:
        """The last of what the server wrote."""
        return Path(self._log).read_text("utf-8", "replace")[-4000:]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        Path(self._log).unlink()


def _answers(port: int, path: str) -> bool:
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(request.encode())
            return connection.recv(4096).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def setright(url: str, folder: Path) -> Server:
    """`setright serve` on the ledger at `url`; every setting as it comes, but a rate limit that nobody reaches."""
    port = free_port()
    settings = {
        "SETRIGHT_DATABASE": url,
        "SETRIGHT_DATA_FOLDER": str(folder),
        "SETRIGHT_PORT": str(port),
        "SETRIGHT_RATE_PER_SECOND": str(UNREACHED),
        "SETRIGHT_RATE_BURST": str(UNREACHED),
    }
    return Server([str(Path(sys.executable).with_name("setright")), "serve"], port, settings)


def bare(url: str) -> Server:
    """The ceiling on an empty database at `url`."""
    port = free_port()
    return Server([sys.executable, "-m", "benches.ceiling", url, str(port)], port, {})


def head(method: str, path: str, port: int, **headers: Any) -> str:
    """The head of a request up to its last header, which the caller ends."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines) + "\r\n"
