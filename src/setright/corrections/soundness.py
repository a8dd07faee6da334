"""What must be true of the rows of corrections: each stands where its history led it, and where nothing else stands."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import and_, bindparam, or_, select

from setright import events
from setright.corrections.lifecycle import STATUSES, sort_at_save
from setright.corrections.model import Correction
from setright.corrections.store import record
from setright.corrections.tables import corrections
from setright.corrections.tallies import items_verdict
from setright.events import LoggedEvent
from setright.storage import Row, RowFault, Seen, Snapshot, Sql
from setright.storage.lists import among, any_of
from setright.storage.soundness import next_piece, pieces

_C, _OTHER = corrections.c, corrections.alias("other")
_O = _OTHER.c
_OF_TENANT = _C.tenant_id == bindparam("tenant_id")
PIECE = Sql(
    select(corrections)
    .where(_OF_TENANT, next_piece(_C.created_at, _C.id))
    .order_by(_C.created_at, _C.id)
    .limit(bindparam("count"))
)
_SAME_PLACE = and_(
    _O.tenant_id == _C.tenant_id,
    _O.run_id == _C.run_id,
    _O.made_by_kind == _C.made_by_kind,
    _O.made_by_id == _C.made_by_id,
    _O.participant_key == _C.participant_key,
)


@lru_cache(maxsize=32)
def _superseding(count: int) -> Sql:
    shown = (_C.id, _C.run_id, _C.made_by_kind, _C.made_by_id, _C.participant_key, _C.created_at)
    return Sql(select(*shown).where(_OF_TENANT, any_of(_C.id, "id", count)))


@lru_cache(maxsize=32)
def _rivals(count: int) -> Sql:
    """Pairs of corrections of which only one may stand in a place, or only one be superseded by a third."""
    both_stand = and_(_C.place == "", _O.place == "")
    both_gone = and_(_C.superseded_by.is_not(None), _O.superseded_by == _C.superseded_by)
    return Sql(
        select(_C.id, _O.id.label("other"))
        .select_from(corrections.join(_OTHER, _SAME_PLACE))
        .where(_OF_TENANT, any_of(_C.id, "id", count), _O.id < _C.id, or_(both_stand, both_gone))
    )


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Corrections of the tenant that do not stand where their history led them, or that stand in another's place."""
    tenant = {"tenant_id": at.actor.tenant_id}
    for piece in pieces(at, PIECE, **tenant):
        ids = [row["id"] for row in piece]
        count, these = among("id", ids)
        histories = events.histories(at, "correction", ids)
        later = _later(at, [row["superseded_by"] for row in piece if row["superseded_by"]])
        for row in piece:
            told = [*_faults(row, histories.get(row["id"], ()), later)]
            yield from (RowFault("corrections", row["id"], says) for says in told)
        for pair in at.all(_rivals(count), **tenant, **these):
            says = f"it stands where {pair['other']} stands: only one of the two can"
            yield RowFault("corrections", pair["id"], says)
        seen(len(piece))


def _later(at: Snapshot, ids: Sequence[str]) -> dict[str, Row]:
    count, these = among("id", ids)
    return {row["id"]: row for row in at.all(_superseding(count), tenant_id=at.actor.tenant_id, **these)}


def _faults(row: Row, history: Sequence[LoggedEvent], later: dict[str, Row]) -> Iterator[str]:
    recorded = [place for place, event in enumerate(history) if event.kind == "correction.recorded"]
    if recorded != [0]:
        yield f"its history says {len(recorded)} times that it was recorded, and must begin with it, once"
        return
    if row["created_at"] > history[0].at or row["updated_at"] > max(event.at for event in history):
        yield "it was changed after the last event of its history"
    made = record(row)
    yield from _gone_faults(row, made, {event.kind for event in history})
    yield from _standing_faults(made, history)
    if row["superseded_by"]:
        yield from _pair_faults(row, later.get(row["superseded_by"]))


def _gone_faults(row: Row, made: Correction, kinds: set[str]) -> Iterator[str]:
    superseded, removed = made.superseded_by is not None, made.status == "removed"
    if superseded != ("correction.superseded" in kinds):
        yield f"it is {'' if superseded else 'not '}superseded, and its history says otherwise"
    if removed != ("correction.unregistered" in kinds):
        yield f"its status is {made.status}, and its history says otherwise"
    if (made.unregistered_at is not None) != (superseded or removed):
        yield "the time at which it went does not fit to where it stands"
    if row["place"] != (made.id if superseded or removed else ""):
        yield "it does not stand in the place that is its own"


def _standing_faults(made: Correction, history: Sequence[LoggedEvent]) -> Iterator[str]:
    """What was never told of as changed is as it was at the save; a status and a desk fit each other."""
    begun = sort_at_save(
        decisions=made.decisions,
        answer=made.answer,
        wrong_item=items_verdict(made.said) == "wrong",
        participant=made.participant_id is not None,
    )
    changed = {name for event in history[1:] for name in event.changed}
    at_save = {
        "status": (made.status, begun.status),
        "sortedTo": (made.sorted_to, begun.sorted_to),
        "statusNote": (made.status_note, None),
        "reopenedIn": (made.reopened_in, None),
        "adjudicatedBy": (made.adjudicated_by, None),
        "fixedIn": ((made.fixed_in or {}).get("how"), "recorded-right" if begun.status == "fixed" else None),
    }
    for name, (now, then) in at_save.items():
        if name not in changed and now != then:
            yield f"its {name} is {_shown(now)}, was {_shown(then)} when it was saved, and no event says who changed it"
    if made.status not in STATUSES:
        yield f"its status {made.status!r} is none"
    if (made.status == "with-owner") != (made.sorted_to == "owner") and made.status in _OF_OWNER:
        yield f"its status is {made.status}, and it is sorted to {made.sorted_to or 'nobody'}"
    if (made.status == "fixed") and made.fixed_in is None:
        yield "it is fixed, and nothing says by what"
    if (made.sorted_to is None) != (made.sorted is None):
        yield "it does not say who sorted it"


_OF_OWNER = ("open", "being-fixed", "with-owner")


def _pair_faults(row: Row, later: Row | None) -> Iterator[str]:
    if later is None:
        yield f"it was superseded by {row['superseded_by']}, which is not there"
        return
    same = all(
        row[name] == later[name] for name in ("run_id", "made_by_kind", "made_by_id", "participant_key")
    )
    if not same or row["unregistered_at"] != later["created_at"]:
        yield f"{later['id']}, by which it was superseded, is of another run, caller, participant or time"


def _shown(value: Any) -> str:
    return "nothing" if value is None else str(value)
