"""A tenant of its own, on each engine, in which one sentence is said everywhere and grows old."""

from collections.abc import Iterator

import pytest

from tests.backup.places import sound_ledger
from tests.proof.proving import Proving
from tests.retention.keeping import Keeping
from tests.support.ledger import Ledger, sqlite_url


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A ledger on each engine in which nobody else asks for jobs; it is sound at the end."""
    if request.param == "sqlite":
        url = sqlite_url(tmp_path_factory.mktemp("retention"))
    else:
        url = request.getfixturevalue("postgres").new_database()
    yield from sound_ledger(url)


@pytest.fixture
def keeping(ledger: Ledger) -> Keeping:
    """A tenant in which nothing is said yet, and nothing is set."""
    return Keeping(Proving(ledger, ledger.tenant()))
