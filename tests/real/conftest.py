"""A real server on each engine, for real runs."""

from collections.abc import Iterator
from itertools import count

import pytest

from setright.storage.open import create_or_upgrade
from tests.concurrency.wire import Serving, Wire

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def server(database_url: str) -> Iterator[Serving]:
    """The whole app behind a port of loopback."""
    create_or_upgrade(database_url)
    serving = Serving(database_url)
    yield serving
    serving.close()


@pytest.fixture(scope="module")
def caller(server: Serving) -> Wire:
    """The admin of a new tenant."""
    return server.tenant(f"real-{next(_NUMBERS)}")
