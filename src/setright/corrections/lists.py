"""The list statement of corrections, built once for each shape of filters.

A list over several projects or statuses is read as one branch for each pair, so that every branch walks an
index in the order of the list and stops at the limit, however many corrections there are.
"""

from functools import lru_cache
from itertools import product
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, or_, select, union_all

from setright.corrections.tables import corrections
from setright.storage import Sql

C = corrections.c
MOST_BRANCHES = 64

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


@lru_cache(maxsize=1024)
def list_statement(present: frozenset[str], projects: int, statuses: int) -> Sql:
    """The statement for the filters that are `present`, with binds `project_0…` and `status_0…`.

    `projects` 0 means every project of the tenant, `statuses` 0 every status.
    """
    common = [C.tenant_id == bindparam("tenant_id"), *_common(present)]
    order = (C.created_at.desc(), C.id.desc())
    if max(projects, 1) * max(statuses, 1) > MOST_BRANCHES or "run_id" in present:
        where = [*common, *_any(C.project_id, "project", projects), *_any(C.status, "status", statuses)]
        return Sql(select(corrections).where(*where).order_by(*order).limit(bindparam("limit")))
    branches = [
        select(corrections).where(*common, *pair).order_by(*order).limit(bindparam("limit")).subquery()
        for pair in product(_each(C.project_id, "project", projects), _each(C.status, "status", statuses))
        for pair in [[condition for condition in pair if condition is not None]]
    ]
    if len(branches) == 1:
        branch = branches[0]
        return Sql(select(branch).order_by(branch.c.created_at.desc(), branch.c.id.desc()))
    whole = union_all(*(select(branch) for branch in branches)).subquery()
    newest = (whole.c.created_at.desc(), whole.c.id.desc())
    return Sql(select(whole).order_by(*newest).limit(bindparam("limit")))


def _common(present: frozenset[str]) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [
        column == bindparam(name) for name, column in _EQUAL.items() if name in present
    ]
    if "participant_key" in present:
        conditions.append(C.participant_key != "")
    if "expert" in present:
        conditions.append(C.expert == 1)
    if "not_expert" in present:
        conditions.append(C.expert.is_(None))
    if "since" in present:
        conditions.append(C.created_at >= bindparam("since"))
    if "until" in present:
        conditions.append(C.created_at < bindparam("until"))
    if "after" in present:
        at: ColumnElement[int] = bindparam("after_at")
        same = and_(C.created_at == at, C.id < bindparam("after_id"))
        conditions += [C.created_at <= at, or_(C.created_at < at, same)]
    return conditions


def _each(column: Any, name: str, count: int) -> list[ColumnElement[bool] | None]:
    return [column == bindparam(f"{name}_{index}") for index in range(count)] or [None]


def _any(column: Any, name: str, count: int) -> list[ColumnElement[bool]]:
    return [column.in_([bindparam(f"{name}_{index}") for index in range(count)])] if count else []
