"""What must be true of the rows of corrections: each stands where its history led it, and where nothing else stands."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import add
from typing import Any

from sqlalchemy import and_, bindparam, or_, select

from setright import events
from setright.corrections import tallies
from setright.corrections.lifecycle import STATUSES, sort_at_save
from setright.corrections.model import Correction
from setright.corrections.store import record
from setright.corrections.tables import correction_counts, corrections, waiting_corrections
from setright.events import LoggedEvent
from setright.storage import Row, RowFault, Seen, Snapshot, Sql, SumKey
from setright.storage.lists import among, any_of, usual
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


KEPT = Sql(select(correction_counts).where(correction_counts.c.tenant_id == bindparam("tenant_id")))
_W = waiting_corrections.c
WAITING = Sql(
    select(_W.id, _W.held_at.label("created_at"), _W.state)
    .where(_W.tenant_id == bindparam("tenant_id"), next_piece(_W.held_at, _W.id))
    .order_by(_W.held_at, _W.id)
    .limit(bindparam("count"))
)
_BEFORE = {"correction.held"}
"""What may have happened to a correction before it was recorded."""
_LAST = {"waiting": "correction.held", "refused": "correction.refused", "withdrawn": "correction.withdrawn"}
"""Each state of a held correction, and what led to it."""


@lru_cache(maxsize=32)
def _superseding(count: int) -> Sql:
    shown = (_C.id, _C.run_id, _C.made_by_kind, _C.made_by_id, _C.participant_key, _C.created_at)
    wanted = select(*shown).where(any_of(_C.id, "id", count))
    return Sql(wanted.where(usual(_OF_TENANT)), postgresql=wanted.where(_OF_TENANT))


@lru_cache(maxsize=32)
def _rivals(count: int) -> Sql:
    """Pairs of corrections of which only one may stand in a place, or only one be superseded by a third."""
    both_stand = and_(_C.place == "", _O.place == "")
    both_gone = and_(_C.superseded_by.is_not(None), _O.superseded_by == _C.superseded_by)
    pairs = (
        select(_C.id, _O.id.label("other"))
        .select_from(corrections.join(_OTHER, _SAME_PLACE))
        .where(any_of(_C.id, "id", count), _O.id < _C.id, or_(both_stand, both_gone))
    )
    return Sql(pairs.where(usual(_OF_TENANT)), postgresql=pairs.where(_OF_TENANT))


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Corrections of the tenant that do not stand where their history led them, or that stand in another's place.

    They are counted on the way, and the kept counts held against that.
    """
    tenant = {"tenant_id": at.actor.tenant_id}
    counts: dict[SumKey, list[int]] = {}
    for piece in pieces(at, PIECE, **tenant):
        ids = [row["id"] for row in piece]
        count, these = among("id", ids)
        histories = events.histories(at, "correction", ids)
        later = _later(at, [row["superseded_by"] for row in piece if row["superseded_by"]])
        for row in piece:
            told = [*_faults(row, histories.get(row["id"], ()), later, counts)]
            yield from (RowFault("corrections", row["id"], says) for says in told)
        for pair in at.all(_rivals(count), **tenant, **these):
            says = f"it stands where {pair['other']} stands: only one of the two can"
            yield RowFault("corrections", pair["id"], says)
        seen(len(piece))
    yield from _count_faults(at, tenant, counts)
    yield from _waiting_faults(at, tenant)


def _count_faults(
    at: Snapshot, tenant: dict[str, str], counts: dict[SumKey, list[int]]
) -> Iterator[RowFault]:
    """Kept counts that are not what was counted."""
    for row in at.all(KEPT, **tenant):
        key = tuple(row[name] for name in tallies.COUNTS.keys)
        kept = {name: value for name, value in row.items() if name not in tallies.COUNTS.keys}
        counted = dict(zip(kept, counts.pop(key, [0] * len(kept)), strict=True))
        wrong = [
            f"{name} is {kept[name]} instead of {counted[name]}"
            for name in kept
            if kept[name] != counted[name]
        ]
        if wrong:
            yield RowFault(correction_counts.name, _shown_key(key), ", ".join(wrong))
    for key in sorted(counts):
        yield RowFault(correction_counts.name, _shown_key(key), "is not kept, and must be")


def _shown_key(key: SumKey) -> str:
    return "/".join(map(str, key[1:]))


def _waiting_faults(at: Snapshot, tenant: dict[str, str]) -> Iterator[RowFault]:
    """Held corrections that their history does not explain, or that were recorded and wait all the same."""
    for piece in pieces(at, WAITING, **tenant):
        ids = [row["id"] for row in piece]
        histories, recorded = events.histories(at, "correction", ids), _later(at, ids)
        for row in piece:
            kinds = [event.kind for event in histories.get(row["id"], ())]
            if kinds[:1] != ["correction.held"] or kinds[-1] != _LAST[row["state"]]:
                yield RowFault(
                    "waiting_corrections", row["id"], f"its history does not say that it is {row['state']}"
                )
            if row["id"] in recorded:
                yield RowFault("waiting_corrections", row["id"], "it was recorded, and is held all the same")


def _later(at: Snapshot, ids: Sequence[str]) -> dict[str, Row]:
    count, these = among("id", ids)
    return {row["id"]: row for row in at.all(_superseding(count), tenant_id=at.actor.tenant_id, **these)}


def _faults(
    row: Row, history: Sequence[LoggedEvent], later: dict[str, Row], counts: dict[SumKey, list[int]]
) -> Iterator[str]:
    try:
        made = record(row)
    except ValueError:
        yield "what it says cannot be read"
        return
    _count(made, counts)
    recorded = [place for place, event in enumerate(history) if event.kind == "correction.recorded"]
    if len(recorded) != 1 or not {event.kind for event in history[: recorded[0]]} <= _BEFORE:
        yield f"its history says {len(recorded)} times that it was recorded, and must begin with it, once"
        return
    since = history[recorded[0] :]
    if row["created_at"] > since[0].at or row["updated_at"] > max(event.at for event in since):
        yield "it was changed after the last event of its history"
    yield from _gone_faults(row, made, {event.kind for event in since})
    yield from _standing_faults(made, since[1:])
    if row["superseded_by"]:
        yield from _pair_faults(row, later.get(row["superseded_by"]))


def _count(made: Correction, counts: dict[SumKey, list[int]]) -> None:
    counted = tallies.counted(made)
    if counted is not None:
        key, amounts = counted
        sums = counts.setdefault(key, [0] * len(amounts))
        sums[:] = map(add, sums, amounts)


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


def _standing_faults(made: Correction, moves: Sequence[LoggedEvent]) -> Iterator[str]:
    """What was never told of as changed is as it was at the save; a status and a desk fit each other."""
    begun = sort_at_save(
        decisions=made.decisions,
        answer=made.answer,
        wrong_item=tallies.items_verdict(made.said) == "wrong",
        participant=made.participant_id is not None,
    )
    changed = {name for event in moves for name in event.changed}
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
