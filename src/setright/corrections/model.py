"""A correction: what a caller says about a run, and the record that is kept of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from pydantic import Field, StringConstraints

from setright.corrections.rules import body_faults, change_faults
from setright.kernel.fields import ARGUMENT_FIELDS, ENTRIES, ITEMS, WORDS, Id, Input, Name, Pointer, Words
from setright.runs import NewRun

VerdictWord = Literal["right", "wrong"]
StatusWord = Literal["open", "being-fixed", "with-owner", "fixed", "wont-fix", "removed"]
NonEmptyWords = Annotated[str, StringConstraints(min_length=1, max_length=WORDS)]
Link = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


class Expected(Input):
    """A call that should have been made: args hold the top-level fields to compare, match says how."""

    tool: Name
    args: Annotated[dict[str, Any], Field(max_length=ARGUMENT_FIELDS)] | None = None
    match: Annotated[dict[str, Any], Field(max_length=ARGUMENT_FIELDS)] | None = None


class Item(Input):
    """One entry of a ranked list and whether it was right there."""

    key: Name
    pointer: Pointer | None = None
    rank: Annotated[int, Field(ge=0)] | None = None
    verdict: VerdictWord


class AnswerMatch(Input):
    """How a new answer is compared with the wanted one."""

    how: Literal["exact", "contains", "json", "number", "judge"]
    in_: Annotated[Literal["answer", "messages"] | None, Field(alias="in")] = None
    values: Annotated[list[Words], Field(min_length=1, max_length=20)] | None = None
    tolerance: Annotated[float, Field(ge=0)] | None = None


class NewCorrection(Input):
    """The body of `POST /v1/corrections`: a verdict on one finished run (DESIGN section 4)."""

    run_id: Id | None = None
    run: NewRun | None = None
    decisions: VerdictWord | None = None
    should_call: Annotated[list[Expected], Field(max_length=ENTRIES)] | None = None
    must_not_call: Annotated[list[Name], Field(max_length=ENTRIES)] | None = None
    answer: VerdictWord | None = None
    should_say: Words | None = None
    why: Words | None = None
    items: Annotated[list[Item], Field(max_length=ITEMS)] | None = None
    corrector_group_id: Id | None = None
    participant_id: Id | None = None
    calls_match: Literal["at-least", "exactly"] | None = None
    calls_order: Literal["any", "as-listed"] | None = None
    answer_match: AnswerMatch | None = None
    evidence: Annotated[list[Link], Field(max_length=20)] | None = None

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """The rules between fields."""
        yield from body_faults(body)
        run = body.get("run")
        if isinstance(run, dict):
            for fault in NewRun.rules(cast("dict[str, Any]", run)):
                yield {**fault, "pointer": "/run" + fault["pointer"]}

    def said(self) -> dict[str, Any]:
        """What was said, in wire form, as it is kept for good; `args` is always present."""
        words = self.model_dump(by_alias=True, exclude_none=True, include=_SAID)
        if self.should_call is not None:
            words["shouldCall"] = [_expected(entry) for entry in self.should_call]
        return words

    def has_wrong_item(self) -> bool:
        """Whether an item was judged wrong."""
        return any(item.verdict == "wrong" for item in self.items or ())


class CorrectionChange(Input):
    """The body of `PATCH /v1/corrections/{id}`; null lifts sortedTo and statusNote, what is left out stays."""

    status: StatusWord | None = None
    sorted_to: Literal["improve", "developer", "owner"] | None = None
    reason: Words | None = None
    status_note: NonEmptyWords | None = None

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """The rules between fields."""
        yield from change_faults(body)

    def sorts(self) -> bool:
        """Whether sortedTo was given, null included."""
        return "sorted_to" in self.model_fields_set

    def notes(self) -> bool:
        """Whether statusNote was given, null included."""
        return "status_note" in self.model_fields_set


_SAID = {
    "must_not_call",
    "should_say",
    "why",
    "items",
    "calls_match",
    "calls_order",
    "answer_match",
    "evidence",
}


def _expected(entry: Expected) -> dict[str, Any]:
    made: dict[str, Any] = {"tool": entry.tool, "args": entry.args or {}}
    if entry.match is not None:
        made["match"] = entry.match
    return made


@dataclass(frozen=True, slots=True)
class Subject:
    """What a corrected run ran: an agent or a flow, at a version."""

    kind: str
    id: str
    version: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A kept correction; `said` is in wire form, times are microseconds, structured standings are in wire form."""

    id: str
    tenant_id: str
    project_id: str
    run_id: str
    subject: Subject
    decisions: str | None
    answer: str | None
    said: Mapping[str, Any]
    corrector_group_id: str | None
    expert: bool
    made_by_kind: str
    made_by_id: str
    participant_id: str | None
    status: str
    sorted_to: str | None
    sorted: Mapping[str, Any] | None
    link: Mapping[str, Any] | None
    fixed_in: Mapping[str, Any] | None
    reopened_in: Mapping[str, Any] | None
    status_note: Mapping[str, Any] | None
    created_at: int
    updated_at: int
    unregistered_at: int | None
    superseded_by: str | None


@dataclass(frozen=True, slots=True)
class CorrectionWithCopy:
    """A correction with the copy of its run; `values` holds what each item's pointer leads to, by key."""

    correction: Correction
    copy: Mapping[str, Any]
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CorrectionFilters:
    """What a list of corrections is narrowed to; `since` is inclusive and `until` exclusive, in microseconds."""

    project_id: str | None = None
    run_id: str | None = None
    agent_id: str | None = None
    agent_version: str | None = None
    flow_id: str | None = None
    status: tuple[str, ...] = ()
    sorted_to: str | None = None
    decisions: str | None = None
    answer: str | None = None
    corrector_group_id: str | None = None
    participant_id: str | None = None
    made_by: str | None = None
    expert: bool | None = None
    since: int | None = None
    until: int | None = None
    include_unregistered: bool = False
