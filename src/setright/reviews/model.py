"""Review queues, their items and the claims of reviewers: the records, and what a caller may send."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from setright.identity import Label, Reviewer
from setright.kernel.errors import fault_at
from setright.kernel.fields import Id, Input, Moment, Name, optional, required
from setright.kernel.paging import Place
from setright.runs import FinishedRuns, RunInFull

LONGEST_CLAIM = 7 * 24 * 3600
CLAIM = 1_800
Rate = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Reviewers = Annotated[int, Field(ge=1, le=5)]
Seconds = Annotated[int, Field(ge=1, le=LONGEST_CLAIM)]


class QueueSubject(Input):
    """The agent or flow whose runs are reviewed, at one version or at all."""

    kind: Literal["agent", "flow"] = required("An agent or a flow.")
    id: Name = required("Its id, compared as on runs.")
    version: Name | None = optional("Only runs of this version.")


class QueueFilter(Input):
    """Which finished runs of the project are reviewed."""

    subject: QueueSubject | None = optional("Only runs of this agent or flow.")
    status: Literal["completed", "failed"] | None = optional("Only runs that ended so.")
    since: Moment | None = optional("Only runs that finished at this time or later.")


class NewReviewQueue(Input):
    """A review queue to make."""

    project_id: Id = required("The project whose runs are reviewed.")
    name: Label = required("How it is called among people.")
    filter: QueueFilter | None = optional(
        "Which finished runs are reviewed; left out, all. It never changes."
    )
    sample_rate: Rate | None = optional(
        "The share of these runs that is reviewed, 0 to 1; left out, 1. Which ones follows from the ids of queue and run."
    )
    reviewers_per_item: Reviewers | None = optional(
        "How many reviewers judge each run, 1 to 5; left out, 1. None sees what another says before all have spoken."
    )
    claim_seconds: Seconds | None = optional(
        "How long a reviewer may take for a run before another gets it; left out, 1800."
    )
    min_reviewer_role: Reviewer | None = optional(
        "The reviewer role that a member must have, or a higher one: standard, senior, admin."
    )


class ReviewQueueChange(Input):
    """The body of `PATCH /v1/review-queues/{id}`: what is left out stays, null lifts the reviewer role."""

    name: Label | None = optional("Another name.")
    sample_rate: Rate | None = optional("Another share; runs that were begun stay in the queue.")
    reviewers_per_item: Reviewers | None = optional("For runs that are begun from now on.")
    claim_seconds: Seconds | None = optional("For claims from now on.")
    min_reviewer_role: Reviewer | None = optional("The least reviewer role from now on; null: none.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An empty change is refused, and only the reviewer role can be lifted."""
        names = [field.alias or name for name, field in cls.model_fields.items()]
        if not body:
            yield fault_at("", "changes nothing", f"at least one of {', '.join(names)}")
        for name in names[:-1]:
            if name in body and body[name] is None:
                yield fault_at(f"/{name}", "is null, and a queue always has one", "leave it out")

    def given(self) -> dict[str, Any]:
        """What is to change, by the names of the record."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class ClaimWish(Input):
    """The body of a claim: nothing, or a run that the reviewer had before."""

    run_id: Id | None = optional(
        "Take this run up again, which you released or for which your time ran out; left out, the next run."
    )


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which finished runs a queue is about; None is any, `since` is in microseconds."""

    subject_kind: str | None = None
    subject_key: str | None = None
    subject_id: str | None = None
    subject_version: str | None = None
    status: str | None = None
    since: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """A queue of runs to review; `ahead` is how far its runs were handed out, `settled` how far none can come late.

    `turn` is the last number that was given to an item when it got room for a reviewer.
    """

    id: str
    tenant_id: str
    project_id: str
    name: str
    filter: RunFilter
    sample_rate: float
    reviewers_per_item: int
    claim_seconds: int
    min_reviewer_role: str | None
    created_by_kind: str
    created_by_id: str
    created_at: int
    updated_at: int
    closed_at: int | None
    settled: Place
    ahead: Place
    turn: int = 0

    @property
    def status(self) -> str:
        """Where the queue stands in its lifecycle."""
        return "open" if self.closed_at is None else "closed"

    def runs(self) -> FinishedRuns:
        """The runs that it is about, before any are sampled."""
        chosen = self.filter
        return FinishedRuns(
            self.project_id, chosen.subject_kind, chosen.subject_key, chosen.subject_version, chosen.status
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items of a queue stand where; runs that nobody was handed yet are no items."""

    waiting: int = 0
    claimed: int = 0
    complete: int = 0
    disagreed: int = 0
    adjudicated: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class CountedQueue:
    """A queue with its counts; `by_all` says that what other reviewers hold is told too, which is for admins."""

    queue: ReviewQueue
    counts: Counts


@dataclass(frozen=True, slots=True)
class ReviewClaim:
    """One reviewer's hold on one run of a queue; `lease_until` (by the database's clock) while it is active."""

    id: str
    tenant_id: str
    queue_id: str
    run_id: str
    reviewer_kind: str
    reviewer_id: str
    state: str
    claimed_at: int
    lease_until: int | None
    ended_at: int | None
    correction_id: str | None


@dataclass(frozen=True, slots=True)
class ClaimedRun:
    """A claim with what is to be judged."""

    claim: ReviewClaim
    run: RunInFull


@dataclass(frozen=True, slots=True)
class Looking:
    """Nothing was found yet: very many runs were passed over, up to those that finished at `until`; ask again."""

    until: int


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One run of a queue: where its review stands, and the claims on it that the reader may know of."""

    queue_id: str
    run_id: str
    state: str
    reviewers: int
    began_at: int
    ended_at: int | None
    differs: tuple[str, ...]
    adjudicated_by: str | None
    claims: tuple[ReviewClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class QueueFilters:
    """What a list of queues is narrowed to."""

    project_id: str | None = None
    status: str | None = None
