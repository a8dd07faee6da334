"""Finished runs in the order in which they finished, read a stretch at a time and never twice from the beginning."""

from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import BigInteger, and_, bindparam, or_, select, tuple_

from setright.kernel.paging import Place
from setright.runs.tables import runs
from setright.storage import Snapshot, Sql

_R = runs.c
_AFTER = tuple_(_R.finished_at, _R.id) > tuple_(bindparam("after", type_=BigInteger()), bindparam("after_id"))
_UNTIL = tuple_(_R.finished_at, _R.id) <= tuple_(
    bindparam("until", type_=BigInteger()), bindparam("until_id")
)
_OF_PROJECT = and_(
    _R.tenant_id == bindparam("tenant_id"),
    _R.project_id == bindparam("project_id"),
    _R.finished_at.is_not(None),
    _AFTER,
)
_HAS_CONTENT = and_(
    _R.content_erased_at.is_(None), or_(_R.content_expired_at.is_(None), _R.copy_kept_at.is_not(None))
)
_FIND = select(_R.finished_at, _R.id)
_NTH = Sql(_FIND.where(_OF_PROJECT).order_by(_R.finished_at, _R.id).limit(1).offset(bindparam("passed")))
_LAST = Sql(_FIND.where(_OF_PROJECT).order_by(_R.finished_at.desc(), _R.id.desc()).limit(1))
_NARROWED = {
    "subject_kind": _R.subject_kind == bindparam("subject_kind"),
    "subject_key": _R.subject_key == bindparam("subject_key"),
    "subject_version": _R.subject_version == bindparam("subject_version"),
    "status": _R.status == bindparam("status"),
}


@dataclass(frozen=True, slots=True)
class FinishedRuns:
    """Which finished runs are meant; None is any. `subject_key` is the form in which subjects' ids are compared."""

    project_id: str
    subject_kind: str | None = None
    subject_key: str | None = None
    subject_version: str | None = None
    status: str | None = None


@lru_cache(maxsize=32)
def _statement(present: frozenset[str]) -> Sql:
    narrowed = [condition for name, condition in _NARROWED.items() if name in present]
    return Sql(
        _FIND.where(_OF_PROJECT, _UNTIL, _HAS_CONTENT, *narrowed)
        .order_by(_R.finished_at, _R.id)
        .limit(bindparam("count"))
    )


def end_of_stretch(at: Snapshot, project_id: str, after: Place, length: int) -> tuple[Place, bool] | None:
    """The place `length` finished runs of a project after another one, and whether more finished after it.

    Where fewer did, it is the place of the last; None where none did. Whose rights are not checked.
    """
    values = {"tenant_id": at.actor.tenant_id, "project_id": project_id}
    here = {"after": after.moment, "after_id": after.id}
    row, more = at.one(_NTH, **values, **here, passed=length - 1), True
    if row is None:
        row, more = at.one(_LAST, **values, **here), False
    return None if row is None else (Place(row["finished_at"], row["id"]), more)


def finished_runs(at: Snapshot, wanted: FinishedRuns, after: Place, until: Place, count: int) -> list[Place]:
    """Where the first `count` of the wanted runs between two places stand whose content can still be judged."""
    found = {name: getattr(wanted, name) for name in _NARROWED}
    present = {name: value for name, value in found.items() if value is not None}
    rows = at.all(
        _statement(frozenset(present)),
        tenant_id=at.actor.tenant_id,
        project_id=wanted.project_id,
        after=after.moment,
        after_id=after.id,
        until=until.moment,
        until_id=until.id,
        count=count,
        **present,
    )
    return [Place(row["finished_at"], row["id"]) for row in rows]
