"""The statements about test runs and their cases; every one filters by tenant."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, select, update

from setright.kernel import json
from setright.kernel.paging import Place
from setright.proof.model import TestRun
from setright.proof.tables import test_cases, test_runs
from setright.storage import Row, Snapshot, Sql, Tx, insert
from setright.storage.lists import among, any_of, before
from setright.subjects import SubjectRef

_T, _C = test_runs.c, test_cases.c
_THIS = and_(_T.tenant_id == bindparam("of_tenant"), _T.id == bindparam("of_id"))
_ITS_CASES = and_(_C.tenant_id == bindparam("tenant_id"), _C.test_run_id == bindparam("test_run_id"))
_MOVING = (
    "status",
    "next_place",
    "case_count",
    "done_count",
    "erased_count",
    "correction_count",
    "right_count",
    "wrong_count",
    "not_evaluated_count",
    "updated_at",
    "ended_at",
)

_ADD = insert(test_runs)
_FIND = Sql(select(test_runs).where(_THIS))
_HOLD = Sql(select(test_runs).where(_THIS).with_for_update(key_share=True))
_MOVE = Sql(update(test_runs).where(_THIS).values({name: bindparam(f"new_{name}") for name in _MOVING}))
ADD_CASE = insert(test_cases)


_NARROWED: dict[str, ColumnElement[bool]] = {
    "subject_kind": _T.subject_kind == bindparam("subject_kind"),
    "subject_key": _T.subject_key == bindparam("subject_key"),
    "subject_version": _T.subject_version == bindparam("subject_version"),
    "status": _T.status == bindparam("status"),
}


@lru_cache(maxsize=256)
def page(present: frozenset[str], projects: int | None) -> Sql:
    """A page of test runs, newest first, of so many projects (`project_0` and on); None: of all."""
    where = [condition for name, condition in _NARROWED.items() if name in present]
    if projects is not None:
        where.append(any_of(_T.project_id, "project", projects))
    return Sql(
        select(test_runs)
        .where(_T.tenant_id == bindparam("tenant_id"), *where, before(_T.created_at, _T.id))
        .order_by(_T.created_at.desc(), _T.id.desc())
        .limit(bindparam("count"))
    )


@lru_cache(maxsize=16)
def _cased(count: int) -> Sql:
    return Sql(select(_C.run_id).where(_ITS_CASES, any_of(_C.run_id, "run", count), _C.repetition == 1))


def add(tx: Tx, made: TestRun) -> None:
    """Store a new test run."""
    moving = {name: getattr(made, name) for name in _MOVING}
    tx.add(
        _ADD,
        tenant_id=made.tenant_id,
        id=made.id,
        project_id=made.project_id,
        subject_kind=made.subject.kind,
        subject_key=made.subject.key,
        subject_id=made.subject.id,
        subject_version=made.subject.version,
        filter=json.write_text(made.filter),
        repeat=made.repeat,
        made_by_kind=made.made_by_kind,
        made_by_id=made.made_by_id,
        created_at=made.created_at,
        **{**moving, "next_place": _text(made.next_place)},
    )


def find(at: Snapshot, test_run_id: str) -> TestRun | None:
    """A test run of the caller's tenant."""
    row = at.one(_FIND, of_tenant=at.actor.tenant_id, of_id=test_run_id)
    return record(row) if row else None


def hold(tx: Tx, test_run_id: str) -> TestRun | None:
    """A test run of the caller's tenant, which nobody else changes until the end of this transaction."""
    row = tx.one(_HOLD, of_tenant=tx.actor.tenant_id, of_id=test_run_id)
    if row is None:
        return None
    tx.happens_after(row["updated_at"])
    return record(row)


def move(tx: Tx, now: TestRun) -> None:
    """Store how a test run stands now."""
    values = {f"new_{name}": getattr(now, name) for name in _MOVING}
    values["new_next_place"] = _text(now.next_place)
    tx.add(_MOVE, of_tenant=now.tenant_id, of_id=now.id, **values)


def runs_that_are_cases(at: Snapshot, test_run_id: str, run_ids: Sequence[str]) -> set[str]:
    """Those of these runs that are cases of the test run already."""
    if not run_ids:
        return set()
    count, names = among("run", run_ids)
    rows = at.all(_cased(count), tenant_id=at.actor.tenant_id, test_run_id=test_run_id, **names)
    return {row["run_id"] for row in rows}


def record(row: Row) -> TestRun:
    """A row as a record."""
    whole = {name: row[name] for name in row if not name.startswith("subject_")}
    whole["filter"] = json.read_stored(row["filter"])
    whole["next_place"] = None if row["next_place"] is None else json.read_stored(row["next_place"])
    subject = SubjectRef(row["subject_kind"], row["subject_key"], row["subject_id"], row["subject_version"])
    return TestRun(subject=subject, **whole)


def place_of(row: Row) -> Place:
    """Where a test run stands in a list."""
    return Place(row["created_at"], row["id"])


def _text(value: Any) -> str | None:
    return None if value is None else json.write_text(value)
