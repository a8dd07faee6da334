"""A caller on a connection of its own, and the real server to speak to."""

import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from setright.app import machine
from setright.app.assemble import RunningApp, assemble
from setright.app.settings import Settings
from setright.faces.http.application import build
from setright.kernel.clock import Clock
from setright.kernel.ids import NewId
from tests.http.support import Served


@dataclass(frozen=True, slots=True)
class Told:
    """An answer as it came."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """The content as JSON."""
        return json.loads(self.content)

    @property
    def code(self) -> str | None:
        """The error code, None for an answer that is no error."""
        return self.json["error"]["code"] if self.status >= 400 else None


class Wire:
    """Sends requests with one token, each on a new connection."""

    def __init__(self, port: int, token: str, timeout: float = 30) -> None:
        self._port = port
        self._token = token
        self._timeout = timeout

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Told:
        """Send a request and wait for its answer; OSError or HTTPException where there is none."""
        sent = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            **(headers or {}),
        }
        if key is not None:
            sent["Idempotency-Key"] = key
        raw = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._timeout)
        try:
            connection.request(method, path, raw, sent)
            answer = connection.getresponse()
            given = {name.lower(): value for name, value in answer.getheaders()}
            return Told(answer.status, given, answer.read())
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """The JSON of a GET, which must be good."""
        told = self.send("GET", path)
        assert told.status == 200, told.content
        return told.json

    def post(self, path: str, body: Any, key: str | None = None) -> Any:
        """The JSON of a POST, which must be good."""
        told = self.send("POST", path, body, key)
        assert told.status < 300, told.content
        return told.json

    def until_settled(self, method: str, path: str, body: Any, key: str, seconds: float = 20) -> Told:
        """What a client of ours gets in the end: 409 in-flight and 503 are tried again with the same key."""
        give_up = time.monotonic() + seconds
        while True:
            told = self.send(method, path, body, key)
            if told.code not in (
                "idempotency-key-in-flight",
                "storage-unavailable",
                "idempotency-store-unavailable",
            ):
                return told
            assert int(told.headers["retry-after"]) >= 1
            assert time.monotonic() < give_up, told.content
            time.sleep(0.02)

    def all(self, path: str) -> list[Any]:
        """Every entry of a list, page by page."""
        entries: list[Any] = []
        joint = "&" if "?" in path else "?"
        page = self.get(f"{path}{joint}limit=100")
        while True:
            entries += page["data"]
            if not page["hasMore"]:
                return entries
            page = self.get(f"{path}{joint}limit=100&cursor={page['nextCursor']}")


class Serving:
    """The whole app on a database, behind a port of loopback."""

    def __init__(self, url: str, clock: Clock | None = None, new_id: NewId | None = None) -> None:
        self.app: RunningApp = assemble(Settings(database=url, rate_per_second=0), clock, new_id)
        self._served = Served(build(self.app))
        self.port = self._served.port

    def wire(self, token: str) -> Wire:
        """A caller."""
        return Wire(self.port, token)

    def tenant(self, name: str) -> Wire:
        """The admin of a new tenant, which has the project `default`."""
        return self.wire(machine.new_tenant(self.app, name, "default", "ada").issued.secret)

    def close(self) -> None:
        """Stop the server and close the app."""
        self._served.stop()
        self.app.close()


def a_run(**more: Any) -> dict[str, Any]:
    """The body of a finished run."""
    subject = {"kind": "agent", "id": "refunds", "version": "v1"}
    return {
        "projectId": "default",
        "subject": subject,
        "input": "may I?",
        "output": {"matches": ["a", "b"]},
        **more,
    }
