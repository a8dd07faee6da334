"""A client of the ledger of this machine: the whole app in this process, called as if it were a server."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import httpx2

from setright.app import machine
from setright.app.assemble import RunningApp
from setright.app.settings import Settings
from setright.client import Retries, Setright
from setright.faces.cli import local_token
from setright.faces.cli.failures import Cannot
from setright.faces.cli.opening import Opened, open_ledger
from setright.faces.http import application
from setright.kernel.errors import Refusal, StorageUnavailable

ADDRESS = "http://localhost"
SECONDS_AFTER = 5.0
"""For how long a command that wrote does the jobs that are due, before it leaves them to the next server."""


class InProcess(httpx2.BaseTransport):
    """Carries the client's requests to an ASGI application in this process, one at a time."""

    def __init__(self, app: RunningApp) -> None:
        self._app = app
        self._loop = asyncio.Runner()
        self._wrote = False
        self._asgi = httpx2.ASGITransport(application.build(app), raise_app_exceptions=False)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The application's answer to a request."""
        self._wrote = self._wrote or request.method != "GET"
        return self._loop.run(self._answer(request))

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._asgi.handle_async_request(request)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=await answer.aread())

    def close(self) -> None:
        """Finish what was accepted, do what it led to where no server may be there to do it, release the database."""
        self._loop.close()
        try:
            if self._wrote and self._app.store.engine == "sqlite":
                self._app.worker.do_what_is_due(SECONDS_AFTER)
        except StorageUnavailable:
            pass
        finally:
            self._app.close()


@dataclass(frozen=True, slots=True)
class Entered:
    """The open app of this machine, the secret that lets its person in, and a client; closing the client closes all."""

    app: RunningApp
    secret: str
    client: Setright

    def do_what_is_due(self) -> None:
        """Do the jobs that are due now, as far as they go; on PostgreSQL its workers do them."""
        if self.app.store.engine == "sqlite":
            while self.app.worker.turn():
                pass


def enter(settings: Settings, note: Callable[[str], None]) -> Entered:
    """Open the ledger of this machine as the person whose token is kept in the data folder."""
    opened = open_ledger(settings)
    try:
        for sentence in opened.news():
            note(sentence)
        if opened.made is not None:
            note(f"Its token is kept in {opened.file}")
        secret = own_token(opened)
    except BaseException:
        opened.app.close()
        raise
    client = Setright(
        ADDRESS, secret, timeout=60, retries=Retries(count=2, seconds=15), transport=InProcess(opened.app)
    )
    return Entered(opened.app, secret, client)


def own_token(opened: Opened) -> str:
    """The secret of this machine's person, which must let them in."""
    secret = local_token.kept(opened.file)
    if secret is None:
        raise Cannot(
            f"There is no token for you here: {opened.file} does not exist.",
            advice=["setright bootstrap makes one, because you hold the database"],
            kind="no-local-token",
        )
    try:
        machine.authenticates(opened.app, secret)
    except Refusal as refusal:
        raise Cannot(
            f"The token in {opened.file} does not let you in: {refusal.message}",
            advice=["setright bootstrap makes another, because you hold the database"],
            kind="local-token-refused",
        ) from None
    return secret
