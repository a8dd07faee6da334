"""What must be true of the rows of reviews: items stand where the claims on them put them, and claims end once."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, bindparam, exists, func, literal_column, or_, select

from setright.reviews.lifecycle import UNFINISHED
from setright.reviews.tables import review_claims, review_items, review_queues
from setright.storage import RowFault, Seen, Snapshot, Sql

MOST = 100
_Q, _I, _C = review_queues.c, review_items.c, review_claims.c


def _is(column: ColumnElement[str], *words: str) -> ColumnElement[bool]:
    return column.in_([literal_column(f"'{word}'") for word in words])


def _held(state: str) -> ColumnElement[int]:
    return (
        select(func.count())
        .where(
            _C.tenant_id == _I.tenant_id,
            _C.queue_id == _I.queue_id,
            _C.run_id == _I.run_id,
            _is(_C.state, state),
        )
        .scalar_subquery()
    )


def _wrong(row: tuple[ColumnElement[Any], ...], *conditions: ColumnElement[bool]) -> Sql:
    return Sql(
        select(*row).where(row[0].table.c.tenant_id == bindparam("tenant_id"), *conditions).limit(MOST)
    )


_ITEM, _CLAIM = (_I.queue_id, _I.run_id, _I.state), (_C.id, _C.state)
_OPEN = exists().where(_Q.id == _I.queue_id, _Q.closed_at.is_(None))
_ACTIVE, _TAKEN = _held("active"), _held("active") + _held("answered")
_UNFINISHED = _is(_I.state, *UNFINISHED)
COUNT = Sql(select(func.count().label("count")).where(_I.tenant_id == bindparam("tenant_id")))
ITEMS = {
    "more reviewers hold it than it has places": _wrong(_ITEM, _I.reviewers < _TAKEN),
    "its state is not that of the claims on it": _wrong(
        _ITEM, _UNFINISHED, _OPEN, _is(_I.state, "claimed") != (literal_column("0") < _ACTIVE)
    ),
    "it has room and is not handed out, or is handed out without room": _wrong(
        _ITEM, _UNFINISHED, _OPEN, _I.turn.is_not(None) != (_I.reviewers > _TAKEN)
    ),
    "its reviewers have all spoken, and it is not over": _wrong(
        _ITEM, _UNFINISHED, _held("answered") >= _I.reviewers
    ),
    "when it ended does not fit to where it stands": _wrong(_ITEM, _I.ended_at.is_(None) != _UNFINISHED),
    "who decided does not fit to where it stands": _wrong(
        _ITEM, _is(_I.state, "adjudicated") != _I.adjudicated_by.is_not(None)
    ),
}
CLAIMS = _wrong(
    _CLAIM,
    or_(
        _is(_C.state, "active") != _C.lease_until.is_not(None),
        _is(_C.state, "active") != _C.ended_at.is_(None),
        _is(_C.state, "answered", "withdrawn") != _C.correction_id.is_not(None),
    ),
)


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Items and claims of the tenant that contradict each other or themselves."""
    tenant = {"tenant_id": at.actor.tenant_id}
    row = at.one(COUNT, **tenant)
    seen(row["count"] if row else 0)
    for says, wrong in ITEMS.items():
        for item in at.all(wrong, **tenant):
            name = f"{item['queue_id']}/{item['run_id']}"
            yield RowFault("review_items", name, f"its state is {item['state']}, and {says}")
    for claim in at.all(CLAIMS, **tenant):
        yield RowFault(
            "review_claims", claim["id"], f"it is {claim['state']}, and its lease, end or answer differs"
        )
