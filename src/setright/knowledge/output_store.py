"""The statements about kept answers and what they cite; every one filters by tenant."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, bindparam, case, exists, false, select, update

from setright.kernel import json
from setright.kernel.paging import Place
from setright.knowledge.model import Citation, Output
from setright.knowledge.tables import annotation_marks, artifacts, output_citations, outputs
from setright.storage import Row, Snapshot, Sql, Tx, insert, insert_many
from setright.storage.lists import before, page_values

_O, _C, _M, _A = outputs.c, output_citations.c, annotation_marks.c, artifacts.c
_CURRENT = _O.superseded_by.is_(None)
_MARKED_SINCE = and_(
    _M.tenant_id == _C.tenant_id, _M.annotation_id == _C.annotation_id, _M.version > _O.version
)
_STALE = exists().where(_C.tenant_id == _O.tenant_id, _C.output_id == _O.id, _MARKED_SINCE)
_WITH_STALE = select(*_O, _STALE.label("stale"))
_ADD = insert(outputs)
_ADD_CITATIONS = insert_many(output_citations)
# Where nothing was said of the artifact since, no mark is looked for.
_STALE_NOW = case((_A.version == _O.version, false()), else_=_STALE)
_FIND_CURRENT = Sql(
    select(*_O, _STALE_NOW.label("stale"))
    .join(artifacts, and_(_A.tenant_id == _O.tenant_id, _A.id == _O.artifact_id))
    .where(
        _O.tenant_id == bindparam("tenant_id"),
        _O.artifact_id == bindparam("artifact_id"),
        _O.focus_key == bindparam("focus_key"),
        _CURRENT,
    )
)
_FIND = Sql(_WITH_STALE.where(_O.tenant_id == bindparam("tenant_id"), _O.id == bindparam("id")))
_SUPERSEDE = Sql(
    update(outputs)
    .where(_O.tenant_id == bindparam("of_tenant"), _O.id == bindparam("of_id"))
    .values(superseded_by=bindparam("by_id"), superseded_at=bindparam("at"))
)
# Begins with the marks, of which there are few, and never goes through all that is kept.
_STALE_IDS = (
    select(_C.output_id)
    .join(annotation_marks, and_(_M.tenant_id == _C.tenant_id, _M.annotation_id == _C.annotation_id))
    .join(outputs, and_(_O.tenant_id == _C.tenant_id, _O.id == _C.output_id))
    .where(_C.tenant_id == bindparam("tenant_id"), _M.tenant_id == bindparam("tenant_id"), _CURRENT)
    .where(_M.version > _O.version)
)
_P = outputs.alias("page").c
_PAGED = (_P.tenant_id == bindparam("tenant_id"), before(_P.generated_at, _P.id))


def _page(*where: Any) -> Sql:
    stale = exists().where(
        _C.tenant_id == _P.tenant_id,
        _C.output_id == _P.id,
        _M.tenant_id == _C.tenant_id,
        _M.annotation_id == _C.annotation_id,
        _M.version > _P.version,
    )
    return Sql(
        select(*(column for column in _P if column.name != "answer"), stale.label("stale"))
        .where(*_PAGED, *where)
        .order_by(_P.generated_at.desc(), _P.id.desc())
        .limit(bindparam("count"))
    )


_PAGES = {
    None: _page(),
    True: _page(_P.superseded_by.is_(None), _P.id.in_(_STALE_IDS)),
    False: _page(_P.superseded_by.is_(None), _P.id.not_in(_STALE_IDS)),
}


def add(tx: Tx, made: Output, citations: Sequence[Citation]) -> None:
    """Keep an answer and what it cites; the one before it is superseded already."""
    tenant = tx.actor.tenant_id
    tx.run(
        _ADD,
        tenant_id=tenant,
        id=made.id,
        artifact_id=made.artifact_id,
        focus_key=made.focus_key,
        focus=made.focus,
        version=made.version,
        answer=json.write_text(made.answer),
        how=made.how,
        generated_at=made.generated_at,
        superseded_by=made.superseded_by,
        superseded_at=made.superseded_at,
        content_expired_at=made.content_expired_at,
    )
    rows = [
        {"tenant_id": tenant, "output_id": made.id, "n": one.n, "annotation_id": one.annotation_id}
        for one in citations
    ]
    if rows:
        tx.run(_ADD_CITATIONS, rows=json.write_text(rows))


def supersede(tx: Tx, output_id: str, by_id: str) -> None:
    """Have a kept answer stand in the history only, from the new one on."""
    tx.run(_SUPERSEDE, of_tenant=tx.actor.tenant_id, of_id=output_id, by_id=by_id, at=tx.now)


def current(at: Snapshot, artifact_id: str, focus_key: str) -> Output | None:
    """The kept answer about an artifact and a focus, and whether it is stale."""
    row = at.one(_FIND_CURRENT, tenant_id=at.actor.tenant_id, artifact_id=artifact_id, focus_key=focus_key)
    return None if row is None else output_in(row)


def find(at: Snapshot, output_id: str) -> Output | None:
    """A kept answer of the caller's tenant."""
    row = at.one(_FIND, tenant_id=at.actor.tenant_id, id=output_id)
    return None if row is None else output_in(row)


def page(at: Snapshot, stale: bool | None, after: Place | None, limit: int) -> list[Row]:
    """The rows of a page of kept answers, newest first: current ones that are stale or are not, or all with history."""
    return at.all(_PAGES[stale], tenant_id=at.actor.tenant_id, **page_values(after, limit))


def place_of(row: Row) -> Place:
    """Where a kept answer stands in a list."""
    return Place(row["generated_at"], row["id"])


def output_in(row: Row) -> Output:
    """A row as a record; in a list it comes without what it says."""
    answer = row.get("answer")
    return Output(
        id=row["id"],
        artifact_id=row["artifact_id"],
        focus_key=row["focus_key"],
        focus=row["focus"],
        version=row["version"],
        answer=None if answer is None else json.read_stored(answer),
        how=row["how"],
        generated_at=row["generated_at"],
        superseded_by=row["superseded_by"],
        superseded_at=row["superseded_at"],
        stale=bool(row["stale"]) and row["superseded_by"] is None,
        content_expired_at=row["content_expired_at"],
    )
