"""A tenant of its own, on each engine, for every test of test runs."""

from collections.abc import Iterator

import pytest

from tests.backup.places import sound_ledger
from tests.proof.proving import Proving
from tests.support.ledger import Ledger, sqlite_url


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A ledger on each engine in which nobody else asks for jobs; it is sound at the end."""
    if request.param == "sqlite":
        url = sqlite_url(tmp_path_factory.mktemp("proof"))
    else:
        url = request.getfixturevalue("postgres").new_database()
    yield from sound_ledger(url)


@pytest.fixture
def proving(ledger: Ledger) -> Proving:
    """A tenant whose agent can be corrected and tested."""
    return Proving(ledger, ledger.tenant())
