"""Serving over the network: uvicorn with our protocol, from the open port to the last answer."""

import errno
import signal
import socket
import sys
from collections.abc import Callable
from importlib.util import find_spec
from types import FrameType
from typing import Any

import uvicorn

from setright.app.assemble import RunningApp
from setright.app.settings import Settings, unsafe_bind
from setright.faces.http.application import build
from setright.faces.http.logs import Lines, open_log, pass_on
from setright.faces.http.protocol import Protocol

BACKLOG = 2048
SWITCH_SECONDS = 0.0005
Ready = Callable[[str], None]


class CannotListen(OSError):
    """The address cannot be listened on; the message says which, why, and what to do."""


def serve(app: RunningApp, ready: Ready) -> None:
    """Serve until the process is told to stop (SIGINT, SIGTERM); `ready` is given the address once it answers.

    Stopping, it takes no new connection, finishes what it accepted for at most `stop_seconds`, and closes the app.
    """
    settings, lines = app.settings, Lines(sys.stderr)
    try:
        listener = _listen(settings)
        with listener:
            sys.setswitchinterval(SWITCH_SECONDS)
            log = open_log(settings, lines, terminal=sys.stderr.isatty())
            server = _Server(_config(app, log), lambda: ready(_address(settings, listener)))
            server.run(sockets=[listener])
    finally:
        app.close()
        lines.drain()


class _Server(uvicorn.Server):
    """Says when it answers, and leaves the process to go on after a graceful stop."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature is Python's
        """The first signal stops gracefully, a second Ctrl+C at once; uvicorn would raise the signal again."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True


def _listen(settings: Settings) -> socket.socket:
    """A bound socket; refuses an open address without TLS, and one that is taken or not of this machine."""
    unsafe = unsafe_bind(settings)
    if unsafe is not None:
        raise CannotListen(unsafe)
    host, port = settings.host.strip("[]"), settings.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotListen(
            f"There is no address {host} on this machine: {error.strerror or error}."
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        taken = error.errno == errno.EADDRINUSE
        advice = "something listens there already; choose another by --port" if taken else error.strerror
        raise CannotListen(f"Cannot listen on {host} port {port}: {advice}.") from error
    return listener


def _address(settings: Settings, listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"{'https' if settings.tls_key else 'http'}://{f'[{host}]' if ':' in host else host}:{port}"


def _config(app: RunningApp, log: Any) -> uvicorn.Config:
    settings = app.settings
    pass_on(log)
    return uvicorn.Config(
        build(app, log),
        http=Protocol,
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=settings.stop_seconds,
        ssl_certfile=settings.tls_certificate or None,
        ssl_keyfile=settings.tls_key or None,
    )
