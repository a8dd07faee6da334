"""The list statement of corrections, built once for each shape of filters."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, literal_column, or_, select, union_all

from setright.corrections.tables import corrections
from setright.storage import Sql
from setright.storage.lists import any_of, before, narrows

C = corrections.c
MOST_BRANCHES = 64
Few = Callable[[ColumnElement[bool]], ColumnElement[bool]]

_EQUAL = {
    "run_id": C.run_id,
    "subject_kind": C.subject_kind,
    "subject_key": C.subject_key,
    "subject_version": C.subject_version,
    "sorted_to": C.sorted_to,
    "decisions": C.decisions,
    "answer": C.answer,
    "corrector_group_id": C.corrector_group_id,
    "participant_key": C.participant_key,
    "made_by_id": C.made_by_id,
    "place": C.place,
}
_ONE_WALK = frozenset({"run_id", "subject_key", "participant_key", "made_by_id", "corrector_group_id"})


@lru_cache(maxsize=1024)
def list_statement(present: frozenset[str], projects: int, statuses: int, admin_of: int | None = None) -> Sql:
    """The statement for the filters that are `present`, with binds `project_0…` and `status_0…`; 0 of them means any.

    Several projects or statuses are read as one branch for each pair, so that every branch walks an index in the
    order of the list and stops at the limit, however many corrections there are. Where a narrower index serves
    (one run, one agent, one maker), there is one walk on it. What is blind is there where the caller made it
    (`my_kind`, `my_id`), and in the `admin_of` projects `admin_0` and on; None: in every project.
    """
    seen = [] if admin_of is None else [_seen(admin_of)]
    return Sql(
        _statement(present, projects, statuses, narrows, seen),
        postgresql=_statement(present, projects, statuses, lambda condition: condition, seen),
    )


def _seen(admin_of: int) -> ColumnElement[bool]:
    mine = and_(C.made_by_kind == bindparam("my_kind"), C.made_by_id == bindparam("my_id"))
    return or_(C.blind.is_(None), mine, any_of(C.project_id, "admin", admin_of))


def _statement(
    present: frozenset[str], projects: int, statuses: int, few: Few, seen: Sequence[ColumnElement[bool]]
) -> Select[Any]:
    where = [C.tenant_id == bindparam("tenant_id"), before(C.created_at, C.id), *_common(present, few), *seen]
    if present & _ONE_WALK or max(projects, 1) * max(statuses, 1) > MOST_BRANCHES:
        wanted = [*_any(C.project_id, "project", projects), *_any(C.status, "status", statuses)]
        return _newest(*where, *wanted)
    pairs = product(_each(C.project_id, "project", projects), _each(C.status, "status", statuses))
    branches = [[*where, *map(few, [*project, *status])] for project, status in pairs]
    return _newest(*branches[0]) if len(branches) == 1 else _merged(branches)


def _newest(*where: ColumnElement[bool]) -> Select[Any]:
    return _first(select(corrections).where(*where), C)


def _merged(branches: Sequence[Sequence[ColumnElement[bool]]]) -> Select[Any]:
    """The newest of all branches. Only ids are merged: a whole row would be handed on from branch to branch."""
    places = [_first(select(C.created_at, C.id).where(*branch), C).subquery() for branch in branches]
    whole = union_all(*(select(place) for place in places)).subquery()
    newest = _first(select(whole.c.id, whole.c.created_at), whole.c).subquery()
    return _first(select(corrections).where(C.id.in_(select(newest.c.id))), C)


def _first(found: Any, of: Any) -> Select[Any]:
    return found.order_by(of.created_at.desc(), of.id.desc()).limit(bindparam("count"))


def _common(present: frozenset[str], few: Few) -> list[ColumnElement[bool]]:
    equal = {name: column == bindparam(name) for name, column in _EQUAL.items() if name in present}
    conditions = [few(condition) if name in _ONE_WALK else condition for name, condition in equal.items()]
    conditions += [
        condition
        for name, condition in (
            ("participant_key", C.participant_key != literal_column("''")),
            ("corrector_group_id", C.corrector_group_id.is_not(None)),
            ("expert", C.expert == 1),
            ("not_expert", C.expert.is_(None)),
            ("since", C.created_at >= bindparam("since")),
            ("until", C.created_at < bindparam("until")),
        )
        if name in present
    ]
    return conditions


def _each(column: ColumnElement[Any], name: str, count: int) -> list[list[ColumnElement[bool]]]:
    return [[column == bindparam(f"{name}_{number}")] for number in range(count)] or [[]]


def _any(column: ColumnElement[Any], name: str, count: int) -> list[ColumnElement[bool]]:
    return [any_of(column, name, count)] if count else []
