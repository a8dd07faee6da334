"""The wire: uvicorn's httptools protocol, except that what it answers or tolerates by itself follows our contract."""

import asyncio
import http
from collections.abc import Callable
from typing import Any, cast

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from setright.faces.http.envelope import envelope
from setright.faces.http.errors import HeadersTooLarge, InvalidRequest
from setright.faces.http.request import FIXED_HEADERS, JSON_TYPE, chosen_request_id
from setright.kernel.clock import Clock
from setright.kernel.errors import Refusal
from setright.kernel.ids import Ids

HEAD_BYTES = 64 * 1024
DISCARD_BYTES = 256 * 1024 * 1024
LINGER_SECONDS = 2.0
PATIENCE_SECONDS = 30.0

_new_id = Ids()
_clock = Clock()


class _Stop(Exception):
    """Leaves the parser; the refusal to answer with is on the protocol."""


class _Joined:
    """The transport of one answer: a head of known length goes out with its body, in one packet and one system call."""

    __slots__ = ("_cycle", "_done", "_head", "_told", "_transport")

    def __init__(self, transport: asyncio.Transport, cycle: Any, done: Callable[[], None]) -> None:
        self._transport = transport
        self._cycle = cycle
        self._done = done
        self._head = b""
        self._told = False

    def write(self, part: bytes) -> None:
        """Write a part of the answer, or keep it back until the next one comes."""
        if not self._told and self._cycle.response_started:
            self._told = True
            if self._cycle.chunked_encoding is False:
                self._head = part
                return
        head, self._head = self._head, b""
        self._transport.write(head + part)

    def finish(self) -> None:
        """Write what was kept back, such as the head of an answer without a body."""
        if self._head:
            self.write(b"")
        self._done()

    def close(self) -> None:
        """Close the connection once everything is written."""
        if self._head:
            self.write(b"")
        self._transport.close()

    def is_closing(self) -> bool:
        """Whether the connection is about to end."""
        return self._transport.is_closing()


