"""The fields of what is sent, by our names; a plain dictionary does as well, and a name unknown here goes to the server as it is."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Required, TypedDict

from setright.client.answers import AssertableBy, GroupScope, Subject, ToolCall

Verdict = Literal["right", "wrong"]
Moment = datetime | str
AnyFields = Mapping[str, Any]


class SubjectFields(TypedDict):
    """The agent or flow that ran, at a version."""

    kind: Literal["agent", "flow"]
    id: str
    version: str


class CallFields(TypedDict, total=False):
    """A tool call of a run; calls are told apart by their position."""

    tool: Required[str]
    args: Any
    result: Any
    error: Any
    started_at: Moment | None
    ended_at: Moment | None
    agent: str | None


class MessageFields(TypedDict):
    """A message of a run."""

    role: str
    content: Any


class FinishFields(TypedDict, total=False):
    """How a run ended: completed, which needs an output (None is one), or failed.

    `answer`, left out, is the output if that is text; messages and calls come after those that are there already.
    """

    status: Literal["completed", "failed"] | None
    output: Any
    answer: str | None
    messages: Sequence[MessageFields | AnyFields] | None
    calls: Sequence[CallFields | ToolCall | AnyFields] | None


class RunFields(TypedDict, total=False):
    """A run; without `status` it is completed if it has an output, else running until `finish`.

    `answer`, left out, is the output if that is text; an output of None is an output.
    """

    id: str | None
    project_id: Required[str]
    subject: Required[SubjectFields | Subject | AnyFields]
    input: Any
    messages: Sequence[MessageFields | AnyFields] | None
    calls: Sequence[CallFields | ToolCall | AnyFields] | None
    output: Any
    answer: str | None
    status: Literal["running", "completed", "failed"] | None
    participant_id: str | None
    tags: Sequence[str] | None


class MatchFields(TypedDict, total=False):
    """How one place of the wanted arguments is compared; `optional` may stand beside another."""

    any_of: Sequence[Any]
    tolerance: float
    contains: bool
    prefix: bool
    ignore: bool
    optional: bool


class ExpectedCallFields(TypedDict, total=False):
    """A call that should have been made; without `args` only that the tool was called."""

    tool: Required[str]
    args: Mapping[str, Any]
    match: Mapping[str, MatchFields | AnyFields]


class ItemFields(TypedDict, total=False):
    """The verdict on one item of a list in the output; `pointer` is a JSON Pointer into the output."""

    key: Required[str]
    pointer: str | None
    rank: int | None
    verdict: Required[Verdict]


AnswerMatchFields = TypedDict(
    "AnswerMatchFields",
    {
        "how": Literal["exact", "contains", "json", "number", "judge"],
        "in": Literal["answer", "messages"],
        "values": Sequence[str],
        "tolerance": float,
    },
    total=False,
)
"""How an answer is held against the wanted one."""


class OfRunFields(TypedDict, total=False):
    """Which run is spoken of: `run_id`, or `run` for one that is recorded with what is said of it."""

    run_id: str | None
    run: RunFields | AnyFields | None


class VerdictFields(TypedDict, total=False):
    """What is said of a run: at least one verdict."""

    decisions: Verdict | None
    should_call: Sequence[ExpectedCallFields | AnyFields] | None
    must_not_call: Sequence[str] | None
    answer: Verdict | None
    should_say: str | None
    why: str | None
    items: Sequence[ItemFields | AnyFields] | None
    corrector_group_id: str | None
    calls_match: Literal["at-least", "exactly"] | None
    calls_order: Literal["any", "as-listed"] | None
    answer_match: AnswerMatchFields | AnyFields | None
    evidence: Sequence[str] | None


class CorrectionFields(OfRunFields, VerdictFields, total=False):
    """A correction of a run: `run_id`, or `run` for one that is recorded with it; at least one verdict."""

    participant_id: str | None


class CorrectionChanges(TypedDict, total=False):
    """How a correction is moved by hand; None lifts `sorted_to` and `status_note`, what is left out stays."""

    status: Literal["open", "being-fixed", "with-owner", "wont-fix"]
    sorted_to: Literal["improve", "developer", "owner"] | None
    reason: str | None
    status_note: str | None


class GroupScopeFields(TypedDict, total=False):
    """Which runs a corrector group covers; `project_id` and `agent_id` go with the kinds that need them."""

    kind: Required[Literal["tenant", "project", "agent"]]
    project_id: str | None
    agent_id: str | None


class AssertableByFields(TypedDict, total=False):
    """Who may correct under a group: every part that is given must hold."""

    min_reviewer_role: Literal["standard", "senior", "admin"] | None
    principal_kinds: Sequence[Literal["user", "service"]] | None
    principal_ids: Sequence[str] | None


class CorrectorGroupFields(TypedDict, total=False):
    """A corrector group; `weight`, left out, is 1, and without `assertable_by` everybody may who may correct the run."""

    name: Required[str]
    scope: Required[GroupScopeFields | GroupScope | AnyFields]
    weight: float | None
    assertable_by: AssertableByFields | AssertableBy | AnyFields | None


class CorrectorGroupChanges(TypedDict, total=False):
    """What can be changed of a corrector group; None lifts `assertable_by`, what is left out stays."""

    name: str
    weight: float
    assertable_by: AssertableByFields | AssertableBy | AnyFields | None


class PageFilters(TypedDict, total=False):
    """What every list takes: `limit` is the size of a page (1 to 100), `cursor` the `next_cursor` of one before."""

    limit: int | None
    cursor: str | None


class RunFilters(PageFilters, total=False):
    """Which runs; several statuses mean any of them, `since` is inclusive and `until` exclusive."""

    project_id: str | None
    agent_id: str | None
    agent_version: str | None
    flow_id: str | None
    status: str | Sequence[str] | None
    participant_id: str | None
    since: Moment | None
    until: Moment | None


class CorrectionFilters(PageFilters, total=False):
    """Which corrections; several statuses mean any of them, `since` is inclusive and `until` exclusive."""

    project_id: str | None
    run_id: str | None
    agent_id: str | None
    agent_version: str | None
    flow_id: str | None
    status: str | Sequence[str] | None
    sorted_to: str | None
    decisions: Verdict | None
    answer: Verdict | None
    corrector_group_id: str | None
    participant_id: str | None
    made_by: str | None
    expert: bool | None
    since: Moment | None
    until: Moment | None
    include_unregistered: bool | None


class CorrectorGroupFilters(PageFilters, total=False):
    """Which corrector groups; `scope` is the kind of their scope."""

    project_id: str | None
    agent_id: str | None
    scope: Literal["tenant", "project", "agent"] | None
    include_retired: bool | None


class SummaryFilters(PageFilters, total=False):
    """Which corrections are counted; `expert` only those under a restricted group, or only the others."""

    project_id: str | None
    agent_id: str | None
    agent_version: str | None
    flow_id: str | None
    expert: bool | None


class WaitingFilters(PageFilters, total=False):
    """Which held corrections; several states mean any of them, none means waiting and refused."""

    project_id: str | None
    run_id: str | None
    state: str | Sequence[str] | None
    made_by: str | None


class AgreementFilters(SummaryFilters, total=False):
    """Whose agreement: `rater` is two raters, each the id of a user or token, with `/` and a participant behind."""

    aspect: Literal["decisions", "answer", "items"] | None
    rater: Sequence[str] | None


class FeedFilters(TypedDict, total=False):
    """Where in a feed of events to begin: after the event with this number."""

    after: int | None
    limit: int | None


class EventFilters(FeedFilters, total=False):
    """Which events of the log."""

    project_id: str | None


class ProjectFields(TypedDict, total=False):
    """A project; `id` may be chosen (1 to 64 of A-Z, a-z, 0-9, `_` and `-`)."""

    id: str | None
    name: Required[str]


class MemberFields(TypedDict, total=False):
    """What a user or service token may do in a project; without `kind` an id that begins with `tok_` is a token's."""

    role: Required[Literal["read", "write", "admin"]]
    reviewer_role: Literal["standard", "senior", "admin"] | None
    kind: Literal["user", "service"] | None


