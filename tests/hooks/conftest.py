"""A machine of its own for hooks, and a server that answers what a test tells it to."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from setright.hooks.place import Asked, Machine

RULE = {
    "id": "les_01KE5MCQ80000000000000000E",
    "rule": "Never force-push to a shared branch.",
    "mustNotCall": [
        {"tool": "Bash", "args": {"command": "git push --force"}, "match": {"command": {"prefix": True}}}
    ],
}
PLAIN = {"id": "les_01KE5MCQ80000000000000000F", "rule": "Answer in French."}
BRIEFING = {
    "briefing": "Adopted corrections: \n- Never force-push to a shared branch.\n- Answer in French.",
    "rules": [PLAIN],
    "open": [],
    "leftOut": 0,
    "guard": [RULE],
}


class Canned:
    """A server on loopback: `answers` by path, everything that it was asked, and how long it waits first."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {
            "/v1/briefing": (200, BRIEFING),
            "/v1/lessons/stops": (200, {"counted": 1}),
        }
        self.asked: list[tuple[str, str, dict[str, str], Any]] = []
        self.waits = 0.0
        self.drips = False
        self.over = threading.Event()
        canned = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                canned.answer(self)

            do_POST = do_GET  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        path, _, query = handler.path.partition("?")
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        self.asked.append((path, query, dict(handler.headers), json.loads(body) if body else None))
        self.over.wait(self.waits)
        status, document = self.answers.get(path, (404, {}))
        content = document if isinstance(document, bytes) else json.dumps(document).encode()
        with contextlib.suppress(OSError):  # nobody may be listening any more
            handler.send_response(status)
            handler.send_header("Content-Length", str(len(content)))
            if 300 <= status < 400:
                handler.send_header("Location", "/elsewhere")
            handler.end_headers()
            for piece in [bytes([byte]) for byte in content] if self.drips else [content]:
                handler.wfile.write(piece)
                self.over.wait(0.2 if self.drips else 0)

    def asked_for(self, path: str) -> list[tuple[str, dict[str, str], Any]]:
        return [(query, headers, body) for asked, query, headers, body in self.asked if asked == path]


@pytest.fixture
def canned() -> Iterator[Canned]:
    made = Canned()
    yield made
    made.over.set()
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with an empty data folder, which the hooks of this process find."""
    for name in ("SETRIGHT_URL", "SETRIGHT_TOKEN", "SETRIGHT_DATABASE", "SETRIGHT_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SETRIGHT_DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return Machine()


@pytest.fixture
def asked(machine: Machine) -> Asked:
    return Asked(machine.server, "claude-code", "")
