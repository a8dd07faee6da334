"""Taking the words of corrections out for good: what stays is who judged which run, when, how, and where it stands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, func, literal_column, null, select, update

from setright.corrections import story, tallies, waiting_store
from setright.corrections.evidence import hold_corrections
from setright.corrections.model import Correction
from setright.corrections.raters import others_of
from setright.corrections.tables import corrections, waiting_corrections
from setright.corrections.waiting_model import WaitingCorrection
from setright.kernel import json
from setright.kernel.events import Event
from setright.storage import Row, Snapshot, Sql, Tx
from setright.storage.lists import among, any_of

_C, _W = corrections.c, waiting_corrections.c
_STAYS = ("items", "callsMatch", "callsOrder")
HELD_AT_ONCE = 500
_OF_ITEM = ("key", "verdict")
_EMPTY = Sql(
    update(corrections)
    .where(_C.tenant_id == bindparam("of_tenant"), _C.id == bindparam("of_id"))
    .values(
        said=bindparam("new_said"),
        participant_key=bindparam("new_participant"),
        sorted=bindparam("new_sorted"),
        status_note=null(),
        content_erased_at=bindparam("now"),
        updated_at=bindparam("now"),
    )
)
_BY_PARTICIPANT = Sql(
    select(_C.id, _C.run_id)
    .where(
        _C.tenant_id == bindparam("tenant_id"),
        _C.participant_key == bindparam("participant_id"),
        _C.created_at <= bindparam("until"),
    )
    .order_by(_C.created_at, _C.id)
    .limit(bindparam("count"))
)
_PARTICIPANTS = Sql(
    select(_C.participant_key)
    .distinct()
    .where(_C.tenant_id == bindparam("tenant_id"), _C.participant_key != literal_column("''"))
)
_MADE_BY = Sql(
    select(_C.id, _C.run_id)
    .where(
        _C.tenant_id == bindparam("tenant_id"),
        _C.made_by_id == bindparam("user_id"),
        _C.made_by_kind == literal_column("'user'"),
        _C.created_at <= bindparam("until"),
        _C.content_erased_at.is_(None),
    )
    .order_by(_C.created_at, _C.id)
    .limit(bindparam("count"))
)
_COUNT_MADE_BY = Sql(
    select(func.count().label("count")).where(
        _C.tenant_id == bindparam("tenant_id"),
        _C.made_by_id == bindparam("user_id"),
        _C.made_by_kind == literal_column("'user'"),
        _C.content_erased_at.is_(None),
    )
)
_HELD_WORDS = Sql(
    select(waiting_corrections)
    .where(
        _W.tenant_id == bindparam("tenant_id"),
        _W.id > bindparam("after"),
        _W.held_at <= bindparam("until"),
    )
    .order_by(_W.id)
    .limit(bindparam("count"))
)
_EMPTY_HELD = Sql(
    update(waiting_corrections)
    .where(_W.tenant_id == bindparam("of_tenant"), _W.id == bindparam("of_id"))
    .values(
        request=bindparam("new_request"),
        refusal=bindparam("new_refusal"),
        state=bindparam("new_state"),
        withdrawn_at=bindparam("new_withdrawn_at"),
    )
)


@lru_cache(maxsize=16)
def _of_runs(count: int) -> Sql:
    return Sql(
        select(_C.id, _C.run_id).where(
            _C.tenant_id == bindparam("tenant_id"), any_of(_C.run_id, "run", count)
        )
    )


@lru_cache(maxsize=16)
def _held_for(count: int) -> Sql:
    return Sql(
        select(waiting_corrections)
        .where(_W.tenant_id == bindparam("tenant_id"), any_of(_W.run_id, "run", count))
        .order_by(_W.id)
        .with_for_update()
    )


@lru_cache(maxsize=16)
def _erased(count: int) -> Sql:
    these = (_C.tenant_id == bindparam("tenant_id"), any_of(_C.id, "id", count))
    return Sql(select(_C.id).where(*these, _C.content_erased_at.is_not(None)))


@lru_cache(maxsize=16)
def _runs_of(count: int) -> Sql:
    these = (_C.tenant_id == bindparam("tenant_id"), any_of(_C.id, "id", count))
    return Sql(select(_C.id, _C.run_id).where(*these))


def runs_of_corrections(at: Snapshot, correction_ids: Sequence[str]) -> Mapping[str, str]:
    """Of which run each of these corrections speaks."""
    if not correction_ids:
        return {}
    count, names = among("id", correction_ids)
    return {
        row["id"]: row["run_id"] for row in at.all(_runs_of(count), tenant_id=at.actor.tenant_id, **names)
    }


def corrections_of_runs(at: Snapshot, run_ids: Sequence[str]) -> Sequence[str]:
    """Ids of everything that was said of these runs, superseded and removed corrections too."""
    if not run_ids:
        return ()
    count, names = among("run", run_ids)
    return [row["id"] for row in at.all(_of_runs(count), tenant_id=at.actor.tenant_id, **names)]


def participants(at: Snapshot) -> Sequence[str]:
    """Every end user for whom something was said, or waits, that was not erased."""
    tenant = at.actor.tenant_id
    found = {row["participant_key"] for row in at.all(_PARTICIPANTS, tenant_id=tenant)}
    after = ""
    while rows := at.all(_HELD_WORDS, tenant_id=tenant, after=after, until=at.now, count=HELD_AT_ONCE):
        requests = [waiting_store.record(row).request for row in rows]
        found |= {request["participantId"] for request in requests if "participantId" in request}
        after = rows[-1]["id"]
    return sorted(found)


def said_by_participant(at: Snapshot, participant_id: str, until: int, count: int) -> Sequence[str]:
    """Ids of the oldest corrections that were made for an end user; an erased one was made for nobody we know."""
    values = {"participant_id": participant_id, "until": until, "count": count}
    return [row["id"] for row in at.all(_BY_PARTICIPANT, tenant_id=at.actor.tenant_id, **values)]


def said_by_user(at: Snapshot, user_id: str, until: int, count: int) -> Sequence[str]:
    """Ids of the oldest corrections that a user made and that have their words still."""
    values = {"user_id": user_id, "until": until, "count": count}
    return [row["id"] for row in at.all(_MADE_BY, tenant_id=at.actor.tenant_id, **values)]


def count_said_by(at: Snapshot, user_id: str) -> int:
    """How many corrections a user made that have their words still."""
    row = at.one(_COUNT_MADE_BY, tenant_id=at.actor.tenant_id, user_id=user_id)
    return 0 if row is None else int(row["count"])


def erased_among(at: Snapshot, correction_ids: Sequence[str]) -> set[str]:
    """Those of these corrections whose words were erased."""
    if not correction_ids:
        return set()
    count, names = among("id", correction_ids)
    return {row["id"] for row in at.all(_erased(count), tenant_id=at.actor.tenant_id, **names)}


def erase_corrections(tx: Tx, correction_ids: Sequence[str]) -> int:
    """Take out the words of corrections and of their moves, and for whom they were made; how many were not before.

    Verdicts, the keys of items and the status stay: kept counts do not change, but for the name of the rater.
    """
    if not correction_ids:
        return 0
    held = hold_corrections(tx, sorted(set(correction_ids)))
    fresh = [one for one in held if one.content_erased_at is None]
    for one in fresh:
        _erase(tx, one)
    return len(fresh)


def erase_waiting(tx: Tx, run_ids: Sequence[str]) -> int:
    """Take out what waits for these runs, or was refused or withdrawn: none of it is ever recorded; how many."""
    if not run_ids:
        return 0
    count, names = among("run", run_ids)
    rows = tx.all(_held_for(count), tenant_id=tx.actor.tenant_id, **names)
    return sum(_erase_held(tx, waiting_store.record(row)) for row in rows)


def erase_waiting_of(
    tx: Tx, said_by: Callable[[WaitingCorrection], bool], until: int, after: str, count: int
) -> tuple[int, str | None]:
    """Take out the next `count` held corrections for which `said_by` holds; how many, and where to go on, if not done."""
    values = {"after": after, "until": until, "count": count}
    rows = tx.all(_HELD_WORDS, tenant_id=tx.actor.tenant_id, **values)
    found = [held for row in rows if said_by(held := waiting_store.record(row))]
    gone = sum(_erase_held(tx, held) for held in found)
    return gone, rows[-1]["id"] if len(rows) == count else None


def _erase(tx: Tx, now: Correction) -> None:
    then = replace(
        now,
        said=_shell(now.said),
        participant_id=None if now.participant_id is None else tx.new_id("erased"),
        sorted=None if now.sorted is None else _without(now.sorted, "reason"),
        status_note=None,
        content_erased_at=tx.now,
        updated_at=tx.now,
    )
    others = others_of(tx, now)
    tx.run(
        _EMPTY,
        of_tenant=then.tenant_id,
        of_id=then.id,
        new_said=json.write_text(then.said),
        new_participant=then.participant_id or "",
        new_sorted=None if then.sorted is None else json.write_text(then.sorted),
        now=tx.now,
    )
    story.erase(tx, then.id)
    tallies.changed(tx, now, then, others)
    hidden = now.blind is not None
    changed = ("contentErasedAt", *(("statusNote",) if now.status_note else ()))
    tx.announce(
        Event("correction.erased", "correction", now.id, now.project_id, changed, now.run_id, blind=hidden)
    )


def _shell(said: Mapping[str, Any]) -> dict[str, Any]:
    """What is left of what was said: how calls were compared, and which items were right, by their keys."""
    left = {name: said[name] for name in _STAYS if name in said}
    if "items" in left:
        left["items"] = [{name: item[name] for name in _OF_ITEM} for item in left["items"]]
    return left


def _without(whole: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in whole.items() if key != name}


def _erase_held(tx: Tx, held: WaitingCorrection) -> int:
    """Empty one; what waited is withdrawn with it. 0 where it was empty already."""
    shell: Row = {"runId": held.run_id}
    if held.request == shell:
        return 0
    waits = held.state == "waiting"
    tx.happens_after(held.held_at)
    tx.run(
        _EMPTY_HELD,
        of_tenant=held.tenant_id,
        of_id=held.id,
        new_request=json.write_text(shell),
        new_refusal=None if held.refusal is None else json.write_text(_told(held.refusal)),
        new_state="withdrawn" if waits else held.state,
        new_withdrawn_at=tx.now if waits else held.withdrawn_at,
    )
    if waits:
        changed = ("state", "withdrawnAt")
        tx.announce(
            Event("correction.withdrawn", "correction", held.id, held.project_id, changed, held.run_id)
        )
    return 1


def _told(refusal: Mapping[str, Any]) -> dict[str, Any]:
    """Why it was refused, without the values that it spoke of."""
    return {"code": refusal["code"], "message": "Its words were erased.", "at": refusal["at"]}
