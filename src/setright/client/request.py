"""One request to the server, described without sending it, and how its answer is read."""

import json
import secrets
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from setright.client.errors import Unexpected
from setright.client.records import Receipt, Unreadable
from setright.client.values import encode

T = TypeVar("T")

Query = tuple[tuple[str, str], ...]
_EXCERPT = 500


@dataclass(frozen=True)
class Answer:
    """An HTTP answer as it came; the names in `headers` are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> object:
        """The body as JSON, None when there is none; raises `Unexpected` when it is something else."""
        if not self.body:
            return None
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise self.unexpected("with a body that is not JSON") from None

    def receipt(self) -> Receipt:
        """What came beside the body."""
        replayed = self.headers.get("idempotent-replay", "").lower() == "true"
        return Receipt(self.status, self.headers.get("x-request-id"), self.headers.get("etag"), replayed)

    def unexpected(self, what: str) -> Unexpected:
        """This answer as an exception: `what` completes the sentence "The server answered 200 ...".."""
        kind = self.headers.get("content-type", "no content type")
        place = self.headers.get("location")
        hint = f"; it points to {place}" if place and 300 <= self.status < 400 else ""
        return Unexpected(
            f"The server answered {self.status} {what} ({kind}{hint}). Is the address that of a Setright server?",
            status=self.status,
            body=self.body[:_EXCERPT].decode("utf-8", "replace"),
            request_id=self.headers.get("x-request-id"),
        )


@dataclass(frozen=True)
class Request(Generic[T]):
    """What is to be sent: `path` and `query` are percent-encoded already, `key` is set exactly when it writes."""

    method: str
    path: str
    parse: Callable[[object, Receipt], T]
    query: Query = ()
    body: bytes | None = None
    key: str | None = None
    goes_on_by: str = "cursor"
    if_match: str | None = None

    @classmethod
    def get(
        cls,
        path: str,
        parse: Callable[[object, Receipt], T],
        query: Query = (),
        *,
        goes_on_by: str = "cursor",
    ) -> Self:
        """A read; of a list, `goes_on_by` is the parameter that asks for what comes after a page."""
        return cls("GET", path, parse, query, goes_on_by=goes_on_by)

    @classmethod
    def write(
        cls,
        method: str,
        path: str,
        parse: Callable[[object, Receipt], T],
        body: object = None,
        *,
        key: str | None,
        query: Query = (),
        if_match: str | None = None,
    ) -> Self:
        """A write with the caller's key, or with a fresh one; the body is encoded once, so every try sends the same.

        `if_match` is the ETag of the state that the write is meant for.
        """
        data = None if body is None else encode(body)
        return cls(method, path, parse, query, data, checked_key(key), if_match=if_match)

    @property
    def target(self) -> str:
        """Path and query as they stand in the request line."""
        pairs = "&".join(f"{name}={value}" for name, value in self.query)
        return f"{self.path}?{pairs}" if pairs else self.path

    def headers(self) -> dict[str, str]:
        """The headers that belong to this request alone."""
        headers: dict[str, str] = {}
        if self.body is not None:
            headers["Content-Type"] = "application/json"
        if self.key is not None:
            headers["Idempotency-Key"] = self.key
        if self.if_match is not None:
            headers["If-Match"] = self.if_match
        return headers

    def read(self, answer: Answer) -> T:
        """What a successful answer holds."""
        try:
            return self.parse(answer.json(), answer.receipt())
        except Unreadable as fault:
            error = answer.unexpected(f"with something else than the contract says: {fault}")
        except Unexpected as fault:
            error = fault
        error.key = self.key
        raise error from None


Plan = Generator[Request[Any], Any, T]
"""Several requests that make one call: it yields a request, is sent what the answer holds, and returns the whole."""


def nothing(_value: object, _receipt: Receipt) -> None:
    """Reads an answer whose body says nothing that a caller needs."""


def checked_key(key: str | None) -> str:
    """The caller's Idempotency-Key, or a fresh one; what no header can carry is a ValueError."""
    if key is None:
        return secrets.token_hex(16)
    if not key or not key.isascii() or not key.isprintable() or key != key.strip():
        raise ValueError(f"key is {key!r}: an Idempotency-Key is one or more printable ASCII characters.")
    return key
