"""Moving a correction by hand: its status, its desk, its note, and its removal."""

from collections.abc import Collection
from dataclasses import replace

from setright import runs
from setright.corrections import reviewing, store, story
from setright.corrections.errors import (
    AlreadyAdjudicated,
    AlreadyRemoved,
    AlreadySuperseded,
    CorrectionErased,
    IfMatchMissing,
    MoveRefused,
)
from setright.corrections.lifecycle import BY_HAND, CLEARED, LIFECYCLE, WHO, Standing, set_status, sort_to
from setright.corrections.model import Correction, CorrectionChange
from setright.corrections.queries import not_found
from setright.kernel.actor import Actor, Role
from setright.kernel.clock import to_wire
from setright.kernel.errors import ChangedMeanwhile, PermissionDenied
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.storage import Tx

_WHY = {
    "fixed": "a version that gets it right makes it fixed",
    "removed": "unregister removes it",
}


def change_correction(
    tx: Tx, correction_id: str, change: CorrectionChange, known: Collection[int] | None
) -> Correction:
    """Set the status, sort to a desk or note why; `known` are the states (updatedAt) that the change is meant for."""
    now = _to_move(tx, correction_id)
    if known is None:
        raise IfMatchMissing(now.updated_at)
    if now.updated_at not in known:
        raise ChangedMeanwhile("correction", now)
    _check_moves(now)
    if change.status is not None and change.status not in BY_HAND:
        open_moves = [move.verb for move in LIFECYCLE.open_from(now.status) if move.who == WHO]
        raise MoveRefused(now.status, change.status, open_moves, _WHY[change.status])
    moved = _noted(tx, _sorted(tx, _with_status(tx, now, change), now, change), change)
    return kept(tx, now, moved, "correction.moved")


def unregister_correction(tx: Tx, correction_id: str) -> Correction:
    """Take a correction out of the ledger's work for good; again changes nothing, and it stays readable."""
    found = store.find(tx, with_prefix("cor", correction_id))
    if found is not None:
        runs.hold(tx, found.run_id)
    now = _to_move(tx, correction_id)
    if now.status == "removed":
        return now
    _check_moves(now)
    gone = kept(tx, now, replace(now, status="removed", unregistered_at=tx.now), "correction.unregistered")
    reviewing.lift(tx, gone)
    return gone


def _to_move(tx: Tx, correction_id: str) -> Correction:
    """The correction, held until the end of the transaction, if the caller may move it."""
    now = store.hold(tx, with_prefix("cor", correction_id))
    if now is None or not reviewing.sees(tx.actor, now):
        raise not_found(tx, correction_id)
    check_mover(tx.actor, (now.made_by_kind, now.made_by_id), now.project_id)
    return now


def check_mover(actor: Actor, made_by: tuple[str, str], project_id: str) -> None:
    """Refuse who may not move what somebody, named by kind and id, said in a project."""
    actor.require(Role.WRITE, project_id)
    if made_by == (actor.kind, actor.id) or actor.is_person or actor.may(Role.ADMIN, project_id):
        return
    raise PermissionDenied(
        "Another's correction is moved by a person with write in the project, or with the role admin. "
        "A person does it with a user's token.",
        {"projectId": project_id, "needs": "admin"},
    )


def _check_moves(now: Correction) -> None:
    if now.superseded_by is not None:
        raise AlreadySuperseded(now.id, now.superseded_by)
    if now.status == "removed":
        raise AlreadyRemoved(now.id)
    if now.adjudicated_by is not None:
        raise AlreadyAdjudicated(now.id, now.adjudicated_by)
    if now.content_erased_at is not None:
        raise CorrectionErased(now.id)


def _with_status(tx: Tx, now: Correction, change: CorrectionChange) -> Correction:
    if change.status is None or change.status == now.status:
        return now
    standing = set_status(Standing(now.status, now.sorted_to), change.status)
    desk = now.sorted if standing.sorted_to == now.sorted_to else None
    cleared = replace(now, fixed_in=None, reopened_in=None, status_set_at=tx.now)
    return replace(cleared, status=standing.status, sorted_to=standing.sorted_to, sorted=desk)


def _sorted(tx: Tx, moved: Correction, now: Correction, change: CorrectionChange) -> Correction:
    """The desk as asked for, or as the status brings it; who sorted is told with the reason."""
    if change.sorts():
        standing = sort_to(Standing(moved.status, moved.sorted_to), change.sorted_to)
        moved = replace(moved, status=standing.status, sorted_to=standing.sorted_to)
    same = moved.sorted_to == now.sorted_to
    if moved.sorted_to is None:
        return replace(moved, sorted=None)
    if same and change.reason in (None, (now.sorted or {}).get("reason")):
        return replace(moved, sorted=now.sorted)
    by = {"kind": tx.actor.kind, "id": tx.actor.id}
    reason = {"reason": change.reason} if change.reason else {}
    return replace(moved, sorted={"by": by, **reason, "at": to_wire(tx.now)})


def _noted(tx: Tx, moved: Correction, change: CorrectionChange) -> Correction:
    if not change.notes() or change.status_note == (moved.status_note or {}).get("text"):
        return moved
    if change.status_note is None:
        return replace(moved, status_note=None)
    by = {"kind": tx.actor.kind, "id": tx.actor.id}
    return replace(moved, status_note={"text": change.status_note, "by": by, "at": to_wire(tx.now)})


_FIELDS = {
    "status": "status",
    "sorted_to": "sortedTo",
    "sorted": "sorted",
    "fixed_in": CLEARED[0],
    "reopened_in": CLEARED[1],
    "status_note": "statusNote",
    "unregistered_at": "unregisteredAt",
}


def kept(tx: Tx, now: Correction, moved: Correction, kind: str) -> Correction:
    """Store the move and announce which fields changed; what changed nothing writes nothing."""
    changed = tuple(wire for name, wire in _FIELDS.items() if getattr(now, name) != getattr(moved, name))
    if not changed:
        return now
    moved = replace(moved, updated_at=tx.now)
    store.move(tx, now, moved)
    story.keep(tx, moved, {wire: getattr(moved, name) for name, wire in _FIELDS.items() if wire in changed})
    hidden = now.blind is not None
    tx.announce(Event(kind, "correction", now.id, now.project_id, changed, now.run_id, blind=hidden))
    return moved
