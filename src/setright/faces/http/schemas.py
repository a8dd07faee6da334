"""The answers as models, for the OpenAPI document only; a test holds real answers against them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from setright.corrections import DeskWord, StatusWord, VerdictWord
from setright.runs import RunStatus

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
RoleWord = Literal["read", "write", "admin"]


class Shape(BaseModel):
    """A JSON object of an answer; newer servers may add fields."""

    model_config = ConfigDict(alias_generator=to_camel, defer_build=True, protected_namespaces=())


def absent(description: str) -> Any:
    """A field that may be absent and is never null."""
    return Field(default=None, description=description)


class Principal(Shape):
    """Who did it: a user by its id, or a service by its token's id. Always the authenticated caller."""

    kind: Literal["user", "service"]
    id: str


class SubjectVersionRef(Shape):
    """What ran: an agent at a version, or a flow at a version."""

    kind: Literal["agent", "flow"]
    id: str
    version: str


class ShouldCall(Shape):
    """A call that should have been made; args are the top-level fields to compare, none ask only for the call."""

    tool: str
    args: dict[str, Any]
    match: dict[str, Any] = absent("How places of args are compared.")


class JudgedItem(Shape):
    """An item of the answer's list and whether it was right there."""

    key: str
    pointer: str = absent("Where the item is in the run's output.")
    rank: int = absent("The item's position in the list, 0 first.")
    verdict: VerdictWord
    value: Any = absent("What the pointer leads to; only when one correction is read.")


class Sorter(Shape):
    """Who or what sorted: a rule at save, a user or service by hand, or the fix job."""

    kind: Literal["rule", "fix-job", "user", "service"]
    id: str = absent("Present for a user or a service.")


class Sorted(Shape):
    """Who sorted the correction, and when."""

    by: Sorter
    reason: str = absent("Why.")
    at: Time


class Link(Shape):
    """What came of the correction; the id has no prefix."""

    kind: Literal["improve-run", "suggested-change"]
    id: str


class FixedIn(Shape):
    """What fixed it: no version for recorded-right, which nothing had to fix."""

    version: str = absent("The version that fixed it.")
    how: Literal["pin", "latest", "recorded-right"]
    by: Principal = absent("Who pinned.")
    at: Time


class ReopenedIn(Shape):
    """What got it wrong again."""

    version: str
    how: Literal["pin", "went-back", "unpin", "latest"]
    by: Principal = absent("Who pinned, went back or unpinned.")
    at: Time


class StatusNote(Shape):
    """A note about where the correction stands."""

    text: str
    by: Principal
    at: Time


class Correction(Shape):
    """A correction of one run: what was right or wrong, what was right instead, and where it stands in being fixed."""

    id: str
    tenant_id: str
    project_id: str
    run_id: str
    subject: SubjectVersionRef
    decisions: VerdictWord = absent("Whether the tool calls were right; absent when it says nothing of them.")
    should_call: list[ShouldCall] = absent("The calls that should have been made.")
    must_not_call: list[str] = absent("The tools that should not have been called.")
    answer: VerdictWord = absent("Whether the answer was right; absent when it says nothing of it.")
    should_say: str = absent("What it should have said.")
    why: str = absent("Why.")
    items: list[JudgedItem] = absent("For an answer that is a ranked list.")
    corrector_group_id: str = absent("The corrector group; absent when unclassified (weight 1).")
    expert: bool = absent("True when the corrector group was restricted when this was recorded.")
    made_by: Principal
    participant_id: str = absent("The app's opaque id of its end user who corrected it.")
    calls_match: Literal["at-least", "exactly"] = absent(
        "Whether other write calls are allowed beside shouldCall."
    )
    calls_order: Literal["any", "as-listed"] = absent("Whether the order of shouldCall counts.")
    answer_match: dict[str, Any] = absent("How a new answer is compared.")
    evidence: list[str] = absent("Links or citations, never fetched.")
    status: StatusWord
    sorted_to: Literal["improve", "developer", "owner"] = absent("Who works on it; absent while unsorted.")
    sorted: Sorted = absent("Who sorted it.")
    link: Link = absent("What came of it.")
    fixed_in: FixedIn = absent("Present while it is fixed, and beside reopenedIn.")
    reopened_in: ReopenedIn = absent("Present after a version got it wrong again.")
    status_note: StatusNote = absent("A note by hand.")
    created_at: Time
    updated_at: Time
    unregistered_at: Time = absent("When it was removed or superseded.")
    superseded_by: str = absent("The correction that replaced it.")
    blind: str = absent("The review queue, while only its maker and admins of the project can see it.")
    adjudicates: list[str] = absent("The corrections between which an admin decided by it.")
    adjudicated_by: str = absent("The correction by which an admin decided; this one moves no more.")
    content_erased_at: Time = absent("When what it said was erased; verdicts and keys of items stay.")


class CopyOfRun(Shape):
    """The corrected run as it was: it outlives the run's retention, not an erasure."""

    input: Any = absent("What the run got.")
    calls: list[dict[str, Any]] = absent("The run's calls, in order.")
    output: Any = absent("What the run gave.")
    answer: str = absent("The run's answer as text.")


class CorrectionWithCopy(Correction):
    """A correction with the copy of its run; each item that has a pointer has its value."""

    run_copy: Annotated[CopyOfRun, Field(alias="copy")] = absent("The corrected run as it was.")