class UserFields(TypedDict, total=False):
    """A person of the account; `role`, if given, counts in every project."""

    name: Required[str]
    email: str | None
    external_id: str | None
    role: Literal["read", "write", "admin"] | None


class UserChanges(TypedDict, total=False):
    """What becomes different about a user: what is left out stays, None lifts anything but the name."""

    name: str
    email: str | None
    external_id: str | None
    role: Literal["read", "write", "admin"] | None


class TokenFields(TypedDict, total=False):
    """A token: a user's, with the rights of that user (without `user_id` your own), or a service's, with a role."""

    kind: Required[Literal["user", "service"]]
    name: Required[str]
    user_id: str | None
    project_id: str | None
    role: Literal["read", "write", "admin"] | None
    scopes: Sequence[str] | None
    expires_at: Moment | None


class SubjectChanges(TypedDict, total=False):
    """What can be changed of an agent or flow; None lifts it."""

    name: str | None
    description: str | None
    owner_id: str | None


class PinFields(TypedDict, total=False):
    """A version that a project is to run: of which agent or flow (`{"kind", "id"}`), and why."""

    subject: Required[Mapping[str, str]]
    version: Required[str]
    why: str | None


class JobFilters(PageFilters, total=False):
    """Which jobs: in a state, of a kind."""

    state: Literal["waiting", "running", "done", "failed", "cancelled"] | None
    name: str | None


class TraceFilters(PageFilters, total=False):
    """Which traces: of a project, in a state."""

    project_id: str | None
    state: Literal["gathering", "finished", "passed-over", "refused"] | None


class SessionFilters(PageFilters, total=False):
    """Whose sessions: the caller's own, or those of a user for an admin of the tenant."""

    user_id: str | None


class UserFilters(PageFilters, total=False):
    """Which users: the one with exactly this name."""

    name: str | None
