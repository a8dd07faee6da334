"""Options that several commands share: roles, names of projects, and moments as people write them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

import typer

from setright.faces.cli.failures import Cannot

_SPAN = re.compile(r"(\d{1,6})([mhdw])\Z")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

RoleName = Literal["read", "write", "admin"]
Project = Annotated[str | None, typer.Option(metavar="PROJECT", help="Id or name of a project.")]
InProject = Annotated[str, typer.Option("--project", metavar="PROJECT", help="Id or name of the project.")]
Key = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Idempotency-Key: the same command with the same key acts once."),
]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="Not before: an RFC 3339 time, or 7d, 12h for so long ago.")
]
Until = Annotated[
    str | None, typer.Option(metavar="TIME", help="Before: an RFC 3339 time, or 7d, 12h for so long ago.")
]


def ahead(option: str, text: str | None) -> datetime | None:
    """The moment that an option means, a span counting from now."""
    return _moment(option, text, 1)


def ago(option: str, text: str | None) -> datetime | None:
    """The moment that an option means, a span counting back from now."""
    return _moment(option, text, -1)


def _moment(option: str, text: str | None, direction: int) -> datetime | None:
    if text is None:
        return None
    span = _SPAN.match(text)
    try:
        if span is not None:
            return datetime.now(UTC) + direction * timedelta(**{_UNITS[span[2]]: int(span[1])})
        moment = datetime.fromisoformat(text) if "T" in text.upper() else None
    except (ValueError, OverflowError):
        moment = None
    if moment is None or moment.tzinfo is None:
        raise Cannot(
            f"{option} {text!r} names no moment: give an RFC 3339 time with its zone, such as "
            "2030-01-31T12:00:00Z, or a span such as 30d, 12h or 45m.",
            kind="usage",
        )
    return moment