class Run(Shape):
    """A run without its content."""

    id: str
    tenant_id: str
    project_id: str
    subject: SubjectVersionRef
    status: RunStatus
    participant_id: str = absent("The app's opaque id of its end user.")
    tags: list[str] = absent("Words to find it by.")
    call_count: int
    recorded_by: Principal
    created_at: Time
    finished_at: Time = absent("When it was finished.")
    content_expired_at: Time = absent("When its content left by retention.")
    content_erased_at: Time = absent("When its content was erased.")


class RunInFull(Run):
    """A run with its content and a page of its calls."""

    input: Any = absent("What the run got.")
    messages: list[dict[str, Any]] = absent("The messages of the run.")
    calls: list[dict[str, Any]] = absent("A page of the calls, in order.")
    output: Any = absent("What the run gave; null is an output.")
    answer: str = absent("The answer as text.")
    calls_next: int = absent("callsAfter of the next page of calls; absent at the end.")


class ErrorBody(Shape):
    """Why a request was refused."""

    code: str = Field(description="Stable and machine-readable.")
    message: str
    details: dict[str, Any] = absent(
        "faults lists every fault of a body or query; other keys depend on the code."
    )
    request_id: str


class ErrorEnvelope(Shape):
    """The form of every answer that is not a success."""

    error: ErrorBody


class BatchError(Shape):
    """Why one run of a batch was refused."""

    code: str
    message: str
    details: dict[str, Any] = absent("As in every error.")


class BatchResult(Shape):
    """What became of one run: run when it was recorded (201) or there already (200), else error."""

    index: int
    status: int
    run: Run = absent("The run.")
    error: BatchError = absent("Why it was refused.")


class BatchResults(Shape):
    """One result for each run, in order."""

    results: list[BatchResult]


class EventSubject(Shape):
    """What it happened to."""

    kind: str
    id: str


class Event(Shape):
    """Something that happened: ids and names of changed fields, never a person's words."""

    seq: int
    at: Time
    by: Principal
    kind: str
    subject: EventSubject
    project_id: str = absent("The project it belongs to.")
    changed: list[str]
    about: str = absent("The id of what the subject belongs to, such as a correction's run.")


class CorrectionEvent(Event):
    """Something that happened to a correction; what a move changed stands beside it, what it took away does not."""

    status: StatusWord = absent("Where it stood from then on.")
    sorted_to: DeskWord = absent("Which desk had it from then on.")
    sorted: Sorted = absent("Who sorted it so, and why.")
    fixed_in: FixedIn = absent("What fixed it.")
    reopened_in: ReopenedIn = absent("What got it wrong again.")
    status_note: StatusNote = absent("What was noted.")


class SubjectVersion(Shape):
    """A version that was seen on a run, and when it was deployed, if ever."""

    version: str
    first_seen_at: Time
    deployed_at: Time = absent("When it was first deployed.")


class Subject(Shape):
    """An agent or a flow."""

    kind: Literal["agent", "flow"]
    id: str
    name: str = absent("What people call it.")
    description: str = absent("What it is for.")
    owner_id: str = absent("The user who owns it.")
    latest_version: str = absent("The version that was deployed last.")
    created_at: Time
    updated_at: Time


class SubjectInFull(Subject):
    """An agent or a flow with its versions, in order of first deploy, else of first sight."""

    versions: list[SubjectVersion]


class Project(Shape):
    """Where runs, corrections and lessons live."""

    id: str
    tenant_id: str
    name: str
    created_at: Time
    updated_at: Time


class Member(Shape):
    """A user's or a service token's role in a project."""

    project_id: str
    kind: Literal["user", "service"]
    id: str
    name: str
    role: RoleWord
    reviewer_role: Literal["standard", "senior", "admin"] = absent("How much its reviews count.")
    added_at: Time


class User(Shape):
    """A person of the tenant."""

    id: str
    tenant_id: str
    name: str
    email: str = absent("Its e-mail address.")
    external_id: str = absent("The id that the identity provider has for it.")
    role: RoleWord = absent("A role in every project of the tenant.")
    created_at: Time
    updated_at: Time
    disabled_at: Time = absent("When it was shut out.")


class Token(Shape):
    """A token without its secret."""

    id: str
    tenant_id: str
    kind: Literal["user", "service"]
    name: str
    user_id: str = absent("The user it speaks for.")
    project_id: str = absent("The one project in which its role counts.")
    role: RoleWord = absent("A service token's role.")
    scopes: list[str] = absent("The scopes that were chosen; absent: those that the roles bring.")
    created_by: Principal
    created_at: Time
    rotated_at: Time = absent("When it got a new secret.")
    old_until: Time = absent("Until when the secret before the rotation works.")
    expires_at: Time = absent("When it stops working.")
    revoked_at: Time = absent("When it was revoked.")


class IssuedToken(Token):
    """A token with its secret, which is shown this once."""

    secret: str


class ProjectRole(Shape):
    """A role in one project."""

    id: str
    role: RoleWord


class Me(Shape):
    """Who calls, and what it may do."""

    kind: Literal["user", "service"]
    id: str
    tenant_id: str
    tenant_name: str
    name: str
    role: RoleWord = absent("A role in every project of the tenant.")
    scopes: list[str]
    projects: list[ProjectRole]
    token: Token = absent("The token that came with the request.")
    session_id: str = absent("The session that came with the request.")


class Health(Shape):
    """That the process answers."""

    status: Literal["ok"]


class Ready(Shape):
    """That the database answers, which schema it has, and whether a worker showed itself in the last minute."""

    status: Literal["ready"]
    engine: Literal["sqlite", "postgresql"]
    schema_version: str
    worker: Literal["seen", "not-seen"]


class Welcome(Shape):
    """What this is and where its pages are."""

    name: str
    version: str
    docs: str
    openapi: str
