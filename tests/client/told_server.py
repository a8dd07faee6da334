"""A real HTTP server on loopback that gives the answers it was told, in order, and keeps what it was asked."""

import json
import socket
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request as it came in; `path` is the raw request target."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def key(self) -> str | None:
        return self.headers.get("idempotency-key")


@dataclass(frozen=True)
class Told:
    """One answer to give; `status` 0 hangs up instead."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class ToldServer:
    """Serves until closed; when it has nothing left to say it answers 599, which no test expects."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.connections = 0
        self._answers: deque[Told] = deque()
        told = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                told.connections += 1

            def answer(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                told.asked.append(Asked(self.command, self.path, headers, self.rfile.read(size)))
                answer = told._answers.popleft() if told._answers else Told(599)
                if answer.status == 0:
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response_only(answer.status)
                for name, value in {**answer.headers, "Content-Length": str(len(answer.body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)

        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            setattr(Handler, f"do_{method}", Handler.answer)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def says(self, status: int, body: Any = None, **headers: str) -> None:
        """Next, answer this; a body that is no bytes is sent as JSON, and `retry_after` is the header Retry-After."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"}
        sent |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        self._answers.append(Told(status, data, sent))

    def refuses(
        self, status: int, code: str, message: str = "No.", details: Any = None, **headers: str
    ) -> None:
        """Next, answer this refusal in the envelope."""
        error = {"code": code, "message": message, "requestId": "req_1"}
        self.says(status, {"error": error if details is None else {**error, "details": details}}, **headers)

    def hangs_up(self) -> None:
        """Next, close the connection without an answer."""
        self._answers.append(Told(0))

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