class Protocol(HttpToolsProtocol):
    """One connection; a request that cannot be read is answered in our envelope, and the connection ends.

    It ends gently: the answer goes out, what the client is still sending is read and dropped for a moment, so that
    the answer is not lost to a reset.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._in_head = True
        self._came_on = False
        self._stuck_bytes = 0
        self._head_since = 0.0
        self._dropped_bytes = 0
        self._unfinished = False
        self._ending = False
        self._fault: Refusal | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """A client that says nothing is not waited for."""
        super().connection_made(transport)
        self._wait(PATIENCE_SECONDS)

    def _wait(self, seconds: float) -> None:
        """Close the connection unless more comes within so many seconds."""
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(max(seconds, 0), self.timeout_keep_alive_handler)

    def data_received(self, data: bytes) -> None:
        """Feed the parser; what it cannot read ends the connection with an answer."""
        if self._ending:
            return
        self._unset_keepalive_if_required()
        self._came_on = False
        try:
            self._feed(data)
        except httptools.HttpParserError as error:
            self._refuse(self._fault or _unreadable(error))
            return
        self._stuck_bytes = 0 if self._came_on else self._stuck_bytes + len(data)
        if self._stuck_bytes > HEAD_BYTES:
            self._refuse(HeadersTooLarge(HEAD_BYTES))
            return
        if self._unfinished:
            spent = self.loop.time() - self._head_since if self._in_head else 0.0
            self._wait(PATIENCE_SECONDS - spent)

    def _feed(self, data: bytes) -> None:
        """Have the parser read on; it stops behind a request that asks for another protocol, which is not given."""
        parser: Any = self.parser
        while data:
            try:
                parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                data = data[upgrade.args[0] :]
            else:
                return

    def on_message_begin(self) -> None:
        """The first byte of a request: the rest of its head must follow soon."""
        self._unfinished = True
        self._head_since = self.loop.time()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; what comes behind a body (a trailer) is none: nobody on the way has checked it as one."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Check what the application cannot see, then start it."""
        self._fault = self._fault_of_head()
        if self._fault is not None:
            raise _Stop
        self._in_head = False
        self._came_on = True
        self._dropped_bytes = 0
        super().on_headers_complete()
        cycle: Any = self.cycle
        joined = _Joined(self.transport, cycle, self.on_response_complete)
        cycle.transport, cycle.on_response = joined, joined.finish

    def _fault_of_head(self) -> Refusal | None:
        headers, parser = self.headers, cast("Any", self.parser)
        if len(self.url) + sum([len(name) + len(value) + 4 for name, value in headers]) > HEAD_BYTES:
            return HeadersTooLarge(HEAD_BYTES)
        if parser.should_upgrade() and any(
            name == b"transfer-encoding" or (name == b"content-length" and value.strip() != b"0")
            for name, value in headers
        ):
            return InvalidRequest(
                "A request with a body cannot ask for another protocol; send it without the Upgrade header "
                "(clients that try HTTP/2 first must be set to HTTP/1.1)."
            )
        codings = [value.strip().lower() for name, value in headers if name == b"transfer-encoding"]
        if codings and (codings != [b"chunked"] or parser.get_http_version() != "1.1"):
            return InvalidRequest("A Transfer-Encoding can only be chunked, once, and with HTTP/1.1.")
        if self.url[:1] not in (b"/", b"*") and not self._names_its_host():
            return InvalidRequest("The request line names another host than the Host header.")
        return None

    def _names_its_host(self) -> bool:
        """Whether a request line with a whole address agrees with the Host header."""
        authority = self.url.partition(b"://")[2].partition(b"/")[0].partition(b"?")[0]
        return [value.lower() for name, value in self.headers if name == b"host"] == [authority.lower()]

    def on_body(self, body: bytes) -> None:
        """Keep what the application will read; of what comes after its answer, drop so much and no more."""
        self._came_on = True
        if self.cycle.response_complete:
            self._dropped_bytes += len(body)
            if self._dropped_bytes > DISCARD_BYTES:
                self.transport.close()
            return
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The next byte begins another request."""
        self._in_head = self._came_on = True
        self._unfinished = False
        super().on_message_complete()

    def eof_received(self) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        """A client that has said everything still gets the answers that it waits for; then the connection ends."""
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete or cycle.more_body or self.scheme == "https":
            return False
        self._ending = True
        cycle.keep_alive = False
        return True

    def _refuse(self, refusal: Refusal) -> None:
        """Answer in place of the application, unless a request is still being answered, or was before its body ended."""
        self._ending = True
        cycle: Any = self.cycle
        if cycle is not None and cycle.response_complete and not self._in_head:
            self.transport.close()
            return
        if cycle is not None and not cycle.response_complete:
            if not cycle.more_body:
                cycle.keep_alive = False
                return
            cycle.disconnected = True
            cycle.message_event.set()
            if self.pipeline:
                self.transport.close()
                return
        self.logger.info("refused a request: %s", refusal.code)
        self.transport.write(self._answer(refusal))
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
            self.loop.call_later(LINGER_SECONDS, self.transport.close)
        else:
            self.transport.close()

    def _answer(self, refusal: Refusal) -> bytes:
        given = [value for name, value in self.headers or () if name == b"x-request-id"]
        request_id = chosen_request_id(given[0] if len(given) == 1 else None) or _new_id("req", _clock.now())
        answer = envelope(refusal, request_id)
        status = http.HTTPStatus(answer.status)
        headers = [
            *self.server_state.default_headers,
            *FIXED_HEADERS,
            (b"content-type", JSON_TYPE),
            (b"content-length", str(len(answer.body)).encode()),
            (b"x-request-id", request_id.encode()),
            (b"connection", b"close"),
        ]
        lines = b"".join(b"%s: %s\r\n" % header for header in headers)
        return b"HTTP/1.1 %d %s\r\n%s\r\n%s" % (status, status.phrase.encode(), lines, answer.body)


def _unreadable(error: httptools.HttpParserError) -> Refusal:
    """Why a request could not be read; the parser's words are fixed texts that hold nothing of the request."""
    known = type(error) is httptools.HttpParserError
    return InvalidRequest(
        f"The request is not valid HTTP ({error})." if known else "The request is not valid HTTP."
    )
