"""A request as the pipeline reads it, and the headers that every answer has."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from setright.app.callers import Caller
from setright.faces.http.errors import InvalidRequest, RequestTooLarge

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

JSON_TYPE = b"application/json"
FIXED_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
DRAIN_BYTES = 64 * 1024 * 1024
DRAIN_SECONDS = 2.0
_REQUEST_ID = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"


class Gone(Exception):
    """The client went away before it had sent its request; there is nobody to answer."""


def chosen_request_id(value: bytes | None) -> str | None:
    """The caller's own request id when it is one (1 to 128 of A-Za-z0-9._-), else None."""
    if value and len(value) <= 128 and not value.translate(None, _REQUEST_ID):
        return value.decode("ascii")
    return None


class Request:
    """One HTTP request: `headers` has each name once, `doubled` the names that came more than once.

    `path` holds the decoded parameters of the path, `caller` who asks; both are set on the way through the pipeline.
    """

    __slots__ = (
        "_finished",
        "_receive",
        "caller",
        "client",
        "doubled",
        "headers",
        "http_version",
        "method",
        "path",
        "pattern",
        "query",
        "raw_path",
        "request_id",
    )

    def __init__(self, scope: Message, receive: Receive) -> None:
        self.method: str = scope["method"]
        self.raw_path: bytes = scope.get("raw_path") or scope["path"].encode()
        self.query: bytes = scope.get("query_string", b"")
        self.http_version: str = scope.get("http_version", "1.1")
        self.client: tuple[str, int] | None = scope.get("client")
        self.headers: dict[bytes, bytes] = {}
        self.doubled: set[bytes] = set()
        self.path: dict[str, str] = {}
        self.pattern = ""
        self.request_id = ""
        self.caller: Caller | None = None
        self._receive = receive
        self._finished = False
        headers = self.headers
        for name, value in scope["headers"]:
            if name in headers:
                self.doubled.add(name)
            else:
                headers[name] = value

    def text(self, name: bytes) -> str | None:
        """A header as text, None when it is absent."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1").strip()

    @property
    def has_body(self) -> bool:
        """Whether the request says that a body follows."""
        length = self.headers.get(b"content-length")
        return b"transfer-encoding" in self.headers or (length is not None and length != b"0")

    def check_length(self, most: int) -> None:
        """Refuse a body that says itself that it has more than `most` bytes."""
        declared = self.headers.get(b"content-length", b"0")
        if not declared.isdigit():
            raise InvalidRequest("Content-Length is not a number.")
        if int(declared) > most:
            raise RequestTooLarge(most)

    async def body(self, most: int) -> bytes:
        """The whole body; refuses one of more than `most` bytes, however many it said."""
        message = await self._next()
        if self._finished:
            body: bytes = message.get("body", b"")
            if len(body) > most:
                raise RequestTooLarge(most)
            return body
        parts = bytearray(message.get("body", b""))
        while not self._finished and len(parts) <= most:
            parts += (await self._next()).get("body", b"")
        if len(parts) > most:
            raise RequestTooLarge(most)
        return bytes(parts)

    async def pass_over(self, most: int) -> None:
        """Read a body of a length that nobody said, and keep nothing; refuses one of more than `most` bytes."""
        left = most
        while b"transfer-encoding" in self.headers and not self._finished:
            left -= len((await self._next()).get("body", b""))
            if left < 0:
                raise RequestTooLarge(most)

    async def drain(self) -> None:
        """Read away what is left of the body if the connection ends with the answer, which would be lost otherwise.

        Not when the client waits for a go-ahead, at most 64 MiB, and only while it keeps coming: who says that much
        more follows and then waits gets its answer. On a connection that goes on the server itself drops the rest
        after the answer.
        """
        if self._finished or not self.has_body or b"expect" in self.headers:
            return
        closes = b"close" in self.headers.get(b"connection", b"").lower() or self.http_version == "1.0"
        left = DRAIN_BYTES
        while closes and not self._finished and left > 0:
            try:
                left -= len((await asyncio.wait_for(self._next(), DRAIN_SECONDS)).get("body", b""))
            except TimeoutError:
                return

    async def _next(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self._finished = True
            raise Gone
        self._finished = not message.get("more_body", False)
        return message
