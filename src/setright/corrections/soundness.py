"""What must be true of the rows of corrections: each stands where its history led it, and where nothing else stands."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, select

from setright import events
from setright.corrections import tallies
from setright.corrections.counting import Count
from setright.corrections.lifecycle import STATUSES, sort_at_save
from setright.corrections.model import Correction
from setright.corrections.store import record
from setright.corrections.tables import corrections, waiting_corrections
from setright.events import LoggedEvent
from setright.storage import Row, RowFault, Seen, Snapshot, Sql
from setright.storage.lists import among, any_of, usual
from setright.storage.soundness import next_piece, pieces

_C = corrections.c
_OF_TENANT = _C.tenant_id == bindparam("tenant_id")
_PLACE = (_C.run_id, _C.made_by_kind, _C.made_by_id, _C.participant_key)
_ORDER = (*_PLACE, _C.place, _C.id)
PIECE = Sql(
    select(corrections).where(_OF_TENANT, next_piece(*_ORDER)).order_by(*_ORDER).limit(bindparam("count"))
)
_W = waiting_corrections.c
WAITING = Sql(
    select(_W.id, _W.held_at, _W.state)
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


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Corrections of the tenant that do not stand where their history led them, or that stand in another's place.

    They are counted on the way, run after run, and what is kept as counts is held against that.
    """
    tenant, count, places = {"tenant_id": at.actor.tenant_id}, Count(at), _Places()
    for piece in pieces(at, PIECE, _ORDER, **tenant):
        histories = events.histories(at, "correction", [row["id"] for row in piece])
        later = _later(at, [row["superseded_by"] for row in piece if row["superseded_by"]])
        for row in piece:
            try:
                made = record(row)
            except ValueError:
                yield RowFault("corrections", row["id"], "what it says cannot be read")
                continue
            told = [*_faults(row, made, histories.get(row["id"], ()), later), *places.faults(row)]
            yield from (RowFault("corrections", row["id"], says) for says in told)
            yield from count.add(made)
        seen(len(piece))
    yield from count.end()
    yield from _waiting_faults(at, tenant)


class _Places:
    """The places that corrections go by: in each at most one stands, and each that is superseded is by another."""

    def __init__(self) -> None:
        self._place: tuple[str, ...] = ()
        self._stands: str | None = None
        self._later: set[str] = set()

    def faults(self, row: Row) -> Iterator[str]:
        """What is wrong with a correction beside those of its place that went by before."""
        place = tuple(row[column.name] for column in _PLACE)
        if place != self._place:
            self._place, self._stands, self._later = place, None, set()
        if row["place"] == "":
            if self._stands is not None:
                yield f"it stands where {self._stands} stands: only one of the two can"
            self._stands = row["id"]
        if row["superseded_by"] in self._later:
            yield f"{row['superseded_by']}, by which it was superseded, superseded another already"
        if row["superseded_by"] is not None:
            self._later.add(row["superseded_by"])


def _waiting_faults(at: Snapshot, tenant: dict[str, str]) -> Iterator[RowFault]:
    """Held corrections that their history does not explain, or that were recorded and wait all the same."""
    for piece in pieces(at, WAITING, (_W.held_at, _W.id), **tenant):
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
    row: Row, made: Correction, history: Sequence[LoggedEvent], later: dict[str, Row]
) -> Iterator[str]:
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
