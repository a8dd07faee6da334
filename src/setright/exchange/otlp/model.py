"""Spans and log records as they were received, whatever they are of."""

from dataclasses import dataclass, field
from typing import Any

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Received:
    """A span: ids in lower-case hexadecimal, times in nanoseconds since 1970, `error` what its status says if it failed.

    `is_entry` says that its parent is in another process, whose spans may never come.
    """

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    started: int | None
    ended: int | None
    attributes: Fields
    resource: Fields
    events: list[tuple[str, Fields]] = field(default_factory=list[tuple[str, Fields]])
    error: str | None = None
    is_entry: bool = False


@dataclass(frozen=True, slots=True)
class Log:
    """A log record that belongs to a span: its event's name, and what it says."""

    trace_id: str
    span_id: str
    name: str
    attributes: Fields
    body: Any
    time: int | None


@dataclass(frozen=True, slots=True)
class Rejected:
    """A span or record that cannot be kept, and why."""

    reason: str
