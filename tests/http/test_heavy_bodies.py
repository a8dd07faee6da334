"""Bodies that cost: nobody waits for somebody else's, and nothing is kept of what a stranger sends."""

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pytest

from setright.faces.http import pipeline
from setright.faces.http.application import build
from setright.faces.http.errors import RequestTooLarge
from setright.faces.http.request import Request
from tests.http.support import Api, Caller, Served, a_run


@pytest.fixture(scope="module")
def served(lone_api: Api) -> Iterator[Served]:
    opened = Served(build(lone_api.app))
    yield opened
    opened.stop()


def send(served: Served, caller: Caller, body: Any) -> int:
    """The status of the answer to a run."""
    connection = HTTPConnection("localhost", served.port, timeout=10)
    headers = {"authorization": f"Bearer {caller.token}", "content-type": "application/json"}
    connection.request("POST", "/v1/runs", json.dumps(body), headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_others_are_served_while_a_heavy_body_is_read(
    served: Served, lone: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked, going, checking = pipeline.validate, threading.Event(), threading.Event()

    def slowly(model: Any, body: Any) -> Any:
        if body.get("output") != "light":
            checking.set()
            assert going.wait(10)
        return checked(model, body)

    monkeypatch.setattr(pipeline, "validate", slowly)
    with ThreadPoolExecutor(1) as other:
        heavy = other.submit(send, served, lone, a_run(output="x" * pipeline.HEAVY_BYTES))
        assert checking.wait(10)
        assert send(served, lone, a_run(output="light")) == 201
        going.set()
        assert heavy.result(10) == 201


def of_unknown_length(*parts: bytes) -> tuple[Request, list[bytes]]:
    """A chunked request, and the parts of its body that nobody has read yet."""
    left = list(parts)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    headers = [(b"transfer-encoding", b"chunked")]
    return Request({"method": "POST", "path": "/", "headers": headers}, receive), left


def test_a_body_that_is_passed_over_is_read_to_its_end() -> None:
    request, left = of_unknown_length(b"123", b"45", b"6")
    asyncio.run(request.pass_over(6))
    assert left == []


def test_a_body_that_is_passed_over_may_be_too_large() -> None:
    request, left = of_unknown_length(b"123", b"45", b"6", b"7")
    with pytest.raises(RequestTooLarge):
        asyncio.run(request.pass_over(4))
    assert left == [b"6", b"7"]


def test_a_strangers_body_is_not_waited_for(served: Served) -> None:
    connection = HTTPConnection("localhost", served.port, timeout=10)
    connection.putrequest("POST", "/v1/runs")
    for name, value in (("content-type", "application/json"), ("content-length", "1000000")):
        connection.putheader(name, value)
    connection.endheaders(b"{")
    assert connection.getresponse().status == 401
    connection.close()
