"""Asking a server, within a time that holds for everything together: names, connection, and every byte."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from setright.hooks.place import object_in
from setright.hooks.server import Server

T = TypeVar("T")
MOST_BYTES = 4 * 1024 * 1024
PORTS = {"http": 80, "https": 443}


class Unheard(Exception):
    """No usable answer came in time; the message says what came instead."""


class Heard(NamedTuple):
    """An answer: `body` is the JSON object in it, or empty."""

    status: int
    body: Mapping[str, Any]


def within(seconds: float, work: Callable[[], T]) -> T:
    """What the work gives; Unheard when it takes longer, and the work then goes on without anybody listening.

    A socket's own time limit begins again with every byte, and looking up a name has none.
    """
    ended: list[Callable[[], T]] = []

    def do() -> None:
        try:
            found = work()
        except Exception as error:  # noqa: BLE001 - it is raised again where somebody waits for it
            ended.append(_raiser(error))
        else:
            ended.append(lambda: found)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    thread.join(max(seconds, 0))
    if not ended:
        raise Unheard("no answer in time")
    return ended[0]()


def ask(
    server: Server,
    method: str,
    path: str,
    *,
    until: float,
    body: Mapping[str, Any] | None = None,
    key: str = "",
) -> Heard:
    """One request; `until` is a moment of the monotonic clock. A redirect is an answer, and is never followed."""
    left = until - time.monotonic()
    if left <= 0:
        raise Unheard("no time is left")
    return within(left, lambda: _ask(server, method, path, left, body, key))


def _ask(
    server: Server, method: str, path: str, seconds: float, body: Mapping[str, Any] | None, key: str
) -> Heard:
    content = None if body is None else json.dumps(body).encode()
    headers = {"Accept": "application/json", "Connection": "close", "User-Agent": "setright-hooks"}
    if server.token:
        headers["Authorization"] = f"Bearer {server.token}"
    if content is not None:
        headers["Content-Type"] = "application/json"
    if key:
        headers["Idempotency-Key"] = key
    connection, prefix = _connection(server.url, seconds)
    with contextlib.closing(connection):
        try:
            connection.request(method, prefix + path, content, headers)
            answer = connection.getresponse()
            return Heard(answer.status, object_in(answer.read(MOST_BYTES)) or {})
        except (OSError, HTTPException, ValueError) as error:
            raise Unheard(f"{server.url} does not answer: {error or type(error).__name__}") from error


def _connection(url: str, seconds: float) -> tuple[HTTPConnection, str]:
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError as error:
        raise Unheard(f"SETRIGHT_URL is no address: {error}") from error
    if scheme not in PORTS or not host:
        raise Unheard("SETRIGHT_URL must begin with http:// or https:// and name a server")
    kind = HTTPSConnection if scheme == "https" else HTTPConnection
    return kind(host, port or PORTS[scheme], timeout=seconds), parts.path.rstrip("/")


def _raiser(error: Exception) -> Callable[[], Any]:
    def again() -> Any:
        raise error

    return again
