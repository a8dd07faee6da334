"""Events as they stand in the log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

E = TypeVar("E", bound="LoggedEvent")


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """One thing that happened: `seq` names it in its tenant, `at` is in microseconds, `changed` names wire fields.

    `seq` has gaps, and on PostgreSQL the feed is not in its order: an event that commits late comes late.
    """

    seq: int
    at: int
    by_kind: str
    by_id: str
    kind: str
    subject_kind: str
    subject_id: str
    project_id: str | None
    changed: tuple[str, ...]
    about: str | None


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some events, oldest first; the next page begins after the `seq` of the last one."""

    data: Sequence[LoggedEvent]
    has_more: bool


def with_more(event: LoggedEvent, kind: type[E], **more: Any) -> E:
    """The same event as a room tells it that keeps more about it than the log does."""
    return kind(**{name: getattr(event, name) for name in LoggedEvent.__dataclass_fields__}, **more)
