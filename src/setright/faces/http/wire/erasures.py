"""How erasures and legal holds look on the wire."""

from dataclasses import replace
from typing import Any, Literal

from setright.erasure import Erasure as ErasureRecord
from setright.erasure import LegalHold as LegalHoldRecord
from setright.faces.http.samples import AT, LATER, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import present, time, who
from setright.kernel.clock import to_wire


class Erasure(Shape):
    """Somebody's words leave every room; of an erasure that is done only a run's id is told."""

    id: str = absent("Its id; a dry run has none.")
    kind: Literal["participant", "run", "user"]
    target: str = absent("The id of what is erased, as long as that goes on; afterwards only of a run.")
    words: Literal["keep", "erase"]
    reason: str
    state: Literal["running", "done", "blocked", "dry-run"]
    counts: dict[str, int]
    pseudonym: str = absent("The user that stands in the place of an erased one.")
    held_by: str = absent("The legal hold that stopped it.")
    asked_by: Principal
    created_at: Time
    updated_at: Time
    ended_at: Time = absent("When it was done or stopped.")


class LegalHold(Shape):
    """What must not be erased, as long as it is not released."""

    id: str
    kind: Literal["participant", "run", "user", "project"]
    target: str
    reason: str
    placed_by: Principal
    created_at: Time
    released_by: Principal = absent("Who released it.")
    released_at: Time = absent("When it was released.")


def erasure(found: ErasureRecord) -> dict[str, Any]:
    """An erasure as on the wire."""
    return present(
        {
            "id": found.id or None,
            "kind": found.kind,
            "target": found.target,
            "words": found.words,
            "reason": found.reason,
            "state": found.state,
            "counts": dict(found.counts),
            "pseudonym": found.pseudonym,
            "heldBy": found.held_by,
            "askedBy": who(found.asked_by_kind, found.asked_by_id),
            "createdAt": to_wire(found.created_at),
            "updatedAt": to_wire(found.updated_at),
            "endedAt": time(found.ended_at),
        }
    )


def asked(made: ErasureRecord) -> dict[str, Any]:
    """An erasure as it is answered to who asks for it: that answer is kept for retries, and may not name who is erased."""
    return erasure(made if made.kind == "run" else replace(made, target=None))


def legal_hold(found: LegalHoldRecord) -> dict[str, Any]:
    """A legal hold as on the wire."""
    by = None
    if found.released_by_kind is not None and found.released_by_id is not None:
        by = who(found.released_by_kind, found.released_by_id)
    return present(
        {
            "id": found.id,
            "kind": found.kind,
            "target": found.target,
            "reason": found.reason,
            "placedBy": who(found.placed_by_kind, found.placed_by_id),
            "createdAt": to_wire(found.created_at),
            "releasedBy": by,
            "releasedAt": time(found.released_at),
        }
    )


NEW_ERASURE: Sample = {"participantId": "user-1", "reason": "Asked for by the person, ticket 8123."}
ERASURE: Sample = {
    "id": "ers_01KE5MCQ80000000000000000A",
    "kind": "participant",
    "words": "keep",
    "reason": "Asked for by the person, ticket 8123.",
    "state": "done",
    "counts": {"corrections": 2, "runs": 3},
    "askedBy": WHO,
    "createdAt": AT,
    "updatedAt": LATER,
    "endedAt": LATER,
}
NEW_HOLD: Sample = {"runId": "run-7", "reason": "Lawsuit 12/26."}
HOLD: Sample = {
    "id": "lgh_01KE5MCQ80000000000000000B",
    "kind": "run",
    "target": "run-7",
    "reason": "Lawsuit 12/26.",
    "placedBy": WHO,
    "createdAt": AT,
}
