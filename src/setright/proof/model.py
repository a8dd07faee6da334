"""Test runs: what a caller may ask of them and hand in, and the records that are kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from setright.corrections import DeskWord
from setright.kernel.canonical import digest
from setright.kernel.clock import from_wire, to_wire
from setright.kernel.errors import Refusal, UnknownField, fault_at, refuse_faults
from setright.kernel.fields import Fault, Id, Input, Words, optional, required, validate
from setright.kernel.ids import with_prefix
from setright.proof.lifecycle import LEASE_SECONDS, MOST_LEASE_SECONDS
from setright.runs import MOST_CALLS, Messages, NewCall, NewSubject
from setright.subjects import SubjectRef

MOST_IDS = 1_000
MOST_REPETITIONS = 20
MOST_CLAIMED = 100
MOST_RESULTS = 200


def _moment(value: Any) -> int:
    if not isinstance(value, str):
        raise Fault("", "is no time", "a string with an RFC 3339 time")
    try:
        return from_wire(value)
    except ValueError as error:
        raise Fault("", str(error)) from None


Moment = Annotated[int, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
TestedWord = Literal["open", "being-fixed", "with-owner", "fixed", "wont-fix"]


class TestFilter(Input):
    """Which of the subject's corrections are tested; left out, all that stand and are not removed."""

    status: Annotated[list[TestedWord], Field(min_length=1, max_length=5)] | None = optional(
        "Only corrections in one of these statuses; removed ones never are cases."
    )
    sorted_to: DeskWord | None = optional("Only corrections that are sorted to this desk.")
    corrector_group_id: Id | None = optional("Only corrections under this corrector group.")
    since: Moment | None = optional("Only corrections recorded at this time or later.")
    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_IDS)] | None = optional(
        "Only these corrections, each of which must be there to be tested."
    )
    sample: Annotated[float, Field(gt=0, le=1)] | None = optional(
        "The share of the corrected runs that is tested, 0.1 for a tenth: the same share always picks the same runs, "
        "and a larger one picks them too, so that test runs can be compared."
    )

    def on_wire(self) -> dict[str, Any]:
        """The filter as it is kept and shown."""
        shown = self.model_dump(by_alias=True, exclude_none=True)
        return shown if self.since is None else {**shown, "since": to_wire(self.since)}


class NewTestRun(Input):
    """A version to hold against the corrections of its subject in a project."""

    project_id: Id = required("The project whose corrections are tested.")
    subject: NewSubject = required("The agent or flow, at the version that is tested; it may be new.")
    filter: TestFilter | None = optional("Which corrections; left out, all that stand.")
    repeat: Annotated[int, Field(ge=1, le=MOST_REPETITIONS)] | None = optional(
        "How often each case is tried; left out, once. Wrong in one try is wrong, right is right in all."
    )


class ResultCall(NewCall):
    """A call that the new version made."""

    diverged: bool | None = optional("True where a replay had no recording of this read.")

    def content(self) -> dict[str, Any]:
        """The call as it is kept."""
        return {**super().content(), **({"diverged": True} if self.diverged else {})}


