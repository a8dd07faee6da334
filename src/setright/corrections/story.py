"""The story of a correction: what each move changed, and the words that were said of it, which events never hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sqlalchemy import bindparam, select

from setright.corrections.model import Correction
from setright.corrections.tables import correction_moves
from setright.events import LoggedEvent, with_more
from setright.kernel import json
from setright.storage import Snapshot, Sql, Tx, upsert

_M = correction_moves.c
_KEEP = upsert(correction_moves, ("tenant_id", "correction_id", "at"))
_NEWEST = Sql(
    select(_M.at, _M.standing)
    .where(
        _M.tenant_id == bindparam("tenant_id"),
        _M.correction_id == bindparam("correction_id"),
        _M.at <= bindparam("last"),
    )
    .order_by(_M.at.desc())
    .limit(bindparam("count"))
)
MOVES = frozenset({"correction.moved", "correction.fixed", "correction.reopened", "correction.unregistered"})
"""The events of which there is more to tell than their names."""
TOLD = ("status", "sortedTo", "sorted", "fixedIn", "reopenedIn", "statusNote")
"""What a move may have changed, in the order in which it is told."""


@dataclass(frozen=True, slots=True)
class CorrectionEvent(LoggedEvent):
    """Something that happened to a correction; `standing` is what it changed, as it stood after it."""

    standing: Mapping[str, Any] = field(default_factory=dict[str, Any])


def keep(tx: Tx, moved: Correction, changed: Mapping[str, Any]) -> None:
    """Keep what a move changed; what it took away is not there."""
    standing = {name: changed[name] for name in TOLD if changed.get(name) is not None}
    tx.add(
        _KEEP,
        tenant_id=moved.tenant_id,
        correction_id=moved.id,
        at=tx.now,
        standing=json.write_text(standing),
    )


def told(at: Snapshot, correction_id: str, page: Sequence[LoggedEvent]) -> Sequence[LoggedEvent]:
    """Events of one correction, oldest first, each move with what it changed."""
    if not any(event.kind in MOVES for event in page):
        return page
    values = {"tenant_id": at.actor.tenant_id, "correction_id": correction_id}
    rows = at.all(_NEWEST, **values, last=page[-1].at, count=len(page))
    return [*_with(page, [(row["at"], row["standing"]) for row in reversed(rows)])]


def _with(page: Sequence[LoggedEvent], kept: Sequence[tuple[int, str]]) -> Iterator[LoggedEvent]:
    """Each move with the newest that was kept until then and belongs to no move before it.

    A batch that moves many may end a moment after it moved one of them: its events have the time of its end.
    """
    used = 0
    for event in page:
        ready = sum(moment <= event.at for moment, _ in kept)
        if event.kind in MOVES and ready > used:
            standing = cast("Mapping[str, Any]", json.read_stored(kept[ready - 1][1]))
            yield with_more(event, CorrectionEvent, standing=standing)
            used = ready
        else:
            yield event
