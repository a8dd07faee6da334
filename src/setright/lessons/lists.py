"""The list statement of lessons, built once for each shape of its filters."""

from functools import lru_cache

from sqlalchemy import ColumnElement, bindparam, literal_column, select

from setright.lessons.tables import lessons
from setright.storage import Sql
from setright.storage.lists import any_of, before, narrows

_L = lessons.c
_EQUAL = {
    "agent_key": _L.agent_key,
    "kind": _L.kind,
    "noticed_by": _L.noticed_by,
    "duplicate_of": _L.duplicate_of,
    "from_correction_id": _L.from_correction_id,
}
_ONE_WALK = frozenset({"agent_key", "duplicate_of", "from_correction_id"})


@lru_cache(maxsize=512)
def page(present: frozenset[str], statuses: int, spaces: int | None) -> Sql:
    """A page of lessons, newest first: of so many spaces (None: of all) and statuses (0: all but duplicates)."""
    return Sql(
        select(lessons)
        .where(*_where(present, statuses, spaces, sqlite=True))
        .order_by(_L.created_at.desc(), _L.id.desc())
        .limit(bindparam("count")),
        postgresql=select(lessons)
        .where(*_where(present, statuses, spaces, sqlite=False))
        .order_by(_L.created_at.desc(), _L.id.desc())
        .limit(bindparam("count")),
    )


def _where(
    present: frozenset[str], statuses: int, spaces: int | None, *, sqlite: bool
) -> list[ColumnElement[bool]]:
    where = [_L.tenant_id == bindparam("tenant_id"), before(_L.created_at, _L.id), _L.deleted_at.is_(None)]
    if statuses:
        where.append(any_of(_L.status, "status", statuses))
    else:
        where.append(_L.status != literal_column("'duplicate'"))
    if spaces is not None:
        where.append(any_of(_L.space_key, "space", spaces))
    for name, column in _EQUAL.items():
        if name in present:
            equal = column == bindparam(name)
            where.append(narrows(equal) if sqlite and name in _ONE_WALK else equal)
    return where
