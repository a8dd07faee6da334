"""How long content is kept, and what passings of retention cut, on the wire."""

from typing import Any, Literal

from pydantic import Field

from setright.faces.http.samples import AT, LATER, PROJECT, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import Wire, present, time, who
from setright.kernel.clock import to_wire
from setright.retention import Cut, Passing, Retention

KindWord = Literal["runs", "reads", "outputs", "interactions", "briefings"]
NOTICE = "What was cut stays cut: a longer retention brings nothing back."


class _Set(Shape):
    notice: str = absent("Where something is kept for longer now: what that does not do.")
    set_by: Principal = absent("Who set it last.")
    updated_at: Time = absent("When it was set last; absent where nothing was ever set.")


class ProjectRetention(_Set):
    """How many days content of a project is kept; what is absent is kept for ever."""

    project_id: str
    runs: int = absent("What runs said, from when they finished.")
    reads: int = absent("The log of who read runs.")


class TenantRetention(_Set):
    """How many days content that belongs to no project is kept; what is absent is kept for as long as can be."""

    outputs: int = absent("Kept answers about texts, from when they were composed.")
    interactions: int = absent("Questions about texts and their answers, from when they were asked.")
    briefings: int = absent("Which session was told which rules; absent: 90 days from its last briefing.")


class RetentionCut(Shape):
    """What was cut of one kind: what is from before a moment."""

    project_id: str = absent("In which project; absent: in the tenant's own.")
    kind: KindWord
    days: int
    before: Time
    cut: int
    held: int = Field(description="How much a legal hold kept.")


class RetentionPassing(Shape):
    """A passing that keeps to retention, and what it cut so far."""

    id: str = absent("Its id; what is only counted has none.")
    state: Literal["running", "done", "dry-run"]
    counts: dict[str, int] = Field(description="How much was cut, by kind.")
    cuts: list[RetentionCut] = absent("Where it was cut; not in the list of passings.")
    asked_by: Principal
    created_at: Time
    updated_at: Time
    ended_at: Time = absent("When it was done.")


def retention(found: Retention) -> Wire:
    """How long content of a project or of the tenant is kept."""
    by = None
    if found.set_by_kind is not None and found.set_by_id is not None and found.updated_at:
        by = who(found.set_by_kind, found.set_by_id)
    return present(
        {
            "projectId": found.project_id,
            **found.days,
            "notice": NOTICE if found.longer else None,
            "setBy": by,
            "updatedAt": to_wire(found.updated_at) if found.updated_at else None,
        }
    )


def passing(found: Passing) -> Wire:
    """A passing, with its cuts where they were read."""
    return present(
        {
            "id": found.id or None,
            "state": found.state,
            "counts": dict(found.counts),
            "cuts": None if found.cuts is None else [_cut(one) for one in found.cuts],
            "askedBy": who(found.asked_by_kind, found.asked_by_id),
            "createdAt": to_wire(found.created_at),
            "updatedAt": to_wire(found.updated_at),
            "endedAt": time(found.ended_at),
        }
    )


def _cut(one: Cut) -> dict[str, Any]:
    return present(
        {
            "projectId": one.project_id,
            "kind": one.kind,
            "days": one.days,
            "before": to_wire(one.before),
            "cut": one.cut,
            "held": one.held,
        }
    )


NEW_OF_PROJECT: Sample = {"runs": 30}
OF_PROJECT: Sample = {"projectId": PROJECT["id"], "runs": 30, "setBy": WHO, "updatedAt": AT}
NEW_OF_TENANT: Sample = {"interactions": 365, "outputs": 90}
OF_TENANT: Sample = {"outputs": 90, "interactions": 365, "setBy": WHO, "updatedAt": AT}
CUT: Sample = {
    "projectId": PROJECT["id"],
    "kind": "runs",
    "days": 30,
    "before": "2025-12-06T01:00:00.000000Z",
    "cut": 1204,
    "held": 3,
}
DUE: Sample = {
    "state": "dry-run",
    "counts": {"runs": 1204},
    "cuts": [CUT],
    "askedBy": WHO,
    "createdAt": AT,
    "updatedAt": AT,
}
BEGUN: Sample = {
    "id": "rtp_01KE5MCQ80000000000000000A",
    "state": "running",
    "counts": {},
    "askedBy": WHO,
    "createdAt": AT,
    "updatedAt": AT,
}
PASSING: Sample = {
    **BEGUN,
    "state": "done",
    "counts": {"runs": 1204},
    "cuts": [CUT],
    "updatedAt": LATER,
    "endedAt": LATER,
}
LISTED: Sample = {name: value for name, value in PASSING.items() if name != "cuts"}
