"""The server as a process of its own: it answers, it stops gracefully, and it says why it cannot start."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from setright.app.assemble import assemble
from setright.app.settings import Settings
from setright.corrections.tables import corrections
from setright.faces.http.serve import CannotListen, serve
from setright.storage import Sql
from tests.http.conftest import new_sqlite
from tests.http.support import a_correction, a_run

SCRIPT = """
import json, sys, time
from setright import runs
from setright.app import catalog, machine
from setright.app.assemble import assemble
from setright.app.settings import Settings
from setright.corrections.tables import corrections
from setright.corrections.tables import corrections
from setright.faces.http.serve import serve

settings = Settings(**json.loads(sys.argv[1]))
app = assemble(settings)
secrets = []
machine.first_tenant(app, "local", "default", "ada", secrets.append)
serve(app, lambda address: print(json.dumps({"address": address, "token": secrets[0]}), flush=True))
print("closed", flush=True)
"""


class Process:
    """A serving process and where it answers."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, json.dumps(settings)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.port = int(told["address"].rpartition(":")[2])
        self.address: str = told["address"]
        self.headers = {"authorization": f"Bearer {told['token']}", "content-type": "application/json"}

    def connect(self) -> http.client.HTTPConnection:
        """A connection to it."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)

    def send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: Any = None
    ) -> tuple[int, Any]:
        """The status and body of an answer."""
        connection.request(method, path, json.dumps(body) if body is not None else None, self.headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")


@contextmanager
def serving(folder: Path, **more: Any) -> Iterator[Process]:
    url = new_sqlite(folder)
    opened = Process({"database": url, "port": 0, "rate_per_second": 0, **more})
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.process.kill()
        opened.process.communicate(timeout=20)


def test_it_answers_and_a_signal_ends_it_with_everything_closed(tmp_path: Path) -> None:
    with serving(tmp_path, log_format="json") as server:
        assert server.address == f"http://127.0.0.1:{server.port}"
        connection = server.connect()
        assert server.send(connection, "GET", "/v1/me")[0] == 200
        assert server.send(connection, "POST", "/v1/runs", a_run())[0] == 201
        server.process.send_signal(signal.SIGTERM)
        out, err = server.process.communicate(timeout=20)
        assert (server.process.returncode, out) == (0, "closed\n")
        assert [json.loads(line)["route"] for line in err.splitlines()] == ["/v1/me", "/v1/runs"]
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port), timeout=2)


def test_what_was_accepted_is_finished_and_nothing_else(tmp_path: Path) -> None:
    """While 8 connections write, the signal comes: every answer is a success or no answer, and each success is kept."""
    with serving(tmp_path) as server:
        connection = server.connect()
        run_id = server.send(connection, "POST", "/v1/runs", a_run())[1]["id"]
        acknowledged: list[str] = []
        refused: list[int] = []

        def write() -> None:
            own = server.connect()
            while True:
                try:
                    status, body = server.send(own, "POST", "/v1/corrections", a_correction(run_id))
                except (OSError, http.client.HTTPException):
                    return
                (acknowledged.append(body["id"]) if status == 201 else refused.append(status))

        writers = [threading.Thread(target=write) for _ in range(8)]
        for writer in writers:
            writer.start()
        time.sleep(0.7)
        server.process.send_signal(signal.SIGTERM)
        for writer in writers:
            writer.join(20)
        out, _ = server.process.communicate(timeout=20)
        assert (server.process.returncode, out) == (0, "closed\n")
        assert refused == []
        assert len(acknowledged) > 8
    app = assemble(Settings(database=f"sqlite:///{tmp_path / 'ledger.db'}"))
    kept = app.store.read(lambda at: at.all(Sql(select(corrections.c.id)))).result(20)
    assert set(acknowledged) <= {row["id"] for row in kept}
    app.close()


def test_a_request_that_never_ends_does_not_hold_the_stop(tmp_path: Path) -> None:
    with serving(tmp_path, stop_seconds=1) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as held:
            head = f"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: {server.headers['authorization']}\r\n"
            held.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
            time.sleep(0.3)
            began = time.monotonic()
            server.process.send_signal(signal.SIGINT)
            told = b""
            while chunk := held.recv(65536):
                told += chunk
            out, _ = server.process.communicate(timeout=20)
        assert time.monotonic() - began < 8
        assert (server.process.returncode, out) == (0, "closed\n")
        assert b'"server-stopping"' in told
        assert told.startswith(b"HTTP/1.1 503")


def test_an_address_that_is_taken_is_told_in_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        app = assemble(Settings(database=new_sqlite(tmp_path), port=port))
        with pytest.raises(CannotListen, match=f"port {port}: something listens there already"):
            serve(app, print)


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("0.0.0.0", "tokens would travel in the clear"),
        ("192.0.2.1", "in the clear"),
        ("no.such.host.invalid", "clear"),
    ],
)
def test_an_open_address_without_tls_is_refused(tmp_path: Path, host: str, words: str) -> None:
    app = assemble(Settings(database=new_sqlite(tmp_path), host=host, port=0))
    with pytest.raises(CannotListen, match=words):
        serve(app, print)


def test_an_address_of_another_machine_is_told_in_words(tmp_path: Path) -> None:
    settings = Settings(
        database=new_sqlite(tmp_path), host="192.0.2.1", port=0, trusted_proxies=("10.0.0.1",)
    )
    with pytest.raises(CannotListen, match=r"Cannot listen on 192\.0\.2\.1"):
        serve(assemble(settings), print)


@pytest.mark.parametrize("module", ["fastapi", "mcp", "typer", "httpx2", "jinja2"])
def test_serving_loads_only_what_it_needs(module: str) -> None:
    code = f"import setright.faces.http.serve, sys; sys.exit({module!r} in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], check=False, env=os.environ, timeout=60).returncode == 0
    )
