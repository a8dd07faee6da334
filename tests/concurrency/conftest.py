"""Two servers on one database of each engine: what one process knows, the other must not need to know."""

from collections.abc import Iterator
from itertools import count

import pytest

from setright.storage.open import create_or_upgrade
from tests.backup.places import sound
from tests.concurrency.wire import Serving, Wire
from tests.support.ledger import sqlite_url

_NUMBERS = count(1)


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def served_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database of each engine that only these servers use."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path_factory.mktemp("served"))
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture(scope="session")
def servers(served_url: str) -> Iterator[tuple[Serving, Serving]]:
    """Two real servers on one database, which is sound at the end, whatever was done to it at once."""
    create_or_upgrade(served_url)
    opened = Serving(served_url), Serving(served_url)
    yield opened
    for server in opened:
        server.close()
    assert sound(served_url)


@pytest.fixture
def callers(servers: tuple[Serving, Serving]) -> tuple[Wire, Wire]:
    """The admin of a new tenant, at each of the two servers."""
    first = servers[0].tenant(f"at-once-{next(_NUMBERS)}")
    return first, servers[1].wire(first._token)
