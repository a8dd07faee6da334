"""Terminals: one on a machine of its own, and one that speaks to a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backup.conftest import postgresql_places
from tests.backup.places import sound
from tests.cli.shell import Served, Shell

__all__ = ["postgresql_places"]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A terminal in an empty folder, with no ledger yet."""
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address and an admin's token of a real server on loopback, whose ledger is sound at the end."""
    shell = Shell(tmp_path_factory.mktemp("served"))
    server = Served(shell)
    yield server.url, (shell.data / "local-token").read_text().strip()
    assert server.stop() == 0
    assert sound(f"sqlite:///{shell.data / 'ledger.db'}")


@pytest.fixture(params=["in process", "over the network"])
def ledger_shell(request: pytest.FixtureRequest, shell: Shell) -> Shell:
    """A terminal with a ledger: of this machine, or of a server."""
    if request.param == "over the network":
        url, token = request.getfixturevalue("served")
        shell.environment |= {"SETRIGHT_URL": url, "SETRIGHT_TOKEN": token}
    return shell
