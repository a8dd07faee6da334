"""Structured logs: one line for each call, as JSON or for people; never bodies, tokens or the values of a query."""

import asyncio
import logging
import sys
from typing import Any, TextIO, cast

import structlog

from setright.app.settings import Settings
from setright.kernel import json

WAIT_SECONDS = 0.1


class Lines:
    """A stream that is written to at most ten times a second while an event loop runs, and at once otherwise.

    A write for each line would let go of the interpreter at every request, and wait for it again.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._waiting: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def write(self, text: str) -> None:
        """Take a line."""
        self._waiting.append(text)

    def flush(self) -> None:
        """Have what was taken written soon."""
        if self._loop is not None and not self._loop.is_closed():
            return
        try:
            self._loop = asyncio.get_running_loop()
            self._loop.call_later(WAIT_SECONDS, self.drain)
        except RuntimeError:
            self.drain()

    def drain(self) -> None:
        """Write everything now."""
        waiting, self._waiting, self._loop = self._waiting, [], None
        self._stream.write("".join(waiting))
        self._stream.flush()


def open_log(settings: Settings, lines: Lines, *, terminal: bool) -> Any:
    """The log that the settings ask for; `terminal` says that people look on."""
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and not terminal)
    return _logger(lines, settings.log_level, as_json=as_json)


def quiet_log() -> Any:
    """A log for an app inside another program: crashes only, for people."""
    return _logger(sys.stderr, "error", as_json=False)


def _logger(lines: Lines | TextIO, level: str, *, as_json: bool) -> Any:
    renderer: Any = (
        structlog.processors.JSONRenderer(_as_json)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    return structlog.wrap_logger(
        structlog.WriteLogger(cast("TextIO", lines)),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
    ).bind()


def _as_json(entry: dict[str, Any], **_: Any) -> str:
    return json.write_text({name: value for name, value in entry.items() if value is not None})


def log_to_stderr(settings: Settings) -> None:
    """Have the worker and the libraries log to stderr in the form that the settings ask for."""
    pass_on(_logger(sys.stderr, settings.log_level, as_json=settings.log_format == "json"))


LIBRARIES = ("uvicorn.error", "asyncio", "psycopg", "setright.worker")
"""The loggers of what we stand on, each with those below it, and the worker's."""


class FromLibraries(logging.Handler):
    """Passes on what a library itself has to say."""

    def __init__(self, log: Any) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record as a line of ours: neither what an exception says, nor what a callback was called with."""
        write = self._log.error if record.levelno >= logging.ERROR else self._log.warning
        kind = record.exc_info[0].__qualname__ if record.exc_info and record.exc_info[0] else None
        says = "trouble in the event loop" if record.name == "asyncio" else record.getMessage().strip()
        write(says, error=kind, logger=record.name)


def pass_on(log: Any) -> None:
    """Have the libraries write to our log, and nowhere else."""
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.handlers[:] = [FromLibraries(log)]
        logger.propagate = False
