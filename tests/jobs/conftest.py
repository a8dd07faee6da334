"""A ledger of their own for the tests of jobs: a worker takes what is due in all of it."""

from collections.abc import Iterator

import pytest

from tests.support.ledger import Ledger, sqlite_url


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A ledger on each engine in which nobody else asks for jobs."""
    if request.param == "sqlite":
        opened = Ledger(sqlite_url(tmp_path_factory.mktemp("jobs")))
    else:
        opened = Ledger(request.getfixturevalue("postgres").new_database())
    yield opened
    opened.store.close()
