"""The statements about review queues, their items and claims; every one filters by tenant."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    null,
    or_,
    select,
    union_all,
    update,
)

from setright.kernel import json
from setright.kernel.paging import Place
from setright.reviews.model import ReviewClaim, ReviewItem, ReviewQueue, RunFilter
from setright.reviews.tables import review_claims, review_fronts, review_items, review_queues
from setright.storage import Row, Snapshot, Sql, Tx, insert, upsert
from setright.storage.lists import any_of, before

_Q, _I, _C, _F = review_queues.c, review_items.c, review_claims.c, review_fronts.c
_THIS_QUEUE = select(review_queues).where(
    _Q.tenant_id == bindparam("tenant_id"), _Q.id == bindparam("queue_id")
)
_ITEMS = and_(_I.tenant_id == bindparam("tenant_id"), _I.queue_id == bindparam("queue_id"))
_CLAIMS = and_(_C.tenant_id == bindparam("tenant_id"), _C.queue_id == bindparam("queue_id"))
_MINE = and_(_C.reviewer_kind == bindparam("my_kind"), _C.reviewer_id == bindparam("my_id"))
_FRONT = and_(
    _F.tenant_id == bindparam("tenant_id"),
    _F.queue_id == bindparam("queue_id"),
    _F.reviewer_kind == bindparam("my_kind"),
    _F.reviewer_id == bindparam("my_id"),
)

ADD_QUEUE, ADD_ITEM, ADD_CLAIM = insert(review_queues), insert(review_items), insert(review_claims)
FIND_QUEUE = Sql(_THIS_QUEUE)
HOLD_QUEUE = Sql(_THIS_QUEUE.with_for_update(key_share=True))
_OF_QUEUE = {
    "name",
    "sample_rate",
    "reviewers_per_item",
    "claim_seconds",
    "min_reviewer_role",
    "updated_at",
    "closed_at",
    "settled_at",
    "settled_id",
    "ahead_at",
    "ahead_id",
    "turn",
}
SET_QUEUE = Sql(
    update(review_queues)
    .where(_Q.tenant_id == bindparam("of_tenant"), _Q.id == bindparam("of_id"))
    .values({name: bindparam(f"new_{name}") for name in sorted(_OF_QUEUE)})
)

FIND_ITEM = Sql(select(review_items).where(_ITEMS, _I.run_id == bindparam("run_id")))
SET_ITEM = Sql(
    update(review_items)
    .where(
        _I.tenant_id == bindparam("of_tenant"),
        _I.queue_id == bindparam("of_queue"),
        _I.run_id == bindparam("of_run"),
    )
    .values(
        state=bindparam("new_state"),
        turn=bindparam("new_turn"),
        ended_at=bindparam("new_ended_at"),
        differs=bindparam("new_differs"),
        adjudicated_by=bindparam("new_adjudicated_by"),
    )
)
WITH_ROOM = Sql(
    select(_I.run_id, _I.turn)
    .where(_ITEMS, _I.turn.is_not(None), _I.turn > bindparam("seen"))
    .order_by(_I.turn)
    .limit(bindparam("count"))
)
UNFINISHED_ITEMS = Sql(
    select(review_items)
    .where(_ITEMS, or_(_I.state == "waiting", _I.state == "claimed"))
    .limit(bindparam("count"))
)
ADJUDICATED_ITEM = Sql(
    select(review_items).where(
        _I.tenant_id == bindparam("tenant_id"), _I.adjudicated_by == bindparam("correction_id")
    )
)

FIND_CLAIM = Sql(select(review_claims).where(_CLAIMS, _C.id == bindparam("claim_id"), _MINE))
MY_CLAIM = Sql(select(review_claims).where(_CLAIMS, _C.run_id == bindparam("run_id"), _MINE))
OVERDUE = Sql(
    select(review_claims)
    .where(_CLAIMS, _C.lease_until.is_not(None), _C.lease_until <= bindparam("now"))
    .order_by(_C.lease_until)
    .limit(bindparam("count"))
)
MY_ACTIVE = Sql(select(func.count().label("held")).where(_CLAIMS, _C.lease_until.is_not(None), _MINE))
HOLDING = Sql(
    select(_C.state, func.count().label("held"))
    .where(_CLAIMS, _C.run_id == bindparam("run_id"), or_(_C.state == "active", _C.state == "answered"))
    .group_by(_C.state)
)
ANSWERS = Sql(
    select(_C.correction_id).where(_CLAIMS, _C.run_id == bindparam("run_id"), _C.state == "answered")
)
CLAIM_OF_CORRECTION = Sql(
    select(review_claims).where(
        _C.tenant_id == bindparam("tenant_id"), _C.correction_id == bindparam("correction_id")
    )
)
SET_CLAIM = Sql(
    update(review_claims)
    .where(_C.tenant_id == bindparam("of_tenant"), _C.id == bindparam("of_id"))
    .values(
        state=bindparam("new_state"),
        claimed_at=bindparam("new_claimed_at"),
        lease_until=bindparam("new_lease_until"),
        ended_at=bindparam("new_ended_at"),
        correction_id=bindparam("new_correction_id"),
    )
)
END_CLAIMS = Sql(
    update(review_claims)
    .where(
        _C.tenant_id == bindparam("of_tenant"),
        _C.queue_id == bindparam("of_queue"),
        _C.lease_until.is_not(None),
    )
    .values(state="released", lease_until=null(), ended_at=bindparam("at"))
)

FIND_FRONT = Sql(select(_F.seen).where(_FRONT))
SET_FRONT = upsert(review_fronts, ("tenant_id", "queue_id", "reviewer_kind", "reviewer_id"))

_LIVE = exists().where(
    _C.tenant_id == _I.tenant_id,
    _C.queue_id == _I.queue_id,
    _C.run_id == _I.run_id,
    _C.lease_until > bindparam("now"),
)
COUNTS = Sql(select(_I.state, func.count().label("items")).where(_ITEMS).group_by(_I.state))
LIVE_ITEMS = Sql(
    select(func.count(func.distinct(_C.run_id)).label("items")).where(
        _CLAIMS, _C.lease_until.is_not(None), _C.lease_until > bindparam("now")
    )
)
MY_LIVE_ITEMS = Sql(
    select(func.count().label("items")).where(
        _CLAIMS, _C.lease_until.is_not(None), _C.lease_until > bindparam("now"), _MINE
    )
)


@lru_cache(maxsize=64)
def claims_of(runs: int, *, only_mine: bool) -> Sql:
    """The claims on some runs (`run_0` and on), oldest first: all of them, or the caller's."""
    found = select(review_claims).where(_CLAIMS, any_of(_C.run_id, "run", runs))
    if only_mine:
        found = found.where(_MINE)
    return Sql(found.order_by(_C.claimed_at, _C.id))


