"""How a client is made, closed and loaded."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

import setright
from setright.client import AsyncSetright, NotConfigured, Retries, Setright, Unavailable
from tests.client.samples import RUN
from tests.client.told_server import ToldServer


@pytest.fixture(autouse=True)
def nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SETRIGHT_URL", raising=False)
    monkeypatch.delenv("SETRIGHT_TOKEN", raising=False)


def test_importing_the_package_loads_no_http_library() -> None:
    code = "import sys, setright; print('httpx2' in sys.modules, 'setright.client' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "False"]


def test_the_client_loads_nothing_of_the_server_and_brings_its_types() -> None:
    code = (
        "import sys, json, setright.client; print(json.dumps(sorted({n.split('.')[0] for n in sys.modules})))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    server = {"alembic", "mcp", "opentelemetry", "psycopg", "pydantic", "sqlalchemy", "starlette", "uvicorn"}
    assert not server & set(json.loads(shown.stdout))
    assert Path(setright.__file__).with_name("py.typed").is_file()


def test_the_package_itself_gives_both_clients() -> None:
    assert (setright.Setright, setright.AsyncSetright) == (Setright, AsyncSetright)


def test_address_and_token_come_from_the_environment(
    server: ToldServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETRIGHT_URL", server.url + "/")
    monkeypatch.setenv("SETRIGHT_TOKEN", "from-outside\n")
    server.says(200, RUN)
    with Setright() as client:
        client.runs.get("run_1")
    assert server.asked[0].headers["authorization"] == "Bearer from-outside"
    assert server.asked[0].path == "/v1/runs/run_1"


def test_what_is_given_counts_before_the_environment(
    server: ToldServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETRIGHT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("SETRIGHT_TOKEN", "from-outside")
    server.says(200, RUN)
    with Setright(f"{server.url}/behind/a/proxy/", "given") as client:
        client.runs.get("run_1")
    assert server.asked[0].headers["authorization"] == "Bearer given"
    assert server.asked[0].path == "/behind/a/proxy/v1/runs/run_1"


@pytest.mark.parametrize("kind", [Setright, AsyncSetright])
@pytest.mark.parametrize(
    ("url", "token", "said"),
    [
        (None, "t", "url is missing: .* SETRIGHT_URL"),
        ("", "t", "url is missing"),
        ("http://h", None, "token is missing: .* SETRIGHT_TOKEN"),
        ("http://h", "  ", "token is missing"),
        ("localhost:8000", "t", "url is 'localhost:8000'"),
        ("ftp://h", "t", "url is 'ftp://h'"),
        ("http://", "t", "url is 'http://'"),
        ("http://h:99999", "t", "url is"),
        ("http://h?x=1", "t", "url is"),
        ("http://me:pw@h", "t", "leave them out"),
    ],
)
def test_settings_that_cannot_be_right_are_refused_in_words(
    kind: Any, url: str | None, token: str | None, said: str
) -> None:
    with pytest.raises(NotConfigured, match=said):
        kind(url, token)


@pytest.mark.parametrize("token", ["a b", "a\nb", "ä"])
def test_a_token_that_cannot_be_right_is_refused_and_not_repeated(token: str) -> None:
    with pytest.raises(NotConfigured, match="token has characters") as raised:
        Setright("http://127.0.0.1:1", token)
    assert token not in str(raised.value)


def test_a_number_of_retries_is_short_for_the_rule() -> None:
    assert Retries(count=2) == Retries(2)
    way = httpx2.MockTransport(lambda _: httpx2.Response(503))
    slept: list[float] = []
    client = Setright("http://h", "t", retries=2, transport=way, sleep=slept.append)
    with pytest.raises(Unavailable):
        client.me()
    assert len(slept) == 2


def test_requests_can_go_to_an_application_in_the_same_process() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        assert scope["raw_path"] == b"/v1/runs/a%2Fb"
        await receive()
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        body = b'{"id":"a/b","status":"completed","projectId":"p","subject":{"kind":"flow","id":"f","version":"1"}}'
        await send({"type": "http.response.body", "body": body})

    async def ask() -> str:
        way = httpx2.ASGITransport(application)
        async with AsyncSetright("http://inside", "t", transport=way) as client:
            return (await client.runs.get("a/b")).id

    assert asyncio.run(ask()) == "a/b"


def test_closing_twice_is_harmless() -> None:
    client = Setright("http://127.0.0.1:1", "t")
    client.close()
    client.close()


def test_one_client_serves_many_calls_over_one_connection(server: ToldServer) -> None:
    with Setright(server.url, "t") as client:
        for _ in range(3):
            server.says(200, RUN)
            client.runs.get("run_1")
    assert len(server.asked) == 3
    assert server.connections == 1
