"""A tenant of its own, on each engine, for every test of lessons."""

import pytest

from tests.lessons.teaching import Teaching
from tests.support.ledger import Ledger


@pytest.fixture
def teaching(ledger: Ledger) -> Teaching:
    """A tenant whose agents can be taught."""
    return Teaching(ledger, ledger.tenant())