@lru_cache(maxsize=16)
def begun_of(runs: int) -> Sql:
    """Which of some runs (`run_0` and on) are items of the queue already."""
    return Sql(select(_I.run_id).where(_ITEMS, any_of(_I.run_id, "run", runs)))


@lru_cache(maxsize=64)
def page_of_queues(present: frozenset[str], projects: int | None) -> Sql:
    """A page of queues, newest first: all, or those of so many projects (`project_0` and on)."""
    found = select(review_queues).where(_Q.tenant_id == bindparam("tenant_id"), before(_Q.created_at, _Q.id))
    narrowed = {"open": _Q.closed_at.is_(None), "closed": _Q.closed_at.is_not(None)}
    found = found.where(*(narrowed[name] for name in sorted(present)))
    if projects is not None:
        found = found.where(any_of(_Q.project_id, "project", projects))
    return Sql(found.order_by(_Q.created_at.desc(), _Q.id.desc()).limit(bindparam("count")))


@lru_cache(maxsize=32)
def page_of_items(state: str | None, *, only_mine: bool) -> Sql:
    """A page of items, newest first; `only_mine` takes for claimed only what the caller itself holds.

    An item whose claims have all run out is waiting, also before anybody notices it.
    """
    live = _LIVE.where(_MINE) if only_mine else _LIVE
    held = and_(_I.state == "claimed", live)
    if state is None:
        return Sql(_newest_items(live))
    if state == "claimed":
        return Sql(_newest_items(live, held))
    if state != "waiting":
        return Sql(_newest_items(live, _I.state == bindparam("state")))
    parts = [_newest_items(live, _I.state == "waiting"), _newest_items(live, _I.state == "claimed", ~live)]
    whole = union_all(*(select(part.subquery()) for part in parts)).subquery()
    return Sql(
        select(whole).order_by(whole.c.began_at.desc(), whole.c.run_id.desc()).limit(bindparam("count"))
    )


def _newest_items(live: ColumnElement[bool], *where: ColumnElement[bool]) -> Select[Any]:
    shown = case((and_(_I.state == "claimed", ~live), "waiting"), else_=_I.state)
    columns = [column for column in _I if column.name not in ("state", "turn", "tenant_id")]
    return (
        select(*columns, shown.label("state"))
        .where(_ITEMS, *where, before(_I.began_at, _I.run_id))
        .order_by(_I.began_at.desc(), _I.run_id.desc())
        .limit(bindparam("count"))
    )


class Held:
    """A queue that nobody else uses until the end of this transaction, and what changes of it meanwhile."""

    def __init__(self, queue: ReviewQueue) -> None:
        self.queue = queue
        self._before = queue

    def next_turn(self) -> int:
        """A number that no item of the queue had before."""
        self.set(turn=self.queue.turn + 1)
        return self.queue.turn

    def set(self, **changes: Any) -> None:
        """Change the record."""
        self.queue = replace(self.queue, **changes)

    def save(self, tx: Tx) -> None:
        """Store what changed."""
        if self.queue is not self._before:
            row = row_of(self.queue)
            values = {f"new_{name}": row[name] for name in _OF_QUEUE}
            tx.add(SET_QUEUE, of_tenant=row["tenant_id"], of_id=row["id"], **values)
            self._before = self.queue


