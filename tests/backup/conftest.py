"""Places of each engine, fresh for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backup.places import Places
from tests.support.postgres import Postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def places(request: pytest.FixtureRequest) -> Places:
    """Databases and backups of each engine."""
    return request.getfixturevalue(f"{request.param}_places")


@pytest.fixture
def sqlite_places(tmp_path: Path) -> Iterator[Places]:
    """Databases and backups on SQLite."""
    made = Places("sqlite", tmp_path, str, Path("no-programs-needed"))
    yield made
    made.close()


@pytest.fixture
def postgresql_places(postgres: Postgres, tmp_path: Path) -> Iterator[Places]:
    """Databases and backups on PostgreSQL, with the server's own client programs."""
    made = Places("postgresql", tmp_path, postgres.new_database, postgres.programs)
    yield made
    made.close()
