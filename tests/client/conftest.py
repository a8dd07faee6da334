"""The server that answers as told, and a way to ask it with the plain and with the asynchronous client."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from setright.client import AsyncSetright, Setright
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
