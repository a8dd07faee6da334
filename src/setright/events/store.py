"""The statements of the event log."""

from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Text,
    and_,
    bindparam,
    cast,
    exists,
    func,
    literal,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy import insert as core_insert

from setright.events.tables import event_heads, events
from setright.storage import Sql, upsert
from setright.storage.lists import any_of

_E = events.c
_SHOWN = (
    _E.seq,
    _E.at,
    _E.by_kind,
    _E.by_id,
    _E.kind,
    _E.subject_kind,
    _E.subject_id,
    _E.project_id,
    _E.changed,
    _E.about,
)
_THIS_TRANSACTION = cast(cast(func.pg_current_xact_id(), Text), BigInteger)
_OLDEST_UNFINISHED = cast(cast(func.pg_snapshot_xmin(func.pg_current_snapshot()), Text), BigInteger)
_GIVEN: dict[str, Any] = {
    column.name: bindparam(column.name) for column in _E if column.name not in ("seq", "transaction")
}
_NEWEST = select(_E.at).order_by(_E.seq.desc()).limit(100).subquery()

INSERT = Sql(
    core_insert(events).values(_GIVEN | {"transaction": literal(0)}),
    postgresql=core_insert(events).values(_GIVEN | {"transaction": _THIS_TRANSACTION}),
)
_H = event_heads.c
_ITS_HEAD = _H.tenant_id == bindparam("tenant_id")
HEAD = Sql(select(_H.seal, _H.count).where(_ITS_HEAD))
HOLD_HEAD = Sql(select(_H.seal, _H.count).where(_ITS_HEAD).with_for_update())
# Without a row of its own: a tenant whose first event this is has no head yet.
HEAD_TO_WRITE = Sql(
    select(
        select(_H.seal).where(_ITS_HEAD).scalar_subquery().label("seal"),
        select(_H.count).where(_ITS_HEAD).scalar_subquery().label("count"),
        exists().where(_E.tenant_id == bindparam("tenant_id"), _E.seal.is_(None)).label("waiting"),
    )
)
SET_HEAD = upsert(event_heads, ("tenant_id",))
_SEALED = (*_E,)
_UNSEALED = (
    select(*_SEALED)
    .where(_E.seal.is_(None))
    .order_by(_E.tenant_id, _E.transaction, _E.seq)
    .limit(bindparam("count"))
)
UNSEALED = Sql(_UNSEALED, postgresql=_UNSEALED.where(_E.transaction < _OLDEST_UNFINISHED))
SET_SEAL = Sql(update(events).where(_E.seq == bindparam("of_seq")).values(seal=bindparam("new_seal")))
SEALS = Sql(
    select(*_SEALED)
    .where(
        _E.tenant_id == bindparam("tenant_id"),
        tuple_(_E.transaction, _E.seq)
        > tuple_(bindparam("transaction", type_=BigInteger()), bindparam("after")),
    )
    .order_by(_E.transaction, _E.seq)
    .limit(bindparam("count"))
)
PLACE_OF = Sql(
    select(_E.transaction).where(_E.tenant_id == bindparam("tenant_id"), _E.seq == bindparam("after"))
)
HISTORY = Sql(
    select(*_SHOWN)
    .where(
        _E.tenant_id == bindparam("tenant_id"),
        _E.subject_id == bindparam("subject_id"),
        _E.seq > bindparam("after"),
    )
    .order_by(_E.seq)
    .limit(bindparam("count"))
)
# The newest event of the whole ledger; on PostgreSQL events of one moment may commit in another order than by seq.
LAST_MOMENT = Sql(select(func.max(_NEWEST.c.at).label("at")))


@lru_cache(maxsize=32)
def histories(subjects: int) -> Sql:
    """What happened to so many things of one kind (`subject_0` and on), oldest first."""
    return Sql(
        select(*_SHOWN)
        .where(
            _E.tenant_id == bindparam("tenant_id"),
            any_of(_E.subject_id, "subject", subjects),
            _E.subject_kind == bindparam("subject_kind"),
        )
        .order_by(_E.seq)
    )


@lru_cache(maxsize=256)
def feed_statement(projects: int | None, admin_of: int | None) -> Sql:
    """The feed of a tenant, or of so many of its projects (`project_0` and on).

    Of what is blind there is what the caller did (`my_kind`, `my_id`), and all that happened in the `admin_of`
    projects `admin_0` and on; None: in every project. PostgreSQL shows only what stands before every transaction that
    still runs: nothing can come to stand there later.
    """
    found = (
        select(*_SHOWN)
        .where(
            _E.tenant_id == bindparam("tenant_id"),
            tuple_(_E.transaction, _E.seq) > tuple_(bindparam("transaction"), bindparam("after")),
        )
        .order_by(_E.transaction, _E.seq)
        .limit(bindparam("count"))
    )
    if projects is not None:
        found = found.where(_E.project_id.in_([bindparam(f"project_{n}") for n in range(projects)]))
    if admin_of is not None:
        mine = and_(_E.by_kind == bindparam("my_kind"), _E.by_id == bindparam("my_id"))
        found = found.where(or_(_E.blind.is_(None), mine, any_of(_E.project_id, "admin", admin_of)))
    return Sql(found, postgresql=found.where(_E.transaction < _OLDEST_UNFINISHED))
