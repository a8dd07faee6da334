"""The fixtures of the HTTP face, for what is asked over MCP."""

import pytest

from tests.http.conftest import api, caller, database_url, lone, lone_api
from tests.http.support import Caller
from tests.mcp.asking import Asking

__all__ = ["api", "caller", "database_url", "lone", "lone_api"]


@pytest.fixture
def person(caller: Caller) -> Asking:
    """A person of a new tenant, on each engine."""
    return Asking(caller)


@pytest.fixture
def assistant(caller: Caller) -> Asking:
    """An assistant of a new tenant, on each engine."""
    return Asking(caller.service())


@pytest.fixture
def lone_person(lone: Caller) -> Asking:
    """A person of a new tenant, on SQLite only."""
    return Asking(lone)
