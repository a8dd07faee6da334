"""Review queues: the fields of what is sent about them, and the answers as typed records."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Required, TypedDict

from setright.client.answers import Actor, Run
from setright.client.inputs import AnyFields, Moment, PageFilters
from setright.client.records import Record


class QueueSubjectFields(TypedDict, total=False):
    """The agent or flow whose runs are reviewed, at one version or at all."""

    kind: Required[Literal["agent", "flow"]]
    id: Required[str]
    version: str | None


class QueueFilterFields(TypedDict, total=False):
    """Which finished runs of the project are reviewed; `since` counts from when they finished."""

    subject: QueueSubjectFields | AnyFields | None
    status: Literal["completed", "failed"] | None
    since: Moment | None


class ReviewQueueFields(TypedDict, total=False):
    """A review queue; left out, every run (`sample_rate` 1) is judged by one reviewer, who has 1800 seconds for it."""

    project_id: Required[str]
    name: Required[str]
    filter: QueueFilterFields | AnyFields | None
    sample_rate: float | None
    reviewers_per_item: int | None
    claim_seconds: int | None
    min_reviewer_role: Literal["standard", "senior", "admin"] | None


class ReviewQueueChanges(TypedDict, total=False):
    """What can be changed of a review queue; None lifts `min_reviewer_role`, what is left out stays."""

    name: str
    sample_rate: float
    reviewers_per_item: int
    claim_seconds: int
    min_reviewer_role: Literal["standard", "senior", "admin"] | None


class ReviewQueueFilters(PageFilters, total=False):
    """Which review queues."""

    project_id: str | None
    status: Literal["open", "closed"] | None


class ReviewItemFilters(PageFilters, total=False):
    """Which items of a queue."""

    state: str | None


@dataclass(frozen=True, kw_only=True)
class ReviewCounts(Record):
    """How many runs of a queue stand where, of those that were handed out."""

    waiting: int
    claimed: int
    complete: int
    disagreed: int
    adjudicated: int
    dropped: int


@dataclass(frozen=True, kw_only=True)
class ReviewedSubject(Record):
    """The agent or flow whose runs are reviewed."""

    kind: str
    id: str
    version: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReviewedRuns(Record):
    """Which finished runs are reviewed; None is any."""

    subject: ReviewedSubject | None = None
    status: str | None = None
    since: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ReviewQueue(Record):
    """A queue of runs that people judge; `counts` is there when one queue is read or closed."""

    id: str
    project_id: str
    name: str
    status: str
    filter: ReviewedRuns
    sample_rate: float
    reviewers_per_item: int
    claim_seconds: int
    tenant_id: str | None = None
    min_reviewer_role: str | None = None
    created_by: Actor | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    closed_at: datetime | None = None
    counts: ReviewCounts | None = None


@dataclass(frozen=True, kw_only=True)
class ReviewClaim(Record):
    """A reviewer's hold on one run; `expires_at` is there while it is active."""

    id: str
    queue_id: str
    run_id: str
    reviewer: Actor
    state: str
    claimed_at: datetime
    expires_at: datetime | None = None
    ended_at: datetime | None = None
    correction_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class ClaimedRun(ReviewClaim):
    """A claim with the run that is to be judged."""

    run: Run


@dataclass(frozen=True, kw_only=True)
class ReviewItem(Record):
    """A run of a queue and how far its review is; `differs` says where its reviewers disagree."""

    queue_id: str
    run_id: str
    state: str
    reviewers_per_item: int
    began_at: datetime
    claims: tuple[ReviewClaim, ...]
    ended_at: datetime | None = None
    differs: tuple[Any, ...] | None = None
    adjudicated_by: str | None = None
