"""What goes wrong on the wire itself: raw bytes on a real socket, and answers in the one envelope."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from setright.faces.http import protocol, request
from setright.faces.http.application import build
from tests.http.support import Api, Caller, Served

LOCAL = b"Host: localhost\r\n"


@pytest.fixture(scope="module")
def served(lone_api: Api) -> Iterator[Served]:
    opened = Served(build(lone_api.app))
    yield opened
    opened.stop()


@pytest.fixture
def bearer(lone: Caller) -> bytes:
    return f"Authorization: Bearer {lone.token}\r\n".encode()


def exchange(served: Served, parts: Sequence[bytes], seconds: float = 10) -> bytes:
    """What the server sends until it closes the connection, or says nothing for a moment."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=seconds) as connection:
        for part in parts:
            connection.sendall(part)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return received


def answers(raw: bytes) -> list[tuple[int, dict[str, str], bytes]]:
    """The answers in what a server sent."""
    found: list[tuple[int, dict[str, str], bytes]] = []
    while raw:
        head, _, rest = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        length = int(headers.get("content-length", 0))
        found.append((int(first.split()[1]), headers, rest[:length]))
        raw = rest[length:]
    return found


def refused(served: Served, parts: Sequence[bytes], status: int, code: str) -> dict[str, Any]:
    """The one answer to what was sent, which must be in the envelope."""
    ((found, headers, body),) = answers(exchange(served, parts))
    error: dict[str, Any] = json.loads(body)["error"]
    assert (found, error["code"]) == (status, code), body
    assert headers["content-type"] == "application/json"
    assert headers["x-request-id"] == error["requestId"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "date" in headers
    return error


BROKEN = {
    "content-length and transfer-encoding": b"POST /v1/runs HTTP/1.1\r\n%bContent-Length: 3\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nabc" % LOCAL,
    "two content-lengths": b"POST /v1/runs HTTP/1.1\r\n%bContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"
    % LOCAL,
    "no request line": b"\x16\x03\x01\x02\x00\r\n\r\n",
    "unknown method": b"FETCH /v1/me HTTP/1.1\r\n%b\r\n" % LOCAL,
    "space in the path": b"GET /v1/m e HTTP/1.1\r\n%b\r\n" % LOCAL,
    "byte outside ASCII": b"GET /v1/\xff HTTP/1.1\r\n%b\r\n" % LOCAL,
    "space before the colon": b"GET /v1/me HTTP/1.1\r\nHost : localhost\r\n\r\n",
    "line feeds alone": b"GET /v1/me HTTP/1.1\nHost: localhost\n\n",
    "unknown coding": b"POST /v1/runs HTTP/1.1\r\n%bTransfer-Encoding: gzip\r\n\r\nabc" % LOCAL,
    "a coding before chunked": b"POST /v1/runs HTTP/1.1\r\n%bTransfer-Encoding: gzip, chunked\r\n\r\n"
    b"2\r\n{}\r\n0\r\n\r\n" % LOCAL,
    "a coding in another header": b"POST /v1/runs HTTP/1.1\r\n%bTransfer-Encoding: gzip\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" % LOCAL,
    "chunks with HTTP/1.0": b"POST /v1/runs HTTP/1.0\r\n%bTransfer-Encoding: chunked\r\n\r\n"
    b"2\r\n{}\r\n0\r\n\r\n" % LOCAL,
    "broken chunk": b"POST /v1/runs HTTP/1.1\r\n%bContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" % LOCAL,
    "http/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "connect": b"CONNECT localhost:80 HTTP/1.1\r\n%b\r\n" % LOCAL,
    "another host in the request line": b"GET http://evil.example/v1/me HTTP/1.1\r\n%b\r\n" % LOCAL,
    "upgrade with a body": b"POST /v1/runs HTTP/1.1\r\n%bConnection: Upgrade\r\nUpgrade: h2c\r\n"
    b"Content-Length: 2\r\n\r\n{}" % LOCAL,
    "no host": b"GET /v1/me HTTP/1.1\r\n\r\n",
    "empty host": b"GET /v1/me HTTP/1.1\r\nHost:\r\n\r\n",
    "two hosts": b"GET /v1/me HTTP/1.1\r\n%b%b\r\n" % (LOCAL, LOCAL),
    "two different hosts": b"GET /v1/me HTTP/1.1\r\n%bHost: evil.example\r\n\r\n" % LOCAL,
    "no host at all in the header": b"GET /v1/me HTTP/1.1\r\nHost: local host\r\n\r\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_request_is_answered_in_the_envelope(served: Served, name: str) -> None:
    refused(served, [BROKEN[name]], 400, "invalid-request")


def test_the_callers_request_id_is_used_where_it_could_be_read(served: Served) -> None:
    parts = [
        b"POST /v1/runs HTTP/1.1\r\nX-Request-Id: mine-1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n"
    ]
    assert refused(served, parts, 400, "invalid-request")["requestId"] == "mine-1"


HEADS = {
    "one long header": [b"GET /v1/me HTTP/1.1\r\n", LOCAL, b"X-A: " + b"a" * 70_000 + b"\r\n\r\n"],
    "many headers": [b"GET /v1/me HTTP/1.1\r\n", LOCAL, b"X-A: b\r\n" * 9_000, b"\r\n"],
    "a long path": [b"GET /v1/" + b"a" * 70_000 + b" HTTP/1.1\r\n" + LOCAL + b"\r\n"],
    "a head without an end": [b"GET /v1/me HTTP/1.1\r\n" + LOCAL + b"X-A: " + b"a" * 900_000],
}


@pytest.mark.parametrize("name", HEADS)
def test_headers_over_64_kib_are_431(served: Served, name: str) -> None:
    error = refused(served, HEADS[name], 431, "headers-too-large")
    assert error["details"] == {"maxBytes": 64 * 1024}


def test_headers_just_below_the_limit_pass(served: Served) -> None:
    long = b"X-A: " + b"a" * 60_000 + b"\r\n\r\n"
    ((status, _, _),) = answers(exchange(served, [b"GET /healthz HTTP/1.1\r\n", LOCAL, long]))
    assert status == 200


@pytest.mark.parametrize("connection", [b"keep-alive", b"close"])
def test_a_client_that_is_still_sending_gets_its_413(
    served: Served, bearer: bytes, connection: bytes
) -> None:
    head = b"POST /v1/runs HTTP/1.1\r\n%b%bConnection: %b\r\nContent-Type: application/json\r\n" % (
        LOCAL,
        bearer,
        connection,
    )
    body = b"a" * 9_000_000
    refused(served, [head + b"Content-Length: 9000000\r\n\r\n", body], 413, "request-too-large")
    chunks = [b"%x\r\n%b\r\n" % (len(body), body), b"0\r\n\r\n"]
    refused(served, [head + b"Transfer-Encoding: chunked\r\n\r\n", *chunks], 413, "request-too-large")


def test_a_client_that_waits_for_its_413_gets_it(
    served: Served, bearer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "DRAIN_SECONDS", 0.2)
    head = b"POST /v1/runs HTTP/1.1\r\n%b%bConnection: close\r\nContent-Type: application/json\r\n" % (
        LOCAL,
        bearer,
    )
    with socket.create_connection(("127.0.0.1", served.port), timeout=5) as connection:
        connection.sendall(head + b"Content-Length: 9000000\r\n\r\n{")
        assert connection.recv(10_000).startswith(b"HTTP/1.1 413")


def test_a_connection_goes_on_after_a_body_that_was_too_large(served: Served, bearer: bytes) -> None:
    head = (
        b"POST /v1/runs HTTP/1.1\r\n%b%bContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n"
        % (
            LOCAL,
            bearer,
        )
    )
    second = b"GET /healthz HTTP/1.1\r\n%b\r\n" % LOCAL
    told = answers(exchange(served, [head, b"a" * 5_000_000, second]))
    assert [status for status, _, _ in told] == [413, 200]


def test_a_client_that_waits_for_a_go_ahead_gets_it_or_the_reason(served: Served, bearer: bytes) -> None:
    head = b"POST /v1/runs HTTP/1.1\r\n%b%bExpect: 100-continue\r\nContent-Type: application/json\r\n" % (
        LOCAL,
        bearer,
    )
    refused(served, [head + b"Content-Length: 9000000\r\n\r\n"], 413, "request-too-large")
    told = exchange(served, [head + b"Content-Length: 2\r\n\r\n", b"{}"])
    assert told.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400")


def test_garbage_after_a_good_request_does_not_take_its_answer(served: Served) -> None:
    good = b"GET /healthz HTTP/1.1\r\n%b\r\n" % LOCAL
    ((status, headers, _),) = answers(exchange(served, [good + b"GARBAGE\r\n\r\n"]))
    assert (status, headers["connection"]) == (200, "close")


def test_requests_in_one_packet_are_answered_in_order(served: Served) -> None:
    both = b"GET /healthz HTTP/1.1\r\n%b\r\nGET /readyz HTTP/1.1\r\n%b\r\n" % (LOCAL, LOCAL)
    told = answers(exchange(served, [both]))
    assert [json.loads(body)["status"] for _, _, body in told] == ["ok", "ready"]


def test_an_upgrade_that_nobody_offers_is_answered_as_if_it_was_not_asked_for(served: Served) -> None:
    asking = b"GET /healthz HTTP/1.1\r\n%bConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n" % LOCAL
    told = answers(exchange(served, [asking, asking + asking]))
    assert [status for status, _, _ in told] == [200, 200, 200]


@pytest.mark.parametrize("asked", [b"", b"Connection: Upgrade\r\nUpgrade: websocket\r\n"])
def test_a_thousand_requests_in_one_go_are_all_answered(served: Served, asked: bytes) -> None:
    one = b"GET /nothing HTTP/1.1\r\n%b%bX-A: %b\r\n\r\n" % (LOCAL, asked, b"a" * 80)
    told = answers(exchange(served, [one * 1_500]))
    assert [status for status, _, _ in told] == [404] * 1_500


CHUNKED = (
    b"POST /v1/runs HTTP/1.1\r\n%bContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n" % LOCAL
)


def test_a_header_behind_the_body_is_none(served: Served, bearer: bytes) -> None:
    parts = [CHUNKED + b"\r\n2\r\n{}\r\n0\r\n" + bearer + b"X-Request-Id: behind\r\n\r\n"]
    assert refused(served, parts, 401, "auth-missing")["requestId"] != "behind"
    parts = [CHUNKED + bearer + b"\r\n2\r\n{}\r\n0\r\nAuthorization: none\r\n\r\n"]
    refused(served, parts, 400, "invalid-body")


ENDLESS = {
    "a header behind the body": b"2\r\n{}\r\n0\r\nX-A: ",
    "headers behind the body": b"2\r\n{}\r\n0\r\n",
    "words about a chunk": b"2;",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_surrounds_a_body_has_an_end(served: Served, bearer: bytes, name: str) -> None:
    more = b"X-A: b\r\n" * 8_000 if name == "headers behind the body" else b"a" * 64_000
    parts = [CHUNKED + bearer + b"\r\n" + ENDLESS[name], *[more] * 20]
    refused(served, parts, 431, "headers-too-large")


def test_many_small_chunks_are_a_body_like_any_other(served: Served, bearer: bytes) -> None:
    chunks = [b"1;a=b\r\n \r\n" * 10_000] * 20
    refused(served, [CHUNKED + bearer + b"\r\n", *chunks, b"0\r\n\r\n"], 400, "invalid-body")


def test_a_request_is_answered_once_whatever_follows_its_answer(served: Served) -> None:
    head = b"POST /v1/runs HTTP/1.1\r\n%bContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=5) as connection:
        connection.sendall(head % LOCAL)
        assert connection.recv(10_000).startswith(b"HTTP/1.1 415")
        connection.sendall(b"broken\r\n")
        assert connection.recv(10_000) == b""


def test_a_second_request_that_is_broken_is_answered_too(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=5) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\n%b\r\n" % LOCAL)
        assert connection.recv(10_000).startswith(b"HTTP/1.1 200")
        connection.sendall(BROKEN["upgrade with a body"])
        assert connection.recv(10_000).startswith(b"HTTP/1.1 400")


def test_a_whole_address_in_the_request_line_is_fine_where_it_is_ours(served: Served) -> None:
    ((status, _, _),) = answers(
        exchange(served, [b"GET http://localhost/healthz HTTP/1.1\r\n%b\r\n" % LOCAL])
    )
    assert status == 200


def test_a_client_that_leaves_while_sending_harms_nobody(served: Served, bearer: bytes) -> None:
    head = b"POST /v1/runs HTTP/1.1\r\n%b%bContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{" % (
        LOCAL,
        bearer,
    )
    assert exchange(served, [head]) == b""
    ((status, _, _),) = answers(exchange(served, [b"GET /healthz HTTP/1.1\r\n%b\r\n" % LOCAL]))
    assert status == 200


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [b"GET /v1/me HT"],
        [b"GET /healthz HTTP/1.1\r\n", b"X-A: b\r\n", b"X-A: b\r\n", b"X-A: b\r\n", b"X-A: b\r\n"],
        [
            b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
            b"Content-Length: 9\r\nBEARER\r\n{",
        ],
    ],
    ids=["nothing", "half a line", "a header now and then", "half a body"],
)
def test_a_client_that_does_not_go_on_is_not_waited_for(
    served: Served, bearer: bytes, monkeypatch: pytest.MonkeyPatch, parts: list[bytes]
) -> None:
    monkeypatch.setattr(protocol, "PATIENCE_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", served.port), timeout=5) as connection:
        began = time.monotonic()
        for part in parts:
            connection.sendall(part.replace(b"BEARER", bearer.strip() + b"\r\n"))
            time.sleep(0.1)
        assert connection.recv(100) == b""
        assert time.monotonic() - began < 3


