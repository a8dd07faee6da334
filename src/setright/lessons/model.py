"""A lesson: what a caller says that an agent was taught, and the record that is kept of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, cast

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema

from setright.corrections import Expected, expected_faults
from setright.events import LoggedEvent
from setright.kernel.clock import from_wire
from setright.kernel.errors import fault_at
from setright.kernel.fields import (
    EVIDENCE,
    LINK,
    NAME,
    WORDS,
    Fault,
    Id,
    Input,
    Name,
    Words,
    optional,
    required,
)
from setright.lessons.lifecycle import IN_FORCE, Standing, StatusWord
from setright.lessons.likeness import Difference
from setright.lessons.wording import RULE, has_line_break, is_blank

KindWord = Literal["drift", "assumption", "overclaim", "instruction", "quality", "safety"]
NoticedWord = Literal["person", "self"]
SeverityWord = Literal["low", "medium", "high", "critical"]
SEVERITIES = ("low", "medium", "high", "critical")
MUST_NOT_CALL = 20
MOST_OVER = 20
OverWord = Literal["replaces", "both", "same"]


def _moment(value: Any) -> int:
    if not isinstance(value, str):
        raise Fault("", "is not a time", "an RFC 3339 time such as 2026-01-05T01:00:00Z")
    try:
        return from_wire(value)
    except ValueError as error:
        raise Fault("", str(error)) from None


Moment = Annotated[int, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
AgentName = Annotated[str, StringConstraints(max_length=NAME)]
Said = Annotated[str, StringConstraints(min_length=1, max_length=WORDS)]
Rule = Annotated[str, StringConstraints(max_length=RULE)]
Link = Annotated[str, StringConstraints(min_length=1, max_length=LINK)]
Forbidden = Annotated[list[Expected], Field(max_length=MUST_NOT_CALL)]

_RULE = "One line that tells the agent what to do from now on; empty or left out, there is none yet."
_UNTIL = "Until when the rule counts; left out, without end."
_MUST_NOT_CALL = (
    "Calls that the rule forbids, so that a hook can refuse them: a call is refused only if its tool, and every "
    "named argument, is as written here."
)


class NewLesson(Input):
    """What an agent was corrected about, or noticed by itself; an empty text is the same as none."""

    project_id: AgentName | None = optional(
        "The project in which it counts; left out, the token's project when it has exactly one, else the whole account."
    )
    agent: AgentName | None = optional(
        "Whom it is for, by the id that the agent has in runs; left out, every agent."
    )
    kind: KindWord = required(
        "What went wrong: drift, assumption, overclaim, instruction, quality or safety."
    )
    severity: Literal["low", "medium", "high", "critical", ""] | None = optional(
        "How grave it is; left out, medium."
    )
    noticed_by: NoticedWord = required("Who noticed: a person who corrected the agent, or the agent itself.")
    what_happened: Said = required("What the agent did.")
    expected: Words | None = optional("What it should have done.")
    rule: Rule | None = optional(_RULE)
    evidence: Annotated[list[Link], Field(max_length=EVIDENCE)] | None = optional(
        "Links or citations; they are never fetched."
    )
    session: AgentName | None = optional("The session in which it happened, as the agent calls it.")
    until: Moment | None = optional(_UNTIL)
    must_not_call: Forbidden | None = optional(_MUST_NOT_CALL)
    from_correction_id: Id | None = optional(
        "The correction of a run that it comes from; its project is then the lesson's, unless another is named."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """The rules about words, and those of every forbidden call."""
        if (
            isinstance(body.get("whatHappened"), str)
            and body["whatHappened"]
            and is_blank(body["whatHappened"])
        ):
            yield fault_at("/whatHappened", "is blank", "what the agent did")
        yield from _rule_faults(body)


class LessonChange(Input):
    """The body of `PATCH /v1/lessons/{id}`: a decision, new words, or both; what is left out stays."""

    status: StatusWord | None = optional("Where it stands from now on.")
    rule: Rule | None = optional("The rule in new words: alone, or with status adopted; empty leaves it.")
    duplicate_of: Id | None = optional(
        "With status duplicate, and needed there: the lesson that this one repeats."
    )
    until: Moment | None = optional("Until when the rule counts; null: without end.")
    must_not_call: Forbidden | None = optional("The calls that the rule forbids from now on; null: none.")
    over: Annotated[dict[str, OverWord], Field(max_length=MOST_OVER)] | None = optional(
        "What a person says of rules in force, by their lessons' ids: replaces retires that rule, both keeps both in "
        "force, same makes this lesson a duplicate of that one."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """What needs what, and that something is changed at all."""
        status = body.get("status")
        words = [name for name in ("until", "mustNotCall") if name in body] or body.get("rule")
        if status is None and not words and body.get("duplicateOf") is None:
            yield fault_at("", "changes nothing", "at least one of status, rule, until and mustNotCall")
        if status == "duplicate" and body.get("duplicateOf") is None:
            yield fault_at(
                "/duplicateOf", "is required with status duplicate", "the id of the lesson it repeats"
            )
        if status != "duplicate" and body.get("duplicateOf") is not None:
            yield fault_at("/duplicateOf", "is given", "only with status duplicate")
        yield from _over_faults(body.get("over"), status, body.get("rule"))
        if body.get("rule") and status in (
            "open",
            "verified",
            "recurred",
            "dismissed",
            "duplicate",
            "retired",
        ):
            yield fault_at("/rule", f"does not go with status {status}", "alone, or with status adopted")
        yield from _rule_faults(body)

    def rewords(self) -> bool:
        """Whether anything about the rule itself was given."""
        return bool(self.rule) or bool(self.model_fields_set & {"until", "must_not_call"})


def _over_faults(over: Any, status: Any, rule: Any) -> Iterator[dict[str, str]]:
    if over is None:
        return
    if status not in (None, "adopted") or (status is None and not rule):
        yield fault_at("/over", "is given", "only with status adopted or with a rule")
    if isinstance(over, dict) and list(cast("dict[str, Any]", over).values()).count("same") > 1:
        yield fault_at("/over", "says of several lessons that they are the same", "same for one of them")


def _rule_faults(body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    rule = body.get("rule")
    if isinstance(rule, str) and rule:
        if has_line_break(rule):
            yield fault_at("/rule", "has a line break", "one line")
        elif is_blank(rule):
            yield fault_at("/rule", "is blank", "one line that says what to do")
    entries = body.get("mustNotCall")
    if isinstance(entries, list):
        for index, entry in enumerate(cast("list[Any]", entries)[:MUST_NOT_CALL]):
            if isinstance(entry, dict):
                yield from expected_faults(cast("dict[str, Any]", entry), f"/mustNotCall/{index}")


def on_wire(calls: Sequence[Expected] | None) -> tuple[dict[str, Any], ...]:
    """Forbidden calls as they are kept: in wire form, with args always there."""
    return tuple(call.on_wire() for call in calls or ())


class Principal(NamedTuple):
    """A caller, as authentication found out."""

    kind: str
    id: str


class Decision(NamedTuple):
    """Who decided, and when (microseconds)."""

    kind: str
    id: str
    at: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """A kept lesson; times are microseconds, an empty `agent` is every agent and no project the whole account.

    `occurrence` says that it is one more time that an earlier lesson's rule was broken. `ended` says that a person
    dismissed or retired it, and no person took that back. `stops` counts the calls that its rule stopped, where one
    lesson is read.
    """

    id: str
    tenant_id: str
    project_id: str | None
    agent: str
    agent_key: str
    kind: str
    severity: str
    noticed_by: str
    what_happened: str
    expected: str | None
    rule: str | None
    status: str
    evidence: tuple[str, ...]
    session: str | None
    broken_again: int
    duplicate_of: str | None
    occurrence: bool
    supersedes: tuple[str, ...]
    until: int | None
    must_not_call: tuple[Mapping[str, Any], ...]
    from_correction_id: str | None
    recorded_by: Principal
    adopted: Decision | None
    verified: Decision | None
    ended: bool
    created_at: int
    updated_at: int
    deleted_at: int | None
    stops: int = 0
    content_erased_at: int | None = None

    @property
    def is_in_force(self) -> bool:
        """Whether its rule is one that agents read, as long as it is not past its time."""
        return self.status in IN_FORCE and self.deleted_at is None

    @property
    def standing(self) -> Standing:
        """What decides who may move it."""
        return Standing(self.status, self.verified is not None, self.ended)


@dataclass(frozen=True, slots=True)
class Similar:
    """A rule in force that is like another one, and in which words they differ; `likeness` is from 0 to 1."""

    id: str
    project_id: str | None
    agent: str
    rule: str
    status: str
    difference: Difference
    likeness: float


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording came to: `recurrence_of` is the earlier lesson whose rule was broken again.

    `created` is False where the same caller had said the same before: then this is what is there since.
    """

    lesson: Lesson
    recurrence_of: Lesson | None = None
    created: bool = True
    similar: Sequence[Similar] = ()


