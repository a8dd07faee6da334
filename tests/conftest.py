"""Fixtures that every room's tests share: both engines, for real."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.ledger import Ledger, sqlite_url
from tests.support.postgres import Postgres

os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for this test process."""
    server = Postgres(durable=False)
    yield server
    server.stop()


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of an empty database of each engine, shared by the session."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path_factory.mktemp("sqlite"))
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture(scope="session")
def ledger(database_url: str) -> Iterator[Ledger]:
    """An open ledger on each engine; make a tenant of your own in it."""
    opened = Ledger(database_url)
    yield opened
    opened.store.close()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real runs and texts that are not part of the project; tests that need them skip without."""
    folder = Path(__file__).parent.parent.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder ../shared/data with real runs is not on this machine")
    return folder
