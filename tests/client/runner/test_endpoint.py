"""An agent behind an address gets each case as JSON; what passes is tried again, what does not is told."""

import re
import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from setright.client.records import Record
from setright.client.runner.agent import AgentNotUsable
from setright.client.runner.endpoint import Endpoint
from setright.client.runner.outcome import AgentFault
from tests.client.told_server import ToldServer

CASE = Record.read({"id": "cas_1", "input": {"question": "How long?"}})


def at(server: ToldServer, **more: Any) -> Endpoint:
    return Endpoint(f"{server.url}/case", timeout=5.0, first_wait=0.001, **more)


def test_a_case_is_posted_and_the_answer_read(server: ToldServer) -> None:
    server.says(200, {"answer": "14 days", "calls": []})
    server.says(200, b"14 days", content_type="text/plain; charset=utf-8")
    server.says(200, "14 days")
    agent = at(server, headers={"Authorization": "Bearer mine"})
    assert [agent(CASE) for _ in range(3)] == [{"answer": "14 days", "calls": []}, "14 days", "14 days"]
    asked = server.asked[0]
    assert (asked.method, asked.path, asked.json) == ("POST", "/case", CASE.raw)
    assert asked.headers["authorization"] == "Bearer mine"


@pytest.mark.parametrize("status", [502, 503])
def test_what_passes_is_tried_again(server: ToldServer, status: int) -> None:
    server.says(status)
    server.says(status, b"<html>")
    server.says(200, "done")
    assert at(server)(CASE) == "done"
    assert [asked.json for asked in server.asked] == [CASE.raw] * 3


def test_it_is_not_tried_for_ever(server: ToldServer) -> None:
    for _ in range(9):
        server.says(503)
    waits: list[float] = []
    with pytest.raises(AgentFault, match="answered 503"):
        Endpoint(server.url, timeout=0.5, first_wait=0.3, sleep=waits.append)(CASE)
    assert len(waits) <= 1


@pytest.mark.parametrize(
    ("tell", "reason"),
    [
        (lambda server: server.says(500, b"Traceback ..."), "answered 500: Traceback ..."),
        (lambda server: server.says(302, None, location="http://127.0.0.1:1/"), "answered 302"),
        (lambda server: server.says(200, b"<html>"), "neither JSON nor text/plain: <html>"),
        (lambda server: server.says(200, b"[" * 100_000), "neither JSON nor text/plain"),
        (
            lambda server: server.says(200, b'"' + b"x" * 2_000 + b'"'),
            "more than 1000 bytes, which is too much",
        ),
        (lambda server: server.hangs_up(), "RemoteProtocolError"),
    ],
)
def test_what_gives_no_result_is_told(
    server: ToldServer, tell: Callable[[ToldServer], None], reason: str
) -> None:
    tell(server)
    with pytest.raises(AgentFault, match=re.escape(reason)):
        at(server, most_bytes=200_000 if "[" in reason or "neither" in reason else 1_000)(CASE)
    assert len(server.asked) == 1


def test_an_answer_that_does_not_come_is_told() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(AgentFault, match="ReadTimeout"):
            Endpoint(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2)(CASE)


def test_an_agent_that_starts_late_is_waited_for() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        agent = Endpoint(f"http://127.0.0.1:{port}", timeout=0.3, first_wait=0.001)
        with pytest.raises(AgentNotUsable, match=r"cannot be reached: .*ConnectError"):
            agent.reach()
        threading.Timer(0.1, taken.listen).start()
        with pytest.raises(AgentFault, match="ReadTimeout"):
            agent(CASE)


def test_any_answer_shows_that_it_can_be_reached(server: ToldServer) -> None:
    at(server).reach()


@pytest.mark.parametrize(
    "url", ["", "agent", "ftp://127.0.0.1/x", "http://", "http://127.0.0.1:0/", "http://[x"]
)
def test_what_is_no_address_is_told(url: str) -> None:
    with pytest.raises(AgentNotUsable, match="is no address of an agent"):
        Endpoint(url, timeout=1.0)
