"""Runs: what a caller may send about them, and the records that are kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Annotated, Any, Literal, cast
from unicodedata import category

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from setright.kernel.canonical import digest
from setright.kernel.clock import from_wire
from setright.kernel.errors import MOST_FAULTS, Refusal, fault_at
from setright.kernel.fields import ENTRIES, Fault, Faults, Id, Input, Name, optional, required, validate
from setright.kernel.ids import looks_like_ours
from setright.subjects import SubjectRef, fold

MOST_CALLS = 10_000
MOST_RUNS = 1_000
HASH = 32

RunStatus = Literal["running", "completed", "failed"]


def _own_id(text: str) -> str:
    """An id that a caller chose: usable in a path, and never mistaken for one of ours."""
    if any(category(character) == "Cc" for character in text):
        raise Fault("", "contains a control character")
    if text in (".", ".."):
        raise Fault("", "cannot be a segment of a path", "any id but . and ..")
    if looks_like_ours(text):
        raise Fault("", "has the form of an id that Setright makes", "an id of another form, or none")
    return text


def _subject_id(text: str) -> str:
    if not fold(text):
        raise Fault("", "is blank", "at least one visible character")
    return text


def _time(text: str) -> str:
    """A time, kept as it was written."""
    try:
        from_wire(text)
    except ValueError as error:
        raise Fault("", str(error)) from None
    return text


def _message_faults(messages: Sequence[Any]) -> Iterator[dict[str, str]]:
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            yield fault_at(f"/{index}", "is not an object", "an object with a role")
            continue
        role = cast("dict[str, Any]", message).get("role", _NONE)
        if role is _NONE:
            yield fault_at(f"/{index}/role", "is required")
        elif not isinstance(role, str) or not role:
            yield fault_at(f"/{index}/role", "is no name of a role", "a string of at least 1 character")


def _messages(messages: list[Any]) -> list[Any]:
    """Messages with whatever keys they have; only the role is ours to read. There may be a million of them."""
    faults = list(islice(_message_faults(messages), MOST_FAULTS + 1))
    if faults:
        raise Faults(faults)
    return messages


_NONE = object()
Messages = Annotated[
    list[Any],
    AfterValidator(_messages),
    WithJsonSchema({"type": "array", "items": {"type": "object", "additionalProperties": True}}),
]
Time = Annotated[str, AfterValidator(_time)]


class NewSubject(Input):
    """The agent or flow that ran, at a version."""

    kind: Literal["agent", "flow"] = required("What ran: an agent, or a flow.")
    id: Annotated[Name, AfterValidator(_subject_id)] = required(
        "The caller's own name of it; the first spelling is shown, however it is spelled later."
    )
    version: Name = required("Which version ran; one that is new becomes known, not deployed.")


class NewCall(Input):
    """One tool call; calls are told apart by their position. A result or error that is null was given as null."""

    tool: Name = required("The tool's name.")
    args: dict[str, Any] | None = optional("What it was called with.")
    result: Any = optional("What it gave back: any JSON.")
    error: Any = optional("How it failed: any JSON.")
    started_at: Time | None = optional("When it began.")
    ended_at: Time | None = optional("When it ended.")
    agent: Name | None = optional("The sub-agent that made it; left out, the run's own agent did.")

    def content(self) -> dict[str, Any]:
        """The call as it is kept: `args` always there, everything else as it was sent, times as written."""
        call: dict[str, Any] = {"tool": self.tool, "args": self.args or {}}
        if "result" in self.model_fields_set:
            call["result"] = self.result
        if "error" in self.model_fields_set:
            call["error"] = self.error
        if self.started_at is not None:
            call["startedAt"] = self.started_at
        if self.ended_at is not None:
            call["endedAt"] = self.ended_at
        if self.agent is not None:
            call["agent"] = self.agent
        return call


Calls = Annotated[list[NewCall], Field(max_length=MOST_CALLS)]


class Ending(Input):
    """What both a whole run and the end of a running one may say; an output that is null is an output."""

    messages: Messages | None = optional("The conversation: objects with a role and whatever else.")
    calls: Calls | None = optional("The tool calls in order; one has at most 4 MiB.")
    output: Any = optional("What came out: any JSON, null too.")
    answer: str | None = optional("What it said; left out, the output if that is text.")

    @property
    def has_output(self) -> bool:
        """Whether an output was given."""
        return "output" in self.model_fields_set

    @property
    def effective_answer(self) -> str | None:
        """The answer; left out, it is the output if that is text."""
        if self.answer is None and isinstance(self.output, str):
            return self.output
        return self.answer

    def call_contents(self) -> list[dict[str, Any]]:
        """The calls as they are kept."""
        return [call.content() for call in self.calls or ()]

    def said(self) -> dict[str, Any]:
        """What was said, by wire names and with defaults filled in, so that the same content is equal."""
        found: dict[str, Any] = {}
        if self.messages is not None:
            found["messages"] = self.messages
        if self.calls:
            found["calls"] = self.call_contents()
        if self.has_output:
            found["output"] = self.output
        if self.effective_answer is not None:
            found["answer"] = self.effective_answer
        return found


class NewRun(Ending):
    """A run, started or finished; without a status it is completed if it has an output, else running."""

    id: Annotated[Id, AfterValidator(_own_id)] | None = optional(
        "The caller's own id, unique in the tenant: the same content again is the same run."
    )
    project_id: Id = required("The project that it goes to.")
    subject: NewSubject = required("What ran.")
    input: Any = optional("What came in: any JSON.")
    status: RunStatus | None = optional(
        "running, completed or failed; left out, completed if there is an output."
    )
    participant_id: Id | None = optional("The app's opaque id of its end user.")
    tags: Annotated[list[Name], Field(max_length=ENTRIES)] | None = optional(
        "The caller's own words about it."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """A completed run has an output; a running one has neither output nor answer yet."""
        status = body.get("status") or ("completed" if "output" in body else "running")
        if status == "completed" and "output" not in body:
            yield fault_at("/output", "is required when the status is completed", "any JSON, null too")
        if status == "running":
            if "output" in body:
                yield fault_at("/output", "stands beside the status running", "only with completed or failed")
            if body.get("answer") is not None:
                yield fault_at("/answer", "stands beside the status running", "only with completed or failed")

    @property
    def final_status(self) -> RunStatus:
        """The status with its default."""
        return self.status or ("completed" if self.has_output else "running")

    @model_validator(mode="after")
    def _hashed_before_others_wait(self) -> "NewRun":
        """Hash a large content here, and not in the transaction, where every other writer would wait for it."""
        if self.id is not None:
            _ = self._content_hashes
        return self

    @cached_property
    def _content_hashes(self) -> dict[str, str]:
        said = self.said() | {"status": self.final_status, "input": self.input}
        if self.participant_id is not None:
            said["participantId"] = self.participant_id
        if self.tags is not None:
            said["tags"] = self.tags
        return {name: digest(value)[:HASH] for name, value in said.items()}

    def hashes(self, project_id: str, subject_key: str) -> dict[str, str]:
        """A hash of each field's content, by wire name: it tells what differs, also when the content is gone."""
        where = {"projectId": project_id, "subject": [self.subject.kind, subject_key, self.subject.version]}
        return self._content_hashes | {name: digest(value)[:HASH] for name, value in where.items()}


