"""The whole app behind a port of loopback."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from setright.app import machine
from setright.app.assemble import assemble
from setright.app.settings import load
from setright.faces.http import application
from setright.faces.http.protocol import Protocol
from setright.storage.open import create_or_upgrade


class RealServer:
    """Serves a new ledger until closed, in a file or in an empty `database`; `token` is that of who made it."""

    def __init__(self, folder: Path, database: str | None = None) -> None:
        settings = load({"data_folder": str(folder), "database": database}, environment={})
        if database is None:
            machine.make_ready(settings)
        else:
            create_or_upgrade(database)
        self._app = assemble(settings)
        secrets: list[str] = []
        machine.first_tenant(self._app, "local", "default", "admin", secrets.append)
        self.token = secrets[0]
        config = uvicorn.Config(
            application.build(self._app), port=0, http=Protocol, ws="none", lifespan="off", log_config=None
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        host, port = self._server.servers[0].sockets[0].getsockname()[:2]
        self.url = f"http://{host}:{port}"

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._app.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def on_each_engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealServer]:
    """A real server on each engine, for a module that names its fixture `real_server` so."""
    wanted = request.param == "postgresql"
    database = request.getfixturevalue("postgres").new_database() if wanted else None
    serving = RealServer(tmp_path_factory.mktemp("ledger"), database)
    yield serving
    serving.close()
