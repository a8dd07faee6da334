"""A fresh SQLite file for every test, and a PostgreSQL server that a test may stop."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from setright.kernel.clock import Clock
from setright.kernel.ids import Ids
from setright.storage.embedded import EmbeddedStore
from setright.storage.open import create_or_upgrade

Opener = Callable[[], EmbeddedStore]


@pytest.fixture(scope="session")
def empty_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the schema and nothing in it, to be copied."""
    path = tmp_path_factory.mktemp("empty") / "ledger.db"
    create_or_upgrade(str(path))
    return path


@pytest.fixture
def path(empty_ledger: Path, tmp_path: Path) -> Path:
    """A new SQLite file with the schema."""
    return Path(shutil.copy(empty_ledger, tmp_path / "ledger.db"))


@pytest.fixture
def open_embedded(path: Path) -> Iterator[Opener]:
    """Opens stores on `path`, as often as asked; all are closed in the end."""
    opened: list[EmbeddedStore] = []

    def open_one() -> EmbeddedStore:
        opened.append(EmbeddedStore(path, Clock(), Ids()))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_embedded: Opener) -> EmbeddedStore:
    """An open store on `path`."""
    return open_embedded()
