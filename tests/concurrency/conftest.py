"""Two servers on one database of each engine: what one process knows, the other must not need to know."""

from collections.abc import Iterator
from itertools import count

import pytest

from setright.storage.open import create_or_upgrade
from tests.concurrency.wire import Serving, Wire

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def servers(database_url: str) -> Iterator[tuple[Serving, Serving]]:
    """Two real servers on one database."""
    create_or_upgrade(database_url)
    opened = Serving(database_url), Serving(database_url)
    yield opened
    for server in opened:
        server.close()


@pytest.fixture
def callers(servers: tuple[Serving, Serving]) -> tuple[Wire, Wire]:
    """The admin of a new tenant, at each of the two servers."""
    first = servers[0].tenant(f"at-once-{next(_NUMBERS)}")
    return first, servers[1].wire(first._token)
