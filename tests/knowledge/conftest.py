"""A tenant of its own, on each engine, for every test of knowledge."""

import pytest

from tests.knowledge.reading import Reading
from tests.knowledge.reading_room import ReadingRoom
from tests.support.ledger import Ledger


@pytest.fixture
def reading(ledger: Ledger) -> Reading:
    """A tenant in which texts are read."""
    return Reading(ledger, ledger.tenant())


@pytest.fixture
def room(ledger: Ledger) -> ReadingRoom:
    """A tenant whose texts are asked about."""
    return ReadingRoom(ledger, ledger.tenant())
