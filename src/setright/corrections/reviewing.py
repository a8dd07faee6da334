"""What a review does to corrections: keeps them blind, shows them all at once, and decides between them."""

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import bindparam, select, update

from setright import runs
from setright.corrections import store, tallies
from setright.corrections.errors import AlreadyAdjudicated
from setright.corrections.lifecycle import LIFECYCLE
from setright.corrections.model import Correction, Review
from setright.corrections.tables import corrections
from setright.kernel.actor import Actor, Role
from setright.kernel.events import Event
from setright.storage import Row, Sql, Tx

C = corrections.c
# Sorted here and not by the database: for an order by time SQLite goes through the whole tenant.
_OF_RUN = select(corrections).where(
    C.tenant_id == bindparam("tenant_id"), C.run_id == bindparam("run_id"), C.status != "removed"
)
BLIND = Sql(_OF_RUN.where(C.blind == bindparam("queue_id")).with_for_update(key_share=True))
STANDING = Sql(_OF_RUN.where(C.place == ""))
HELD = Sql(_OF_RUN.where(C.superseded_by.is_(None)).with_for_update(key_share=True))
_SET = Sql(
    update(corrections)
    .where(C.tenant_id == bindparam("of_tenant"), C.id == bindparam("of_id"))
    .values(
        blind=bindparam("new_blind"),
        adjudicated_by=bindparam("new_adjudicated_by"),
        updated_at=bindparam("new_updated_at"),
    )
)


def sees(actor: Actor, correction: Correction) -> bool:
    """Whether a caller who may read the project may know of a correction: a blind one is its maker's and the admins'."""
    own = (correction.made_by_kind, correction.made_by_id) == (actor.kind, actor.id)
    return correction.blind is None or own or actor.may(Role.ADMIN, correction.project_id)


def continued(earlier: Correction | None, review: Review) -> Review:
    """The review of what supersedes `earlier`: nothing blind comes to light by it, and a decision stays one."""
    if earlier is None:
        return review
    if earlier.adjudicated_by is not None:
        raise AlreadyAdjudicated(earlier.id, earlier.adjudicated_by)
    return Review(review.blind or earlier.blind, review.adjudicates or earlier.adjudicates)


def own_correction(tx: Tx, run_id: str) -> str | None:
    """The id of what the caller itself said of a run, if that stands."""
    found, _ = store.standing(tx, run_id, None)
    return None if found is None else found.id


def known_correction(tx: Tx, correction_id: str) -> Correction | None:
    """A correction of the caller's tenant, blind or not; whose rights are not checked."""
    return store.find(tx, correction_id)


def standing_corrections(tx: Tx, run_id: str) -> list[Correction]:
    """Everything that stands about a run, oldest first, blind or not; whose rights are not checked."""
    return _in_time(tx.all(STANDING, tenant_id=tx.actor.tenant_id, run_id=run_id))


def show_corrections(tx: Tx, run_id: str, queue_id: str) -> list[Correction]:
    """Show what was said of a run for a queue, all at once; what was removed before stays hidden."""
    runs.hold(tx, run_id)
    rows = tx.all(BLIND, tenant_id=tx.actor.tenant_id, run_id=run_id, queue_id=queue_id)
    return [_set(tx, "show", one, replace(one, blind=None)) for one in _in_time(rows)]


def adjudicate(tx: Tx, by: Correction) -> None:
    """Let the corrections between which `by` decides stand behind it."""
    if not by.adjudicates:
        return
    for one in _held(tx, by.run_id):
        if one.id in by.adjudicates:
            _set(tx, "adjudicate", one, replace(one, adjudicated_by=by.id))


def lift(tx: Tx, removed: Correction) -> None:
    """Free the corrections between which a removed one had decided."""
    if not removed.adjudicates:
        return
    for one in _held(tx, removed.run_id):
        if one.adjudicated_by == removed.id:
            _set(tx, "lift adjudication", one, replace(one, adjudicated_by=None))


def _held(tx: Tx, run_id: str) -> list[Correction]:
    return _in_time(tx.all(HELD, tenant_id=tx.actor.tenant_id, run_id=run_id))


def _in_time(rows: Iterable[Row]) -> list[Correction]:
    """Rows as corrections, oldest first."""
    return sorted(map(store.record, rows), key=lambda one: (one.created_at, one.id))


def _set(tx: Tx, verb: str, now: Correction, then: Correction) -> Correction:
    move = LIFECYCLE.find(verb, now.status)
    if move is None:
        return now
    tx.happens_after(now.updated_at)
    then = replace(then, updated_at=tx.now)
    tx.add(
        _SET,
        of_tenant=then.tenant_id,
        of_id=then.id,
        new_blind=then.blind,
        new_adjudicated_by=then.adjudicated_by,
        new_updated_at=then.updated_at,
    )
    tallies.changed(tx, now, then)
    changed = ("blind",) if verb == "show" else ("adjudicatedBy",)
    tx.announce(Event(move.event, "correction", then.id, then.project_id, changed, about=then.run_id))
    return then
