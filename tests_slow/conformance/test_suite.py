"""The official conformance suite in both revisions of the protocol, on a real server over loopback."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from setright.app.settings import load
from setright.faces.cli.opening import open_ledger
from setright.faces.http import application
from setright.faces.http.protocol import Protocol
from setright.faces.http.request import Message, Receive, Send
from tests_slow.conformance import tools

NEW = (
    "tools-list",
    "caching",
    "dns-rebinding-protection",
    "http-header-validation",
    "sep-2164-resource-not-found",
    "input-required-result-unsupported-methods",
    "server-stateless",
)
OLD = ("server-initialize", "ping", "server-session-lifecycle", "server-sse-multiple-streams", "tools-list")
# Checks that call a tool of the suite's own sample server; without that tool there is nothing to check.
OF_THE_SAMPLE = frozenset(
    {
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    }
)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that takes a caller without a token for the person of the ledger: the suite cannot send one."""
    opened = open_ledger(load({"data_folder": str(tmp_path_factory.mktemp("ledger"))}, {}))
    assert opened.made is not None
    token = f"Bearer {opened.made.issued.secret}".encode()
    answering = application.build(opened.app)

    async def lets_in(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not any(name == b"authorization" for name, _ in scope["headers"]):
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", token)]}
        await answering(scope, receive, send)

    config = uvicorn.Config(lets_in, port=0, http=Protocol, lifespan="off", ws="none", log_level="warning")
    server = uvicorn.Server(config)
    socket = config.bind_socket()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
    thread.start()
    yield f"http://127.0.0.1:{socket.getsockname()[1]}/mcp"
    server.should_exit = True
    thread.join()
    opened.app.close()


@pytest.mark.parametrize(
    ("version", "scenario"),
    [*(("2026-07-28", name) for name in NEW), *(("2025-11-25", name) for name in OLD)],
)
def test_the_official_suite(url: str, version: str, scenario: str, tmp_path: Path) -> None:
    suite = tools.packages() / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    chosen = ("--scenario", scenario, "--spec-version", version, "-o", tmp_path / "out")
    told = tools.run(tools.node(), suite, "server", "--url", url, *chosen, folder=tmp_path)
    found = tools.checks(tmp_path / "out")
    failed = [one for one in found if one["status"] == "FAILURE" and one["id"] not in OF_THE_SAMPLE]
    assert not failed, failed
    assert found or scenario == "server-session-lifecycle", told.stdout
