"""One application for each engine, shared by the tests of the face; each makes tenants of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from setright.storage.open import create_or_upgrade
from tests.backup.places import sound
from tests.http.support import Api, Caller, open_api
from tests.support.ledger import sqlite_url


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database of each engine, which nobody uses but through the face."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path_factory.mktemp("http"))
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture(scope="session")
def api(database_url: str) -> Iterator[Api]:
    """The application on each engine; whatever the tests did to its ledger, it is sound at the end."""
    create_or_upgrade(database_url)
    opened = open_api(database_url)
    yield opened
    opened.close()
    assert sound(database_url)


@pytest.fixture
def caller(api: Api) -> Caller:
    """The admin of a new tenant, on each engine."""
    return api.tenant()


@pytest.fixture(scope="session")
def lone_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The application on SQLite only, for what has nothing to do with the database."""
    url = new_sqlite(tmp_path_factory.mktemp("lone"))
    opened = open_api(url)
    yield opened
    opened.close()


@pytest.fixture
def lone(lone_api: Api) -> Caller:
    """The admin of a new tenant, on SQLite only."""
    return lone_api.tenant()


def new_sqlite(folder: Path) -> str:
    """The address of a new SQLite ledger in `folder`."""
    url = f"sqlite:///{folder / 'ledger.db'}"
    create_or_upgrade(url)
    return url
