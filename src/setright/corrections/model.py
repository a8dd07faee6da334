"""A correction: what a caller says about a run, and the record that is kept of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field, StringConstraints

from setright.corrections.lifecycle import BY_HAND, STATUSES, DeskWord, StatusWord
from setright.corrections.rules import body_faults, change_faults, verdict_faults
from setright.kernel.fields import (
    ANSWER_VALUES,
    ARGUMENT_FIELDS,
    ENTRIES,
    EVIDENCE,
    ITEMS,
    LINK,
    WORDS,
    Fault,
    Id,
    Input,
    Name,
    Pointer,
    Words,
    optional,
    required,
)
from setright.runs import NewRun

VerdictWord = Literal["right", "wrong"]
NonEmptyWords = Annotated[str, StringConstraints(min_length=1, max_length=WORDS)]
Link = Annotated[str, StringConstraints(min_length=1, max_length=LINK)]


class Expected(Input):
    """A call that should have been made: args hold the top-level fields to compare, match says how."""

    tool: Name = required("The tool's name.")
    args: Annotated[dict[str, Any], Field(max_length=ARGUMENT_FIELDS)] | None = optional(
        "The top-level arguments that count, compared by value; left out, only that the tool was called counts. "
        "At most 4000 characters of canonical JSON."
    )
    match: Annotated[dict[str, Any], Field(max_length=ARGUMENT_FIELDS)] | None = optional(
        "For places of args that need not be equal: a name, or a JSON Pointer into args, and one of "
        '{"anyOf": [values]}, {"tolerance": number}, {"contains": true}, {"prefix": true}, {"ignore": true}, '
        '{"optional": true}; optional may stand beside another.'
    )

    def on_wire(self) -> dict[str, Any]:
        """The call in wire form, with args always there."""
        made: dict[str, Any] = {"tool": self.tool, "args": self.args or {}}
        if self.match is not None:
            made["match"] = self.match
        return made


class Item(Input):
    """One entry of a ranked list and whether it was right there."""

    key: Name = required("The caller's own lasting id of the item, never its text; each key once.")
    pointer: Pointer | None = optional(
        "Where the item is in the run's output, as a JSON Pointer (RFC 6901); it must lead to a value."
    )
    rank: Annotated[int, Field(ge=0)] | None = optional("The item's position in the list, 0 first.")
    verdict: VerdictWord = required("Whether the item was right there.")


class AnswerMatch(Input):
    """How a new answer is compared with the wanted one."""

    how: Literal["exact", "contains", "json", "number", "judge"] = required(
        "exact: the same text; contains: whole words of it; json, number: the same value; judge: a model decides."
    )
    in_: Annotated[Literal["answer", "messages"] | None, Field(alias="in")] = optional(
        "With contains: where to look, in the answer or in every message of the assistant."
    )
    values: Annotated[list[Words], Field(min_length=1, max_length=ANSWER_VALUES)] | None = optional(
        "With contains: the texts that must all occur; left out, shouldSay."
    )
    tolerance: Annotated[float, Field(ge=0)] | None = optional("With number: how far off it may be.")


class OfRun(Input):
    """Which run is spoken of."""

    run_id: Id | None = optional("The finished run that is corrected; exactly one of runId and run.")
    run: NewRun | None = optional("A whole finished run, recorded together with its correction.")


class NewVerdict(Input):
    """What is said of a run, whichever it is: at least one of decisions, answer and items."""

    decisions: VerdictWord | None = optional(
        "Whether the tool calls were right; wrong needs an entry in shouldCall or mustNotCall."
    )
    should_call: Annotated[list[Expected], Field(max_length=ENTRIES)] | None = optional(
        "Only with decisions wrong: the calls that should have been made."
    )
    must_not_call: Annotated[list[Name], Field(max_length=ENTRIES)] | None = optional(
        "Only with decisions wrong: tools that must not be called; none that is in shouldCall too."
    )
    answer: VerdictWord | None = optional("Whether the answer was right; wrong needs shouldSay or why.")
    should_say: Words | None = optional("Only with answer wrong: what it should have said.")
    why: Words | None = optional("Why it is so.")
    items: Annotated[list[Item], Field(max_length=ITEMS)] | None = optional(
        "For an answer that is a ranked list: its items, and whether each was right."
    )
    corrector_group_id: Id | None = optional("A corrector group that covers the run.")
    calls_match: Literal["at-least", "exactly"] | None = optional(
        "Only with decisions wrong: whether calls that write are allowed beside shouldCall; left out, at-least."
    )
    calls_order: Literal["any", "as-listed"] | None = optional(
        "Only with decisions wrong: whether the order of shouldCall counts; left out, any."
    )
    answer_match: AnswerMatch | None = optional("Only with answer: how a new answer is compared.")
    evidence: Annotated[list[Link], Field(max_length=EVIDENCE)] | None = optional(
        "Links or citations; they are never fetched."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """The rules between fields."""
        yield from verdict_faults(body)

    def said(self) -> dict[str, Any]:
        """What was said, in wire form, as it is kept for good; `args` is always present."""
        words = self.model_dump(by_alias=True, exclude_none=True, include=_SAID)
        if self.should_call is not None:
            words["shouldCall"] = [entry.on_wire() for entry in self.should_call]
        return words

    def has_wrong_item(self) -> bool:
        """Whether an item was judged wrong."""
        return any(item.verdict == "wrong" for item in self.items or ())

    def of_run(self, run_id: str) -> "NewCorrection":
        """The same, said of one run."""
        said = {name: getattr(self, name) for name in NewVerdict.model_fields}
        return NewCorrection.model_construct(run_id=run_id, **said)


class NewCorrection(NewVerdict, OfRun):
    """A verdict on one finished run: at least one of decisions, answer and items."""

    participant_id: Id | None = optional(
        "The app's opaque id of its end user, when the app corrects on their behalf."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """The rules between fields."""
        yield from body_faults(body)
        run = body.get("run")
        if isinstance(run, dict):
            for fault in NewRun.rules(cast("dict[str, Any]", run)):
                yield {**fault, "pointer": "/run" + fault["pointer"]}


def _settable(word: Any) -> Any:
    """A status as it is; of other words those are told that can be set, and not those that are never set by hand."""
    if word is None or word in STATUSES:
        return word
    raise Fault("", "is not an allowed value", ", ".join(BY_HAND))


class CorrectionChange(Input):
    """The body of `PATCH /v1/corrections/{id}`; null lifts sortedTo and statusNote, what is left out stays."""

    status: Annotated[StatusWord, BeforeValidator(_settable)] | None = optional(
        "Where it stands from now on."
    )
    sorted_to: DeskWord | None = optional("Who works on it; null: nobody.")
    reason: Words | None = optional("Why it is sorted so; only with sortedTo.")
    status_note: NonEmptyWords | None = optional("A note by hand; null takes it away.")

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


@dataclass(frozen=True, slots=True)
class Subject:
    """What a corrected run ran: an agent or a flow, at a version; `key` is the form in which its id is compared."""

    kind: str
    key: str
    id: str
    version: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A kept correction; `said` is in wire form, times are microseconds, structured standings are in wire form.

    While it is `blind` (the id of a review queue) only its maker and admins of the project may know of it. One that is
    `adjudicated_by` another moves no more, and is no case of a test. `status_set_at` is when a hand last set its status.
    """

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
    blind: str | None = None
    adjudicates: tuple[str, ...] = ()
    adjudicated_by: str | None = None
    status_set_at: int | None = None
    content_erased_at: int | None = None

    @property
    def stands(self) -> bool:
        """Whether it can be a case of a test, and be moved by what comes of it."""
        gone = (
            self.status == "removed" or self.superseded_by is not None or self.content_erased_at is not None
        )
        return not gone and self.blind is None and self.adjudicated_by is None


@dataclass(frozen=True, slots=True)
class Review:
    """The review that a correction is made for: `blind` is the queue while others must not see what it says.

    `adjudicates` are the corrections between which it decides.
    """

    blind: str | None = None
    adjudicates: tuple[str, ...] = ()


NO_REVIEW = Review()


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
