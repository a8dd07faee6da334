"""Structured logs: one line for each call, as JSON or for people; never bodies, tokens or the values of a query."""

import logging
import sys
from typing import Any, TextIO

import structlog

from setright.app.settings import Settings
from setright.kernel import json


def open_log(settings: Settings, stream: TextIO) -> Any:
    """The log that the settings ask for, on `stream`."""
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and not stream.isatty())
    return _logger(stream, settings.log_level, as_json=as_json)


def quiet_log() -> Any:
    """A log for an app inside another program: crashes only, for people."""
    return _logger(sys.stderr, "error", as_json=False)


def _logger(stream: TextIO, level: str, *, as_json: bool) -> Any:
    renderer: Any = (
        structlog.processors.JSONRenderer(_as_json)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=stream.isatty())
    )
    return structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=True,
    )


def _as_json(entry: dict[str, Any], **_: Any) -> str:
    return json.write_text({name: value for name, value in entry.items() if value is not None})


class FromUvicorn(logging.Handler):
    """Passes on what uvicorn itself has to say."""

    def __init__(self, log: Any) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record as a line of ours, without what an exception says."""
        write = self._log.error if record.levelno >= logging.ERROR else self._log.warning
        kind = record.exc_info[0].__qualname__ if record.exc_info and record.exc_info[0] else None
        write(record.getMessage().strip(), error=kind, logger=record.name)
