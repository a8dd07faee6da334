"""The answers about runs, corrections and events as typed records."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class Actor(Record):
    """Who did something: `kind` is `user` or `service`, or `rule` where Setright itself decided."""

    kind: str
    id: str | None = None


@dataclass(frozen=True, kw_only=True)
class Subject(Record):
    """The agent or flow that ran, at a version."""

    kind: str
    id: str
    version: str


@dataclass(frozen=True, kw_only=True)
class ToolCall(Record):
    """A tool call of a run, as it was recorded; `agent` is the sub-agent that made it, None for the run's own."""

    tool: str
    args: Any = None
    result: Any = None
    error: Any = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True)
class Run(Record):
    """A run; its content (input, messages, calls, output, answer) is there only when one run is read by `get`.

    `calls` is a page of them, and `calls_next` is the `calls_after` of the next one, None at the end. `output` is
    None for a run without one and for one whose output is null: `has_output` tells them apart.
    """

    id: str
    status: str
    project_id: str
    subject: Subject
    tenant_id: str | None = None
    input: Any = None
    messages: tuple[Any, ...] | None = None
    calls: tuple[ToolCall, ...] | None = None
    output: Any = None
    answer: str | None = None
    participant_id: str | None = None
    tags: tuple[str, ...] | None = None
    call_count: int | None = None
    calls_next: int | None = None
    recorded_by: Actor | None = None
    created_at: datetime | None = None
    finished_at: datetime | None = None
    content_expired_at: datetime | None = None
    content_erased_at: datetime | None = None

    @property
    def finished(self) -> bool:
        """Whether it is over, so that it can be corrected."""
        return self.status in ("completed", "failed")

    @property
    def has_output(self) -> bool:
        """Whether an output was read, null included."""
        return "output" in self.raw


@dataclass(frozen=True, kw_only=True)
class ExpectedCall(Record):
    """A call that should have been made; empty `args` ask only that the tool was called."""

    tool: str
    args: Mapping[str, Any]
    match: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Item(Record):
    """The verdict on one item of the output; `value` is the item itself, there when one correction is read."""

    key: str
    verdict: str
    pointer: str | None = None
    rank: int | None = None
    value: Any = None


@dataclass(frozen=True, kw_only=True)
class Sorted(Record):
    """Who or what sorted a correction to those who work on it."""

    by: Actor
    at: datetime
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Link(Record):
    """What a correction led to; `id` has no prefix."""

    kind: str
    id: str


@dataclass(frozen=True, kw_only=True)
class FixedIn(Record):
    """The version that got it right and how the project came to run it; no version when nothing had to be fixed."""

    how: str
    at: datetime
    version: str | None = None
    by: Actor | None = None


@dataclass(frozen=True, kw_only=True)
class ReopenedIn(Record):
    """The version that got a fixed correction wrong again and how the project came to run it."""

    version: str
    how: str
    at: datetime
    by: Actor | None = None


@dataclass(frozen=True, kw_only=True)
class StatusNote(Record):
    """A person's note on where a correction stands."""

    text: str
    by: Actor
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Copy(Record):
    """What the corrected run was, kept with the correction."""

    input: Any = None
    calls: tuple[ToolCall, ...] | None = None
    output: Any = None
    answer: str | None = None


@dataclass(frozen=True, kw_only=True)
class Correction(Record):
    """A correction of a run: what was said, which never changes, and where it stands, which does."""

    id: str
    tenant_id: str
    project_id: str
    run_id: str
    subject: Subject
    made_by: Actor
    status: str
    created_at: datetime
    updated_at: datetime
    decisions: str | None = None
    should_call: tuple[ExpectedCall, ...] | None = None
    must_not_call: tuple[str, ...] | None = None
    answer: str | None = None
    should_say: str | None = None
    why: str | None = None
    items: tuple[Item, ...] | None = None
    corrector_group_id: str | None = None
    expert: bool | None = None
    participant_id: str | None = None
    calls_match: str | None = None
    calls_order: str | None = None
    answer_match: Mapping[str, Any] | None = None
    evidence: tuple[str, ...] | None = None
    sorted_to: str | None = None
    sorted: Sorted | None = None
    link: Link | None = None
    fixed_in: FixedIn | None = None
    reopened_in: ReopenedIn | None = None
    status_note: StatusNote | None = None
    unregistered_at: datetime | None = None
    superseded_by: str | None = None
    blind: str | None = None
    adjudicates: tuple[str, ...] | None = None
    adjudicated_by: str | None = None
    content_erased_at: datetime | None = None
    copy: Copy | None = None


@dataclass(frozen=True, kw_only=True)
class GroupScope(Record):
    """Which runs a corrector group covers: all (`tenant`), those of a `project`, or those of an `agent` in one."""

    kind: str
    project_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class AssertableBy(Record):
    """Who may correct under a group; every part that is there must hold."""

    min_reviewer_role: str | None = None
    principal_kinds: tuple[str, ...] | None = None
    principal_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class CorrectorGroup(Record):
    """A name to correct under, and how much that counts; `retired_at` is there when nobody does any more."""

    id: str
    name: str
    scope: GroupScope
    weight: float
    status: str
    tenant_id: str | None = None
    assertable_by: AssertableBy | None = None
    created_by: Actor | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    retired_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class WhyRefused(Record):
    """Why a held correction was not recorded when its run finished, as the request would have been refused then."""

    code: str
    message: str
    at: datetime
    details: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class WaitingCorrection(Record):
    """A correction that is held: it waits for its run, was refused when that finished, or was taken back.

    What `corrections.hold` answers has no more than what was held. `run_state`, while it waits, is missing, running,
    or elsewhere: a run with this id is in another project, so that it waits in vain.
    """

    id: str
    waiting_for_run: bool
    run_id: str
    project_id: str
    held_at: datetime
    request: Mapping[str, Any]
    tenant_id: str | None = None
    made_by: Actor | None = None
    state: str | None = None
    run_state: str | None = None
    age_seconds: int | None = None
    refusal: WhyRefused | None = None
    withdrawn_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Thing(Record):
    """What an event happened to, such as a `correction` and its id."""

    kind: str
    id: str


@dataclass(frozen=True, kw_only=True)
class Event(Record):
    """Something that happened: ids and the names of changed fields, never a person's words.

    `seq` has gaps and is no order: events of one feed are in order as they come.
    """

    seq: int
    at: datetime
    by: Actor
    kind: str
    subject: Thing
    project_id: str | None = None
    changed: tuple[str, ...] | None = None
    about: str | None = None


@dataclass(frozen=True, kw_only=True)
class CorrectionEvent(Event):
    """Something that happened to a correction; what a move changed stands beside it, what it took away does not."""

    status: str | None = None
    sorted_to: str | None = None
    sorted: Sorted | None = None
    fixed_in: FixedIn | None = None
    reopened_in: ReopenedIn | None = None
    status_note: StatusNote | None = None
