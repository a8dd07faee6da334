"""For the tests of those who use Setright: the real server in the test process, on a ledger of its own."""

import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

try:
    import uvicorn
except ModuleNotFoundError as missing:
    raise ImportError("setright.testing runs the real server: pip install 'setright[server]'") from missing

from setright.app import machine
from setright.app.assemble import RunningApp, assemble
from setright.app.settings import load
from setright.client import AsyncSetright, FakeSetright, Recorder, Setright
from setright.faces.http import application
from setright.faces.http.protocol import Protocol

__all__ = ["FakeSetright", "LocalServer", "server"]

START_SECONDS = 30.0
STEP = 0.01


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server of a test: its address, the token of the person who made its ledger, and a client of that person.

    The ledger has one project, `default`.
    """

    url: str
    token: str
    client: Setright
    folder: Path
    project_id: str = "default"

    @property
    def variables(self) -> Mapping[str, str]:
        """What code under test must have in its environment to speak to this server, and to keep its files there."""
        own = {"SETRIGHT_DATA_FOLDER": str(self.folder / "own")}
        return {"SETRIGHT_URL": self.url, "SETRIGHT_TOKEN": self.token, **own}

    def async_client(self) -> AsyncSetright:
        """A client for the running event loop, as the same person; close it there."""
        return AsyncSetright(self.url, self.token)

    def settle(self, seconds: float = 20.0) -> None:
        """Wait until what was recorded has arrived and what it led to is done, as when a deploy makes things fixed.

        TimeoutError when it is not by then.
        """
        until = time.monotonic() + seconds
        while self.client.recorder.flush(max(0.0, until - time.monotonic())) or self._busy():
            if time.monotonic() > until:
                raise TimeoutError(f"the server is still at work after {seconds:g} s")
            time.sleep(STEP)

    def _busy(self) -> bool:
        states = ("waiting", "running")
        return any(self.client.jobs.page(state=state, limit=1).data for state in states)


@contextmanager
def server() -> Generator[LocalServer]:
    """The real server until the end of the block, behind a port of this machine, on a new SQLite file that goes with it."""
    with TemporaryDirectory(prefix="setright-") as place:
        folder = Path(place)
        settings = load({"data_folder": place, "rate_per_second": 0}, environment={})
        machine.make_ready(settings)
        app = assemble(settings)
        try:
            secrets: list[str] = []
            machine.first_tenant(app, "local", "default", "admin", secrets.append)
            with _served(app) as url, Setright(url, secrets[0]) as client:
                client.recorder = Recorder(url, secrets[0], folder=folder / "recorder")
                yield LocalServer(url, secrets[0], client, folder)
        finally:
            app.close()


@contextmanager
def _served(app: RunningApp) -> Generator[str]:
    """The address behind which the app answers until the end of the block."""
    config = uvicorn.Config(
        application.build(app), port=0, http=Protocol, ws="none", lifespan="off", log_config=None
    )
    serving = uvicorn.Server(config)
    thread = threading.Thread(target=serving.run, name="setright-server", daemon=True)
    app.worker.start()
    thread.start()
    try:
        until = time.monotonic() + START_SECONDS
        while not serving.started:
            if not thread.is_alive() or time.monotonic() > until:
                raise RuntimeError("the server did not start; its log says why")
            time.sleep(STEP)
        host, port = serving.servers[0].sockets[0].getsockname()[:2]
        yield f"http://{host}:{port}"
    finally:
        serving.should_exit = True
        thread.join()