class Finish(Ending):
    """How a run ended; calls and messages come after those that are there."""

    status: Literal["completed", "failed"] | None = optional(
        "completed, which needs an output, or failed; left out, completed."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """A completed run has an output."""
        if (body.get("status") or "completed") == "completed" and "output" not in body:
            yield fault_at("/output", "is required unless the status is failed", "any JSON, null too")

    @property
    def final_status(self) -> Literal["completed", "failed"]:
        """The status with its default."""
        return self.status or "completed"

    @model_validator(mode="after")
    def _hashed_before_others_wait(self) -> "Finish":
        """As in `NewRun`."""
        _ = self.hash
        return self

    @cached_property
    def hash(self) -> str:
        """The hash of what was said, which tells whether a finish is sent again."""
        return digest(self.said() | {"status": self.final_status})


class NewCalls(Input):
    """Calls to add to a running run, from a position on."""

    position: Annotated[int, Field(ge=0)] = required(
        "The position of the first of them, 0 for a run's first."
    )
    calls: Annotated[list[NewCall], Field(min_length=1, max_length=MOST_CALLS)] = required(
        "The calls in order; those that stand there already, the same, are passed over."
    )


class RunBatch(Input):
    """Many runs at once; each is validated by itself."""

    runs: Annotated[list[Any], Field(min_length=1, max_length=MOST_RUNS)] = required("Each a whole NewRun.")

    def checked(self) -> list[NewRun | Refusal]:
        """Each run by itself: what it says, or why it is refused."""
        return [_checked(run) for run in self.runs]


def _checked(run: Any) -> NewRun | Refusal:
    try:
        return validate(NewRun, run)
    except Refusal as refusal:
        return refusal


@dataclass(frozen=True, slots=True)
class Run:
    """A run without its content; times are microseconds. `copy_kept_at` is set when a correction holds the content."""

    id: str
    tenant_id: str
    project_id: str
    subject: SubjectRef
    status: str
    participant_id: str | None
    tags: tuple[str, ...] | None
    call_count: int
    byte_count: int
    recorded_by_kind: str
    recorded_by_id: str
    created_at: int
    finished_at: int | None
    copy_kept_at: int | None
    content_expired_at: int | None
    content_erased_at: int | None


@dataclass(frozen=True, slots=True)
class RunContent:
    """What a run got and gave, as it was sent; `has_output` tells an output that is null from none."""

    input: Any
    messages: Sequence[Any] | None
    output: Any
    has_output: bool
    answer: str | None


@dataclass(frozen=True, slots=True)
class RunInFull:
    """A run with its content (None once that is gone) and a page of its calls in order.

    `calls_next` is the number of calls to pass over for the next page, None at the end.
    """

    run: Run
    content: RunContent | None
    calls: Sequence[Any]
    calls_next: int | None


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run that was recorded; `created` is False when the same content was there under the same id already."""

    run: Run
    created: bool


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """What became of one run of a batch: the run, or why it was refused."""

    index: int
    run: Run | None = None
    created: bool = False
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class RunToCorrect:
    """What a correction needs to know of its run; `output` and `has_output` only when they were asked for."""

    id: str
    project_id: str
    subject_kind: str
    subject_key: str
    subject_id: str
    subject_version: str
    status: str
    copy_kept_at: int | None
    content_expired_at: int | None
    content_erased_at: int | None
    output: Any = None
    has_output: bool = False


@dataclass(frozen=True, slots=True)
class RunCopy:
    """A run's content as a correction keeps it, every call included."""

    input: Any
    calls: Sequence[Any]
    output: Any
    has_output: bool
    answer: str | None


@dataclass(frozen=True, slots=True)
class RunFilters:
    """What a list of runs is narrowed to; `since` is inclusive and `until` exclusive, in microseconds."""

    project_id: str | None = None
    agent_id: str | None = None
    agent_version: str | None = None
    flow_id: str | None = None
    status: tuple[str, ...] = ()
    participant_id: str | None = None
    since: int | None = None
    until: int | None = None