@dataclass(frozen=True, slots=True)
class Updated:
    """What a change came to; `still_had_by` counts the sessions that were told a rule that is retired now.

    Where it `waits_for_person` nothing was changed: a rule would have come beside one from which it differs only in a
    negation or a number.
    """

    lesson: Lesson
    still_had_by: int | None = None
    similar: Sequence[Similar] = ()
    waits_for_person: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """The rule as it was from a moment on, and who put it so."""

    rule: str | None
    until: int | None
    must_not_call: Sequence[Mapping[str, Any]]
    at: int


@dataclass(frozen=True, slots=True)
class LessonEvent(LoggedEvent):
    """Something that happened to a lesson; `wording` is there where it put the rule in words."""

    wording: Wording | None = None


@dataclass(frozen=True, slots=True)
class LessonFilters:
    """What a list of lessons is narrowed to; duplicates are listed only where they are asked for."""

    project_id: str | None = None
    agent: str | None = None
    kind: str | None = None
    status: tuple[str, ...] = ()
    noticed_by: str | None = None
    duplicate_of: str | None = None
    from_correction_id: str | None = None


class Stop(Input):
    """Calls that a hook stopped because of a rule; only their number is kept."""

    lesson_id: Id = required("The lesson whose rule forbids the call.")
    count: Annotated[int, Field(ge=1, le=1000)] | None = optional("How many calls; left out, one.")
    tool: Name | None = optional("The tool that was called.")
    at: Moment | None = optional("When.")


class NewStops(Input):
    """What hooks stopped since they last told."""

    stops: Annotated[list[Stop], Field(min_length=1, max_length=100)] = required(
        "The calls that were stopped, by the rule that forbids them."
    )


@dataclass(frozen=True, slots=True)
class CountedStops:
    """How many stopped calls were counted; `unknown` are lessons that the caller cannot see."""

    counted: int
    unknown: Sequence[str]
