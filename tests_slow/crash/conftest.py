"""A database server that may be stopped, and the figures at the end."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.crash.rounds import TOLD
from tests.support.postgres import Postgres


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A PostgreSQL server of the test's own, with full durability."""
    started = Postgres()
    yield started
    started.stop()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what came of every load."""
    for name, figures in TOLD.items():
        terminalreporter.write_line(f"{name}: {figures}")
