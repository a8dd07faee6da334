"""While a server runs, hooks of its machine find it; when it ends, they do not."""

import json
import os
import stat
from pathlib import Path

import pytest

from setright.app.settings import Settings
from setright.faces.cli import local_server
from setright.hooks.place import Machine
from setright.hooks.server import reachable
from tests.cli.shell import Served, Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


@pytest.mark.parametrize("database", [None, "sqlite:///other.db"])
def test_a_server_is_found_while_it_runs(shell: Shell, database: str | None) -> None:
    if database is not None:
        shell.environment["SETRIGHT_DATABASE"] = database
    machine = Machine(shell.environment)
    server = Served(shell)
    found = reachable(machine)
    assert found is not None
    assert found.url == server.url
    assert found.token.startswith("srt_")
    (file,) = shell.data.glob("local-server*")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert server.stop() == 0
    assert not file.exists()
    assert reachable(machine) is None


def test_the_address_of_another_server_stays(tmp_path: Path) -> None:
    settings = Settings(data_folder=str(tmp_path))
    with local_server.found_by_hooks(settings) as file:
        local_server.tell(file, "http://0.0.0.0:8321")
        assert json.loads(file.read_text()) == {"url": "http://127.0.0.1:8321", "pid": os.getpid()}
        file.write_text(json.dumps({"url": "http://127.0.0.1:1", "pid": 1}))
    assert file.exists()
