"""The server that answers as told, the real one, and a way to ask with the plain and the asynchronous client."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from setright.client import AsyncSetright, Setright
from tests.client.real_server import RealServer
from tests.client.told_server import ToldServer


class Asker:
    """Asks one thing with a client of its own, and keeps for how long it would have slept."""

    def __init__(self, url: str, way: str) -> None:
        self.url = url
        self.way = way
        self.slept: list[float] = []

    def __call__(self, ask: Callable[[Any], Any], **settings: Any) -> Any:
        """What `ask(client)` gives; a list is walked to its end."""
        if self.way == "async":
            return asyncio.run(self._ask_async(ask, settings))
        with Setright(self.url, "secret", sleep=self.slept.append, **settings) as client:
            given = ask(client)
            return list(given) if isinstance(given, Iterator) else given

    async def _ask_async(self, ask: Callable[[Any], Any], settings: dict[str, Any]) -> Any:
        async with AsyncSetright(self.url, "secret", sleep=self._sleep, **settings) as client:
            given = ask(client)
            if isinstance(given, AsyncIterator):
                return [entry async for entry in given]
            return await given if inspect.isawaitable(given) else given

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def server() -> Iterator[ToldServer]:
    told = ToldServer()
    yield told
    told.close()


@pytest.fixture(params=["plain", "async"])
def ask(request: pytest.FixtureRequest, server: ToldServer) -> Asker:
    """Every test that asks does so twice: with Setright and with AsyncSetright."""
    return Asker(server.url, request.param)


@pytest.fixture(scope="module")
def real_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """The whole app behind a port of loopback, on a new SQLite file with one person and the project `default`."""
    serving = RealServer(tmp_path_factory.mktemp("ledger"))
    yield serving
    serving.close()


@pytest.fixture(scope="module")
def real_client(real_server: RealServer) -> Iterator[Setright]:
    """A client of the real server, as the person who made the ledger."""
    with Setright(real_server.url, real_server.token) as client:
        yield client
