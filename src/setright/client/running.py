"""The answers about versions that run and about tools as typed records."""

from dataclasses import dataclass
from datetime import datetime

from setright.client.answers import Actor
from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class SubjectName(Record):
    """An agent or a flow."""

    kind: str
    id: str


@dataclass(frozen=True, kw_only=True)
class VersionChange(Record):
    """That somebody deployed, pinned or unpinned: `version` runs from then on, `before` until then."""

    id: str
    verb: str
    subject: SubjectName
    project_id: str | None = None
    version: str | None = None
    before: str | None = None
    why: str | None = None
    by: Actor | None = None
    at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Settling(Record):
    """That corrections are moved just now: how many are still to be looked at."""

    left: int


@dataclass(frozen=True, kw_only=True)
class RunningVersion(Record):
    """Which version of a subject a project runs, and through what; `pin_id` is there where a pin holds it."""

    subject: SubjectName
    version: str | None = None
    pin_id: str | None = None
    how: str | None = None
    why: str | None = None
    by: Actor | None = None
    since: datetime | None = None
    settling: Settling | None = None


@dataclass(frozen=True, kw_only=True)
class ToolEffect(Record):
    """What a tool does in a project: read, or write."""

    tool: str
    effect: str
    by: Actor | None = None
    at: datetime | None = None
