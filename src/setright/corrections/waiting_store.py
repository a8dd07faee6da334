"""The statements about corrections that wait for their run; every one filters by tenant, but for the one that counts."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    bindparam,
    delete,
    func,
    literal_column,
    select,
    true,
    union_all,
    update,
)

from setright.corrections.tables import waiting_corrections
from setright.corrections.waiting_model import WaitingCorrection
from setright.kernel import json
from setright.kernel.clock import to_wire
from setright.kernel.errors import Refusal
from setright.storage import Row, Snapshot, Sql, Tx, insert
from setright.storage.lists import among, any_of, before

MOST_BRANCHES = 64

_W = waiting_corrections.c
_WAITS = _W.state == literal_column("'waiting'")
_MINE = select(waiting_corrections).where(_W.tenant_id == bindparam("tenant_id"))
_THIS = _MINE.where(_W.id == bindparam("id"))
_ADD = insert(waiting_corrections)
_FIND = Sql(_THIS)
_HOLD = Sql(_THIS.with_for_update())
_COUNT = Sql(
    select(func.count().label("count")).where(
        _W.tenant_id == bindparam("tenant_id"),
        _W.run_id == bindparam("run_id"),
        _W.project_id == bindparam("project_id"),
        _WAITS,
    )
)
_BACKLOG = Sql(select(func.count().label("count"), func.min(_W.held_at).label("oldest")).where(_WAITS))
_CHANGE = Sql(
    update(waiting_corrections)
    .where(_W.tenant_id == bindparam("of_tenant"), _W.id == bindparam("of_id"))
    .values(
        state=bindparam("new_state"),
        refusal=bindparam("new_refusal"),
        withdrawn_at=bindparam("new_withdrawn_at"),
    )
)
_REMOVE = Sql(
    delete(waiting_corrections).where(_W.tenant_id == bindparam("of_tenant"), _W.id == bindparam("of_id"))
)
_EQUAL: Mapping[str, ColumnElement[bool]] = {
    "run_id": _W.run_id == bindparam("run_id"),
    "made_by_id": _W.made_by_id == bindparam("made_by_id"),
}


_WAITING_FOR_ONE = Sql(
    _MINE.where(_W.run_id == bindparam("run_id"), _WAITS).order_by(_W.held_at, _W.id).with_for_update()
)


@lru_cache(maxsize=16)
def _waiting_for(runs: int) -> Sql:
    """What waits for any of so many runs, in the order in which it was held, and is moved by nobody else meanwhile."""
    chosen = _MINE.where(any_of(_W.run_id, "run", runs), _WAITS)
    return Sql(chosen.order_by(_W.held_at, _W.id).with_for_update())


@lru_cache(maxsize=256)
def page(present: frozenset[str], projects: int, states: int) -> Sql:
    """A page, newest first, in one of so many states; over so many projects, 0 meaning all of them.

    Each state of each project is read by itself, so that an index gives it in the order of the list.
    """
    where = [_W.tenant_id == bindparam("tenant_id"), before(_W.held_at, _W.id)]
    where += [condition for name, condition in _EQUAL.items() if name in present]
    each_state: list[ColumnElement[bool]] = [_W.state == bindparam(f"state_{n}") for n in range(states)]
    each_project: list[ColumnElement[bool]] = [
        _W.project_id == bindparam(f"project_{n}") for n in range(projects)
    ]
    if projects * states > MOST_BRANCHES:
        each_project = [any_of(_W.project_id, "project", projects)]
    pairs = product(each_project or [true()], each_state)
    branches = [_newest(select(_W.held_at, _W.id).where(*where, *pair), _W).subquery() for pair in pairs]
    whole = union_all(*(select(branch) for branch in branches)).subquery()
    newest = _newest(select(whole), whole.c).subquery()
    return Sql(_newest(select(waiting_corrections).where(_W.id.in_(select(newest.c.id))), _W))


def _newest(chosen: Any, of: Any) -> Any:
    return chosen.order_by(of.held_at.desc(), of.id.desc()).limit(bindparam("count"))


def add(tx: Tx, held: WaitingCorrection) -> None:
    """Store a correction that waits from now on."""
    tx.add(
        _ADD,
        id=held.id,
        tenant_id=held.tenant_id,
        project_id=held.project_id,
        run_id=held.run_id,
        request=json.write_text(held.request),
        made_by_kind=held.made_by_kind,
        made_by_id=held.made_by_id,
        held_at=held.held_at,
        state=held.state,
        refusal=None,
        withdrawn_at=None,
    )


def change(tx: Tx, held: WaitingCorrection) -> None:
    """Store where a held correction stands now."""
    tx.add(
        _CHANGE,
        of_tenant=held.tenant_id,
        of_id=held.id,
        new_state=held.state,
        new_refusal=None if held.refusal is None else json.write_text(held.refusal),
        new_withdrawn_at=held.withdrawn_at,
    )


def remove(tx: Tx, held: WaitingCorrection) -> None:
    """Take away one that was recorded: from now on it is a correction."""
    tx.add(_REMOVE, of_tenant=held.tenant_id, of_id=held.id)


def find(at: Snapshot, correction_id: str) -> WaitingCorrection | None:
    """A held correction of the caller's tenant, whatever became of it but a correction."""
    row = at.one(_FIND, tenant_id=at.actor.tenant_id, id=correction_id)
    return record(row) if row else None


def hold(tx: Tx, correction_id: str) -> WaitingCorrection | None:
    """`find`, and nobody else moves it until the end of this transaction."""
    row = tx.one(_HOLD, tenant_id=tx.actor.tenant_id, id=correction_id)
    return record(row) if row else None


def waiting_for(tx: Tx, run_ids: Sequence[str]) -> list[WaitingCorrection]:
    """What waits for any of these runs, in the order in which it was held; nobody else moves it meanwhile."""
    if len(run_ids) == 1:
        rows = tx.all(_WAITING_FOR_ONE, tenant_id=tx.actor.tenant_id, run_id=run_ids[0])
    else:
        count, names = among("run", run_ids)
        rows = tx.all(_waiting_for(count), tenant_id=tx.actor.tenant_id, **names)
    return [record(row) for row in rows]


def count_waiting(tx: Tx, project_id: str, run_id: str) -> int:
    """How many wait for one run of a project."""
    row = tx.one(_COUNT, tenant_id=tx.actor.tenant_id, run_id=run_id, project_id=project_id)
    return 0 if row is None else int(row["count"])


def backlog(at: Snapshot) -> tuple[int, int | None]:
    """How many wait in the whole ledger, and since when the oldest does."""
    row = at.one(_BACKLOG)
    return (0, None) if row is None else (int(row["count"]), row["oldest"])


def told(refusal: Refusal, now: int) -> dict[str, Any]:
    """A refusal as it is kept and shown."""
    details = {"details": refusal.details} if refusal.details else {}
    return {"code": refusal.code, "message": refusal.message, **details, "at": to_wire(now)}


def record(row: Row) -> WaitingCorrection:
    """A row as a record."""
    refusal = None if row["refusal"] is None else json.read_stored(row["refusal"])
    fields: Row = {**row, "request": json.read_stored(row["request"]), "refusal": cast("Any", refusal)}
    return WaitingCorrection(**fields)