class NewResult(Input):
    """What the new version did in a case: its calls and its answer, or how it failed, or a run that stands for it."""

    case_id: Id = required("The case.")
    lease: Id | None = optional(
        "The lease under which it was claimed; a run may stand for a case without one."
    )
    run_id: Id | None = optional(
        "A finished run of the tested version in the same project that stands for the result; then nothing else is said."
    )
    calls: Annotated[list[ResultCall], Field(max_length=MOST_CALLS)] | None = optional(
        "The calls that it made, in order; none is [], which must be said unless it failed."
    )
    output: Any = optional("What came out: any JSON.")
    answer: str | None = optional("What it said; left out, the output if that is text.")
    messages: Messages | None = optional("The conversation: objects with a role and whatever else.")
    error: Words | None = optional(
        "How it failed, or that it did not come to an end: then nothing is evaluated."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """A run stands for everything else; otherwise the calls are said, and under which lease."""
        if body.get("runId") is not None:
            told = [name for name in ("calls", "output", "answer", "messages", "error") if name in body]
            yield from (fault_at(f"/{name}", "stands beside runId, which says it all") for name in told)
            return
        if body.get("calls") is None and body.get("error") is None:
            yield fault_at("/calls", "is required", "an array, empty where nothing was called")
        if body.get("lease") is None:
            yield fault_at("/lease", "is required unless a run stands for the result")

    @cached_property
    def content(self) -> dict[str, Any] | None:
        """What was said, as it is kept; None where a run stands for it."""
        if self.run_id is not None:
            return None
        found: dict[str, Any] = {"calls": [call.content() for call in self.calls or ()]}
        for name in ("output", "answer", "messages", "error"):
            if name in self.model_fields_set and (name == "output" or getattr(self, name) is not None):
                found[name] = getattr(self, name)
        return found

    @cached_property
    def hash(self) -> str:
        """A hash of what was said, which tells whether a result is sent again."""
        if self.run_id is not None:
            return digest({"runId": with_prefix("run", self.run_id)})
        return digest(self.content)


class NewResults(Input):
    """Results of claimed cases; each is judged by itself."""

    results: Annotated[list[Any], Field(min_length=1, max_length=MOST_RESULTS)] = required(
        "Each what the version did in one case: `{caseId, lease, calls, output?, answer?, messages?, error?}`, "
        "or `{caseId, runId}`."
    )

    def checked(self) -> list[NewResult | Refusal]:
        """Each result by itself: what it says, or why it is refused."""
        return [_checked(index, result) for index, result in enumerate(self.results)]


def _checked(index: int, result: Any) -> NewResult | Refusal:
    try:
        made = validate(NewResult, result)
    except Refusal as refusal:
        faults = [
            {**fault, "pointer": f"/results/{index}{fault['pointer']}"} for fault in refusal.details["faults"]
        ]
        if isinstance(refusal, UnknownField):
            return UnknownField(f"Unknown field {faults[0]['pointer']}.", {"faults": faults})
        return refuse_faults(faults)
    _ = made.hash  # made here, and not in the transaction, where every other writer would wait for it
    return made


class Claim(Input):
    """How many cases to take, and for how long."""

    n: Annotated[int, Field(ge=1, le=MOST_CLAIMED)] | None = optional("How many at most; left out, 1.")
    seconds: Annotated[int, Field(ge=1, le=MOST_LEASE_SECONDS)] | None = optional(
        f"How long they are yours; left out, {LEASE_SECONDS}. Then somebody else may claim what has no result."
    )


class Renewal(Input):
    """For how much longer."""

    lease: Id = required("The lease under which the cases were claimed.")
    seconds: Annotated[int, Field(ge=1, le=MOST_LEASE_SECONDS)] | None = optional(
        f"How long they stay yours from now on; left out, {LEASE_SECONDS}."
    )


class FinishTestRun(Input):
    """Whether cases may be without a result."""

    partial: bool | None = optional(
        "True: finish although cases have no result; what they are held against has no verdict then."
    )


@dataclass(frozen=True, slots=True)
class TestRun:
    """A test run as it stands; times are microseconds.

    `case_count` counts every try of every corrected run but the erased ones, `correction_count` corrections, and the
    counts of verdicts one for each correction and try. `is_whole` says that all cases were made.
    """

    id: str
    tenant_id: str
    project_id: str
    subject: SubjectRef
    filter: Mapping[str, Any]
    repeat: int
    status: str
    next_place: Sequence[Any] | None
    case_count: int
    done_count: int
    erased_count: int
    correction_count: int
    right_count: int
    wrong_count: int
    not_evaluated_count: int
    made_by_kind: str
    made_by_id: str
    created_at: int
    updated_at: int
    ended_at: int | None

    @property
    def is_whole(self) -> bool:
        """Whether all its cases were made."""
        return self.next_place is None


@dataclass(frozen=True, slots=True)
class WouldMove:
    """How many corrections a version would make fixed, and open again; `at_least`: there may be more."""

    fixed: int
    reopened: int = 0
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """A test run with what it means: whether its project runs the version, else what would move if it did."""

    test_run: TestRun
    applies: bool = False
    would_move: WouldMove | None = None


@dataclass(frozen=True, slots=True)
class TestRunFilters:
    """What a list of test runs is narrowed to."""

    project_id: str | None = None
    agent_id: str | None = None
    flow_id: str | None = None
    version: str | None = None
    status: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A try of a corrected run: what it is held against, and where it stands.

    `next_at` is when it may be claimed, None once nothing is wanted of it any more.
    """

    id: str
    test_run_id: str
    run_id: str
    repetition: int
    correction_ids: tuple[str, ...]
    state: str
    lease: str | None
    next_at: int | None
    done_at: int | None


@dataclass(frozen=True, slots=True)
class ClaimedCase:
    """A case as its runner gets it: what the corrected run got, and what its tools answered; never what is expected.

    `version` is that of the corrected run, `messages` go up to the first reply, `calls` are those of the corrected run.
    """

    case: Case
    version: str
    input: Any
    messages: Sequence[Any] | None
    calls: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Claimed:
    """Cases that are the caller's until a moment; without any, `test_run` tells whether others may come.

    `effects` are what the project declares of its tools, None where it declares nothing.
    """

    test_run: TestRun
    cases: Sequence[ClaimedCase]
    lease: str | None = None
    until: int | None = None
    effects: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Renewed:
    """So many cases stay the caller's until a moment."""

    lease: str
    until: int
    cases: int


@dataclass(frozen=True, slots=True)
class HeldVerdict:
    """What came out for a correction in one try; `aspects` are in wire form, `wrong_aspect` is the first that is wrong."""

    test_run_id: str
    correction_id: str
    repetition: int
    case_id: str
    verdict: str
    reason: str | None
    wrong_aspect: str | None
    rule: str
    aspects: Sequence[Mapping[str, Any]]
    corrector_group_id: str | None
    expert: bool
    at: int

    @property
    def explanation(self) -> str:
        """Why: what is said of each aspect that made the verdict what it is."""
        return " ".join(one["explanation"] for one in self.aspects if one["verdict"] == self.verdict)


@dataclass(frozen=True, slots=True)
class ResultOutcome:
    """What became of one result: its verdicts, or why it was refused; `created` is False when it was there already."""

    index: int
    case_id: str | None
    verdicts: Sequence[HeldVerdict] = ()
    created: bool = False
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of each result, and how the test run stands then."""

    test_run: TestRun
    outcomes: Sequence[ResultOutcome]