def hold(tx: Tx, queue_id: str) -> Held | None:
    """A queue of the caller's tenant, in the hand of this transaction alone."""
    row = tx.one(HOLD_QUEUE, tenant_id=tx.actor.tenant_id, queue_id=queue_id)
    if row is None:
        return None
    tx.happens_after(row["updated_at"])
    return Held(queue_in(row))


def find(at: Snapshot, queue_id: str) -> ReviewQueue | None:
    """A queue of the caller's tenant."""
    row = at.one(FIND_QUEUE, tenant_id=at.actor.tenant_id, queue_id=queue_id)
    return None if row is None else queue_in(row)


def queue_in(row: Row) -> ReviewQueue:
    """A row of queues as a record."""
    return ReviewQueue(
        id=row["id"],
        tenant_id=row["tenant_id"],
        project_id=row["project_id"],
        name=row["name"],
        filter=RunFilter(
            row["subject_kind"],
            row["subject_key"],
            row["subject_id"],
            row["subject_version"],
            row["run_status"],
            row["since"],
        ),
        sample_rate=float(json.read_stored(row["sample_rate"])),
        reviewers_per_item=row["reviewers_per_item"],
        claim_seconds=row["claim_seconds"],
        min_reviewer_role=row["min_reviewer_role"],
        created_by_kind=row["created_by_kind"],
        created_by_id=row["created_by_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        closed_at=row["closed_at"],
        settled=Place(row["settled_at"], row["settled_id"]),
        ahead=Place(row["ahead_at"], row["ahead_id"]),
        turn=row["turn"],
    )


def row_of(queue: ReviewQueue) -> Row:
    """A queue as a row."""
    chosen = queue.filter
    return {
        "id": queue.id,
        "tenant_id": queue.tenant_id,
        "project_id": queue.project_id,
        "name": queue.name,
        "subject_kind": chosen.subject_kind,
        "subject_key": chosen.subject_key,
        "subject_id": chosen.subject_id,
        "subject_version": chosen.subject_version,
        "run_status": chosen.status,
        "since": chosen.since,
        "sample_rate": json.write_text(queue.sample_rate),
        "reviewers_per_item": queue.reviewers_per_item,
        "claim_seconds": queue.claim_seconds,
        "min_reviewer_role": queue.min_reviewer_role,
        "created_by_kind": queue.created_by_kind,
        "created_by_id": queue.created_by_id,
        "created_at": queue.created_at,
        "updated_at": queue.updated_at,
        "closed_at": queue.closed_at,
        "settled_at": queue.settled.moment,
        "settled_id": queue.settled.id,
        "ahead_at": queue.ahead.moment,
        "ahead_id": queue.ahead.id,
        "turn": queue.turn,
    }


def item_in(row: Row) -> ReviewItem:
    """A row of items as a record, without its claims."""
    return ReviewItem(
        queue_id=row["queue_id"],
        run_id=row["run_id"],
        state=row["state"],
        reviewers=row["reviewers"],
        began_at=row["began_at"],
        ended_at=row["ended_at"],
        differs=tuple(json.read_stored(row["differs"] or "[]")),
        adjudicated_by=row["adjudicated_by"],
    )


def set_item(tx: Tx, item: ReviewItem, turn: int | None = None) -> None:
    """Store where an item stands; without a turn it has no room for a further reviewer."""
    tx.add(
        SET_ITEM,
        of_tenant=tx.actor.tenant_id,
        of_queue=item.queue_id,
        of_run=item.run_id,
        new_state=item.state,
        new_turn=turn,
        new_ended_at=item.ended_at,
        new_differs=json.write_text(item.differs) if item.differs else None,
        new_adjudicated_by=item.adjudicated_by,
    )


def set_claim(tx: Tx, claim: ReviewClaim) -> None:
    """Store where a claim stands."""
    tx.add(
        SET_CLAIM,
        of_tenant=claim.tenant_id,
        of_id=claim.id,
        new_state=claim.state,
        new_claimed_at=claim.claimed_at,
        new_lease_until=claim.lease_until,
        new_ended_at=claim.ended_at,
        new_correction_id=claim.correction_id,
    )


def of_queue(queue: ReviewQueue) -> Row:
    """The values that name a queue."""
    return {"tenant_id": queue.tenant_id, "queue_id": queue.id}


def me(at: Snapshot) -> Row:
    """The values that name the caller."""
    return {"my_kind": at.actor.kind, "my_id": at.actor.id}
