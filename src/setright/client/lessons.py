"""The answers about lessons as typed records, and the fields of what is said about them."""

from collections.abc import Mapping, Sequence
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
    person_decides: bool | None = None
    created_at: datetime
    updated_at: datetime
    content_erased_at: datetime | None = None
    stops: int | None = None


@dataclass(frozen=True, kw_only=True)
class SimilarRule(Record):
    """A rule in force that is like another one; `differs_only_in` is negation or number where that is all."""

    id: str
    project_id: str | None = None
    agent: str | None = None
    rule: str
    status: str
    likeness: float
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    numbers: tuple[str, ...] | None = None
    negations: tuple[str, ...] | None = None
    differs_only_in: str | None = None


@dataclass(frozen=True, kw_only=True)
class UpdatedLesson(Lesson):
    """A lesson as a change left it; `sessions_still_have_it` is there where the change retired a rule.

    With `waits_for_person` nothing was changed: a person says what is meant of the `similar_rules`.
    """

    similar_rules: tuple[SimilarRule, ...] | None = None
    waits_for_person: bool | None = None
    sessions_still_have_it: int | None = None


@dataclass(frozen=True, kw_only=True)
class RecordedLesson(Lesson):
    """A lesson as it was recorded; `recurrence_of` is the earlier lesson whose rule was broken again."""

    similar_rules: tuple[SimilarRule, ...] | None = None
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
    """A decision on a lesson, or its rule in other words; None for `until` or `must_not_call` lifts it.

    `over` is what a person says of rules in force, by their lessons' ids.
    """

    status: LessonStatus | None
    rule: str | None
    duplicate_of: str | None
    until: Moment | None
    must_not_call: Sequence[ExpectedCallFields | AnyFields] | None
    over: Mapping[str, Literal["replaces", "both", "same"]] | None


class LessonFilters(PageFilters, total=False):
    """Which lessons; duplicates come only with `status` duplicate, or with `duplicate_of`."""

    project_id: str | None
    agent: str | None
    kind: LessonKind | None
    status: Sequence[LessonStatus] | LessonStatus | None
    noticed_by: Literal["person", "self"] | None
    duplicate_of: str | None
    from_correction_id: str | None


@dataclass(frozen=True, kw_only=True)
class RuleInForce(Record):
    """A rule that agents follow."""

    id: str
    project_id: str | None = None
    agent: str | None = None
    kind: str
    severity: str
    rule: str
    status: str
    broken_again: int
    until: datetime | None = None
    must_not_call: tuple[ExpectedCall, ...] | None = None
    adopted_by: Actor
    adopted_at: datetime
    verified_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class UndecidedLesson(Record):
    """A lesson that nobody has decided on: data about what happened, no instruction."""

    id: str
    project_id: str | None = None
    agent: str | None = None
    kind: str
    severity: str
    noticed_by: str
    what_happened: str
    rule: str | None = None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class ForbiddenCalls(Record):
    """What a rule forbids, for a hook that refuses it."""

    id: str
    rule: str
    until: datetime | None = None
    must_not_call: tuple[ExpectedCall, ...]


@dataclass(frozen=True, kw_only=True)
class WhyInOrOut(Record):
    """Why a lesson's rule is in a briefing or not."""

    lesson_id: str
    is_in: bool
    why: str
    rule: str | None = None


@dataclass(frozen=True, kw_only=True)
class Briefing(Record):
    """What an agent is told when a session begins: `briefing` is the text, `rules` and `open` are what it holds."""

    agent: str | None = None
    project_id: str | None = None
    briefing: str
    rules: tuple[RuleInForce, ...]
    open: tuple[UndecidedLesson, ...]
    left_out: int
    guard: tuple[ForbiddenCalls, ...]
    explained: tuple[WhyInOrOut, ...] | None = None
    explanation: str | None = None


@dataclass(frozen=True, kw_only=True)
class CountedStops(Record):
    """What was counted of stopped calls; `unknown` are lessons that are not there."""

    counted: int
    unknown: tuple[str, ...] | None = None


class BriefingFields(TypedDict, total=False):
    """Which briefing, and how its text is written; with `explain`, also why rules are in or out."""

    agent: str | None
    project_id: str | None
    session: str | None
    format: Literal["json", "markdown", "claude", "text"] | None
    budget: int | None
    explain: bool | None
    lesson_id: Sequence[str] | str | None


class StopFields(TypedDict, total=False):
    """How many calls a hook stopped because of a lesson's rule."""

    lesson_id: Required[str]
    count: int | None
    tool: str | None
    at: Moment | None