def test_a_slow_body_is_waited_for_while_it_comes(
    served: Served, bearer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "PATIENCE_SECONDS", 0.4)
    head = b"POST /v1/runs HTTP/1.1\r\n%bContent-Type: application/json\r\nContent-Length: 8\r\n%b\r\n" % (
        LOCAL,
        bearer,
    )
    with socket.create_connection(("127.0.0.1", served.port), timeout=5) as connection:
        connection.sendall(head)
        for _ in range(8):
            time.sleep(0.15)
            connection.sendall(b" ")
        assert connection.recv(100).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("path", [b"/healthz", b"/v1/nothing", b"/openapi.json"])
def test_an_answer_comes_in_one_packet(served: Served, path: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=5) as connection:
        for _ in range(20):
            connection.sendall(b"GET %b HTTP/1.1\r\n%b\r\n" % (path, LOCAL))
            ((_, headers, body),) = answers(connection.recv(1_000_000))
            assert len(body) > 0
            while len(body) < int(headers["content-length"]):
                body += connection.recv(1_000_000)


@pytest.mark.parametrize("connection", [b"keep-alive", b"close"])
def test_answers_without_a_body_are_not_kept_back(served: Served, bearer: bytes, connection: bytes) -> None:
    for asked, status in ((b"HEAD /healthz", 200), (b"OPTIONS /v1/runs", 204)):
        sent = b"%b HTTP/1.1\r\n%b%bConnection: %b\r\n\r\n" % (asked, LOCAL, bearer, connection)
        with socket.create_connection(("127.0.0.1", served.port), timeout=5) as opened:
            opened.sendall(sent)
            assert opened.recv(10_000).startswith(b"HTTP/1.1 %d" % status)


def test_a_stream_without_a_length_is_not_kept_back() -> None:
    """Whoever answers in parts, as events do, has the head at the client before the first part."""
    going = threading.Event()

    async def streaming(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.to_thread(going.wait, 5)
        await send({"type": "http.response.body", "body": b"part"})

    opened = Served(streaming)
    with socket.create_connection(("127.0.0.1", opened.port), timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n%b\r\n" % LOCAL)
        assert connection.recv(10_000).endswith(b"transfer-encoding: chunked\r\n\r\n")
        going.set()
        assert connection.recv(10_000).startswith(b"4\r\npart")
    opened.stop()
