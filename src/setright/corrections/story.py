"""The story of a correction: what each move changed, and the words that were said of it, which events never hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from sqlalchemy import bindparam, select

from setright.corrections.model import Correction
from setright.corrections.tables import correction_moves
from setright.events import LoggedEvent, with_more
from setright.kernel import json
from setright.storage import Snapshot, Sql, Tx, upsert
from setright.storage.lists import among, any_of

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
_ALL = Sql(
    select(_M.at, _M.standing).where(
        _M.tenant_id == bindparam("tenant_id"), _M.correction_id == bindparam("correction_id")
    )
)


@lru_cache(maxsize=16)
def _of_these(count: int) -> Sql:
    these = (_M.tenant_id == bindparam("tenant_id"), any_of(_M.correction_id, "correction", count))
    return Sql(
        select(_M.correction_id, _M.at, _M.standing).where(*these, _M.standing.like(bindparam("likeness")))
    )


MOVES = frozenset({"correction.moved", "correction.fixed", "correction.reopened", "correction.unregistered"})
"""The events of which there is more to tell than their names."""
TOLD = ("status", "sortedTo", "sorted", "fixedIn", "reopenedIn", "statusNote")
"""What a move may have changed, in the order in which it is told."""
_WORDS = (("sorted", "reason"), ("statusNote", "text"))
"""Where somebody's words stand in it."""


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


def erase(tx: Tx, correction_id: str) -> None:
    """Take out the words that were said of the moves of a correction; what they changed stays told."""
    this = {"tenant_id": tx.actor.tenant_id, "correction_id": correction_id}
    for row in tx.all(_ALL, **this):
        standing = cast("dict[str, Any]", json.read_stored(row["standing"]))
        _say_less(tx, correction_id, row["at"], standing, [name for name, _ in _WORDS])


def erase_by(tx: Tx, correction_ids: Sequence[str], user_id: str) -> None:
    """Take out the words that a user said of the moves of these corrections."""
    if not correction_ids:
        return
    count, names = among("correction", correction_ids)
    for row in tx.all(_of_these(count), tenant_id=tx.actor.tenant_id, likeness=f"%{user_id}%", **names):
        standing = cast("dict[str, Any]", json.read_stored(row["standing"]))
        theirs = [name for name, _ in _WORDS if standing.get(name, {}).get("by", {}).get("id") == user_id]
        _say_less(tx, row["correction_id"], row["at"], standing, theirs)


def _say_less(tx: Tx, correction_id: str, at: int, standing: dict[str, Any], names: Sequence[str]) -> None:
    """Keep what a move changed without the words that stand in some of it."""
    for name, words in _WORDS:
        if name in names and name in standing:
            standing[name] = {key: value for key, value in standing[name].items() if key != words}
    tx.run(
        _KEEP,
        tenant_id=tx.actor.tenant_id,
        correction_id=correction_id,
        at=at,
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
