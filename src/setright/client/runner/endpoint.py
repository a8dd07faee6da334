"""An agent behind an HTTP address: each case is posted to it as JSON, and what it answers is what it returned."""

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx2

from setright.client.runner.agent import AgentNotUsable
from setright.client.runner.outcome import AgentFault, told_in_a_line
from setright.client.values import encode

MOST_BYTES = 4 * 1024 * 1024
_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/plain",
    "Accept-Encoding": "identity",
}
_PASSING = (502, 503)
_EXCERPT = 200


@dataclass(frozen=True)
class Endpoint:
    """Posts a case and reads the answer; called like an agent, from several threads.

    A refused connection, 502 and 503 are tried again, with doubling waits, until `timeout` seconds have passed.
    """

    url: str
    timeout: float
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    most_bytes: int = MOST_BYTES
    sleep: Callable[[float], object] = time.sleep
    first_wait: float = 0.2

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            fits = False
        if not fits:
            raise AgentNotUsable(
                f"{self.url!r} is no address of an agent, such as http://127.0.0.1:9000/case."
            )

    def __call__(self, case: Any) -> Any:
        """What the agent answers to a case: a text, or the object of a result."""
        return self._tried(lambda: self._post(encode(case.raw)))

    def reach(self) -> None:
        """Look whether anything answers there at all; raises `AgentNotUsable`."""
        try:
            self._tried(self._head, most=min(self.timeout, 5.0))
        except AgentFault as fault:
            raise AgentNotUsable(f"The agent cannot be reached: {fault}.") from None

    def _tried(self, attempt: Callable[[], Any], most: float | None = None) -> Any:
        until = time.monotonic() + (self.timeout if most is None else most)
        wait = self.first_wait
        while True:
            try:
                return attempt()
            except _Passing as passing:
                if time.monotonic() + wait > until:
                    raise AgentFault(str(passing)) from None
            self.sleep(random.uniform(wait / 2, wait))
            wait = min(2 * wait, 8.0)

    def _head(self) -> None:
        with self._http() as http:
            try:
                http.head(self.url)
            except httpx2.TransportError as error:
                raise _Passing(f"{self.url}: {told_in_a_line(error)}") from None

    def _post(self, body: bytes) -> Any:
        headers = {**_HEADERS, **self.headers}
        with self._http() as http:
            try:
                with http.stream("POST", self.url, content=body, headers=headers) as answer:
                    return self._read(answer, self._bytes(answer))
            except httpx2.ConnectError as error:
                raise _Passing(f"{self.url}: {told_in_a_line(error)}") from None
            except httpx2.RequestError as error:
                raise AgentFault(f"{self.url}: {told_in_a_line(error)}") from None

    def _http(self) -> httpx2.Client:
        return httpx2.Client(timeout=self.timeout, headers=self.headers)

    def _bytes(self, answer: httpx2.Response) -> bytes:
        found = bytearray()
        for part in answer.iter_bytes():
            found += part
            if len(found) > self.most_bytes:
                raise AgentFault(
                    f"{self.url} answered with more than {self.most_bytes} bytes, which is too much"
                )
        return bytes(found)

    def _read(self, answer: httpx2.Response, body: bytes) -> Any:
        if answer.status_code in _PASSING:
            raise _Passing(f"{self.url} answered {answer.status_code}")
        text = body.decode("utf-8", "replace")
        if answer.status_code != 200:
            raise AgentFault(f"{self.url} answered {answer.status_code}: {text[:_EXCERPT]}")
        if answer.headers.get("content-type", "").partition(";")[0].strip().lower() == "text/plain":
            return text
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise AgentFault(
                f"{self.url} answered with something that is neither JSON nor text/plain: {text[:_EXCERPT]}"
            ) from None


class _Passing(Exception):
    """A failure after which another try may succeed."""
