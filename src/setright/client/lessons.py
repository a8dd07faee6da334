"""The answers about lessons as typed records, and the fields of what is said about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Required, TypedDict

from setright.client.answers import Actor, Event, ExpectedCall
from setright.client.inputs import AnyFields, ExpectedCallFields, Moment, PageFilters
from setright.client.records import Record

LessonKind = Literal["drift", "assumption", "overclaim", "instruction", "quality", "safety"]
LessonStatus = Literal["open", "adopted", "verified", "recurred", "dismissed", "duplicate", "retired"]


@dataclass(frozen=True, kw_only=True)
class Lesson(Record):
    """What an agent was corrected about, the rule that came of it, and where that stands.

    Without `agent` it is for every agent, without `project_id` for the whole account.
    """

    id: str
    tenant_id: str
    project_id: str | None = None
    agent: str | None = None
    kind: str
    severity: str
    noticed_by: str
    what_happened: str
    expected: str | None = None
    rule: str | None = None
    status: str
    evidence: tuple[str, ...] | None = None
    session: str | None = None
    broken_again: int
    duplicate_of: str | None = None
    supersedes: tuple[str, ...] | None = None
    until: datetime | None = None
    must_not_call: tuple[ExpectedCall, ...] | None = None
    from_correction_id: str | None = None
    recorded_by: Actor
    adopted_by: Actor | None = None
    adopted_at: datetime | None = None
    verified_by: Actor | None = None
    verified_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class RecordedLesson(Lesson):
    """A lesson as it was recorded; `recurrence_of` is the earlier lesson whose rule was broken again."""

    recurrence_of: str | None = None


@dataclass(frozen=True, kw_only=True)
class LessonEvent(Event):
    """Something that happened to a lesson; `rule` is there where it put the rule in words."""

    rule: str | None = None
    until: datetime | None = None
    must_not_call: tuple[ExpectedCall, ...] | None = None


class LessonFields(TypedDict, total=False):
    """A lesson: who was corrected about what, and the one line that would prevent it."""

    project_id: str | None
    agent: str | None
    kind: Required[LessonKind]
    severity: Literal["low", "medium", "high", "critical"] | None
    noticed_by: Required[Literal["person", "self"]]
    what_happened: Required[str]
    expected: str | None
    rule: str | None
    evidence: Sequence[str] | None
    session: str | None
    until: Moment | None
    must_not_call: Sequence[ExpectedCallFields | AnyFields] | None
    from_correction_id: str | None


class LessonChanges(TypedDict, total=False):
    """A decision on a lesson, or its rule in other words; None for `until` or `must_not_call` lifts it."""

    status: LessonStatus | None
    rule: str | None
    duplicate_of: str | None
    until: Moment | None
    must_not_call: Sequence[ExpectedCallFields | AnyFields] | None


class LessonFilters(PageFilters, total=False):
    """Which lessons; duplicates come only with `status` duplicate, or with `duplicate_of`."""

    project_id: str | None
    agent: str | None
    kind: LessonKind | None
    status: Sequence[LessonStatus] | LessonStatus | None
    noticed_by: Literal["person", "self"] | None
    duplicate_of: str | None
    from_correction_id: str | None
