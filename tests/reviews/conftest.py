"""A desk at which runs are reviewed, on each engine."""

import pytest

from tests.reviews.reviewing import Desk
from tests.support.ledger import Ledger


@pytest.fixture
def desk(ledger: Ledger) -> Desk:
    """A project of a fresh tenant."""
    return Desk(ledger)
