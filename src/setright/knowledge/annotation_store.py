"""The statements about annotation runs, annotations and the layers over them; every one filters by tenant."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, func, literal_column, select

from setright.kernel import json
from setright.kernel.paging import Place
from setright.knowledge.model import (
    Annotation,
    AnnotationRun,
    Cause,
    Decision,
    Layered,
    Principal,
    RunFilters,
)
from setright.knowledge.tables import (
    annotation_contests,
    annotation_decisions,
    annotation_marks,
    annotation_runs,
    annotations,
)
from setright.storage import Row, Snapshot, Sql, Tx, insert, insert_many, insert_or_ignore
from setright.storage.lists import among, any_of

_N, _R, _C, _M, _D = (
    annotations.c,
    annotation_runs.c,
    annotation_contests.c,
    annotation_marks.c,
    annotation_decisions.c,
)
_NEWEST_RUN = 2**62
_MINE = _N.tenant_id == bindparam("tenant_id")
_OF_ARTIFACT = and_(_MINE, _N.artifact_id == bindparam("artifact_id"))
_ADD_RUN = insert(annotation_runs)
_RUN = Sql(
    select(annotation_runs).where(_R.tenant_id == bindparam("tenant_id"), _R.number == bindparam("number"))
)
_LAST_RUN = Sql(select(func.max(_R.number).label("last")).where(_R.tenant_id == bindparam("tenant_id")))
_ADD = insert_many(annotations)
_ADD_CONTESTS = insert_many(annotation_contests)
_MARK = insert_or_ignore(annotation_marks)
_ADD_MARKS = insert_many(annotation_marks)
_DECIDE = insert(annotation_decisions)
# A correction of an answer about several texts is of none of them, and yet stands in the history of each.
_OF_ITS_ARTIFACT = select(_R.number).where(
    _R.tenant_id == bindparam("tenant_id"), _R.artifact_id == bindparam("artifact_id")
)
_OVER_ITS_READINGS = (
    select(_N.run)
    .join(annotation_contests, and_(_C.tenant_id == _N.tenant_id, _C.annotation_id == _N.id))
    .where(_C.tenant_id == bindparam("tenant_id"), _C.artifact_id == bindparam("artifact_id"))
)
_NARROWED = {
    "scholar": _R.scholar == bindparam("scholar"),
    "source_name": _R.source_name == bindparam("source_name"),
    "source_type": _R.source_type == bindparam("source_type"),
    "method": _R.method == bindparam("method"),
    "artifact_id": _R.number.in_(_OF_ITS_ARTIFACT.union(_OVER_ITS_READINGS)),
}


@lru_cache(maxsize=32)
def _page_of_runs(given: frozenset[str]) -> Sql:
    return Sql(
        select(annotation_runs)
        .where(
            _R.tenant_id == bindparam("tenant_id"),
            *(condition for name, condition in _NARROWED.items() if name in given),
            _R.number < bindparam("before_number", type_=BigInteger()),
        )
        .order_by(_R.number.desc())
        .limit(bindparam("count"))
    )


_ORDER = (_N.created_at, _N.id)
By = Literal["artifact", "target", "own", "id"]
"""Which annotations: those of an artifact, of some of its targets, of some artifacts as a whole, or some by id."""


def _chosen(by: By, count: int) -> ColumnElement[bool]:
    if by == "id":
        return and_(_MINE, any_of(_N.id, "chosen", count))
    if by == "own":
        return and_(_MINE, any_of(_N.artifact_id, "chosen", count), _N.target == literal_column("''"))
    if by == "target":
        return and_(_OF_ARTIFACT, any_of(_N.target, "chosen", count))
    return _OF_ARTIFACT


@lru_cache(maxsize=64)
def _annotations(by: By, count: int) -> Sql:
    return Sql(select(annotations).where(_chosen(by, count)).order_by(*_ORDER))


def _where(table: Any, column: Any, by: By, count: int) -> ColumnElement[bool]:
    """Rows about annotations: by their ids, or by their artifacts, of which some may be of other annotations."""
    mine = table.c.tenant_id == bindparam("tenant_id")
    if by == "id":
        return and_(mine, any_of(column, "chosen", count))
    if by == "own":
        return and_(mine, any_of(table.c.artifact_id, "chosen", count))
    return and_(mine, table.c.artifact_id == bindparam("artifact_id"))


@lru_cache(maxsize=64)
def _decisions(by: By, count: int) -> Sql:
    where = _where(annotation_decisions, _D.annotation_id, by, count)
    return Sql(select(annotation_decisions).where(where).order_by(_D.created_at, _D.id))


@lru_cache(maxsize=64)
def _contests(by: By, count: int) -> Sql:
    """What annotations contest, and what contests them."""
    over = select(_C.annotation_id, _C.contests).where(
        _where(annotation_contests, _C.annotation_id, by, count)
    )
    if by != "id":
        return Sql(over)
    under = select(_C.annotation_id, _C.contests).where(_where(annotation_contests, _C.contests, by, count))
    return Sql(over.union(under))


@lru_cache(maxsize=16)
def _runs(count: int) -> Sql:
    numbers = [bindparam(f"number_{place}", type_=BigInteger()) for place in range(count)]
    return Sql(select(annotation_runs).where(_R.tenant_id == bindparam("tenant_id"), _R.number.in_(numbers)))


def add_run(tx: Tx, run: AnnotationRun) -> None:
    """Store a new annotation run."""
    tx.add(
        _ADD_RUN,
        tenant_id=tx.actor.tenant_id,
        number=run.number,
        source_type=run.source_type,
        source_name=run.source_name,
        method=run.method,
        scholar=run.scholar,
        publication=run.publication,
        evidence=run.evidence,
        artifact_id=run.artifact_id,
        interaction=run.interaction,
        created_by_kind=run.created_by.kind,
        created_by_id=run.created_by.id,
        created_at=run.created_at,
    )


def add(tx: Tx, made: Sequence[Annotation]) -> None:
    """Store new annotations, and what they contest; their run is there."""
    tenant = tx.actor.tenant_id
    rows = [
        {
            "tenant_id": tenant,
            "id": one.id,
            "artifact_id": one.artifact_id,
            "target": one.target,
            "field": one.field,
            "value": one.value,
            "confidence": None if one.confidence is None else json.write_text(one.confidence),
            "extent": one.extent,
            "run": one.run,
            "created_at": one.created_at,
        }
        for one in made
    ]
    contests = [
        {
            "tenant_id": tenant,
            "annotation_id": one.id,
            "contests": contested,
            "artifact_id": one.artifact_id,
        }
        for one in made
        for contested in one.contests
    ]
    _add_many(tx, _ADD, rows)
    _add_many(tx, _ADD_CONTESTS, contests)


def mark(tx: Tx, annotation_ids: Iterable[str], version: int, cause: Cause) -> None:
    """Note that annotations were contested or decided on at a version of their artifact, whose row is held."""
    tenant = tx.actor.tenant_id
    rows = [
        {"tenant_id": tenant, "annotation_id": one, "version": version, "cause": cause}
        for one in sorted(set(annotation_ids))
    ]
    if len(rows) == 1:
        tx.run(_MARK, **rows[0])
    else:
        _add_many(tx, _ADD_MARKS, rows)


def decide(tx: Tx, made: Decision) -> None:
    """Store a decision on an annotation."""
    tx.add(
        _DECIDE,
        tenant_id=tx.actor.tenant_id,
        id=made.id,
        annotation_id=made.annotation_id,
        artifact_id=made.artifact_id,
        verdict=made.verdict,
        reason=made.reason,
        scholar=made.scholar,
        by_kind=made.by.kind,
        by_id=made.by.id,
        created_at=made.created_at,
    )


def _add_many(tx: Tx, statement: Sql, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        tx.run(statement, rows=json.write_text(rows))


def find_run(at: Snapshot, number: int) -> AnnotationRun | None:
    """An annotation run of the caller's tenant."""
    row = at.one(_RUN, tenant_id=at.actor.tenant_id, number=number)
    return None if row is None else run_in(row)


def last_run(at: Snapshot) -> int:
    """The number of the tenant's newest annotation run, 0 before the first."""
    row = at.one(_LAST_RUN, tenant_id=at.actor.tenant_id)
    return 0 if row is None or row["last"] is None else int(row["last"])


def page_of_runs(at: Snapshot, filters: RunFilters, after: Place | None, limit: int) -> list[Row]:
    """The rows of a page of annotation runs, newest first, with one more than the limit."""
    given = {name: value for name in _NARROWED if (value := getattr(filters, name)) is not None}
    return at.all(
        _page_of_runs(frozenset(given)),
        tenant_id=at.actor.tenant_id,
        before_number=_NEWEST_RUN if after is None else after.moment,
        count=limit + 1,
        **given,
    )


def place_of_run(row: Row) -> Place:
    """Where an annotation run stands in a list, which is in the order of its numbers."""
    return Place(row["number"], "")


def of_artifact(at: Snapshot, artifact_id: str, targets: Sequence[str] | None = None) -> list[Layered]:
    """The annotations of an artifact, or of some of its targets, with their layers; the oldest first."""
    if targets is None:
        return _layers(at, "artifact", 0, {"artifact_id": artifact_id})
    if not targets:
        return []
    count, chosen = among("chosen", targets)
    return _layers(at, "target", count, {"artifact_id": artifact_id, **chosen})


def by_ids(at: Snapshot, annotation_ids: Sequence[str]) -> dict[str, Layered]:
    """Annotations of the caller's tenant with their layers, by id."""
    if not annotation_ids:
        return {}
    count, chosen = among("chosen", annotation_ids)
    return {one.annotation.id: one for one in _layers(at, "id", count, chosen)}


def plainly(at: Snapshot, artifact_id: str) -> list[Row]:
    """The annotations of an artifact as rows, without their layers."""
    return at.all(_annotations("artifact", 0), tenant_id=at.actor.tenant_id, artifact_id=artifact_id)


def runs(at: Snapshot, numbers: Iterable[int]) -> dict[int, AnnotationRun]:
    """Annotation runs by number."""
    wanted = sorted(set(numbers))
    if not wanted:
        return {}
    count = 1 << max(len(wanted) - 1, 0).bit_length()
    filled = [*wanted, *[wanted[-1]] * (count - len(wanted))]
    values = {f"number_{place}": number for place, number in enumerate(filled)}
    rows = at.all(_runs(count), tenant_id=at.actor.tenant_id, **values)
    return {row["number"]: run_in(row) for row in rows}


def own_of(at: Snapshot, artifact_ids: Sequence[str]) -> dict[str, list[Layered]]:
    """What is said of each of some artifacts as a whole, with its layers."""
    found: dict[str, list[Layered]] = {artifact_id: [] for artifact_id in artifact_ids}
    if found:
        count, chosen = among("chosen", list(found))
        for one in _layers(at, "own", count, chosen):
            found[one.annotation.artifact_id].append(one)
    return found


def _layers(at: Snapshot, by: By, count: int, values: Mapping[str, str]) -> list[Layered]:
    given = {"tenant_id": at.actor.tenant_id, **values}
    rows = at.all(_annotations(by, count), **given)
    if not rows:
        return []
    known = {row["id"]: row for row in rows}
    own = {name: given[name] for name in given if by != "target" or not name.startswith("chosen")}
    pairs = [(row["annotation_id"], row["contests"]) for row in at.all(_contests(by, count), **own)]
    pairs = [pair for pair in pairs if known.keys() & set(pair)]
    decisions: dict[str, list[Decision]] = {}
    for row in at.all(_decisions(by, count), **own):
        decisions.setdefault(row["annotation_id"], []).append(decision_in(row))
    known |= _missing(at, [over for over, _ in pairs if over not in known])
    contests: dict[str, list[str]] = {}
    for over, under in sorted(pairs):
        contests.setdefault(over, []).append(under)
    made = {name: annotation_in(row, contests.get(name, ())) for name, row in known.items()}
    over_it: dict[str, list[Annotation]] = {}
    for over, under in pairs:
        over_it.setdefault(under, []).append(made[over])
    by_number = runs(at, [row["run"] for row in rows])
    return [
        Layered(
            made[row["id"]],
            by_number[row["run"]],
            sorted(over_it.get(row["id"], ()), key=lambda one: (one.created_at, one.id)),
            decisions.get(row["id"], ()),
        )
        for row in rows
    ]


def _missing(at: Snapshot, annotation_ids: Sequence[str]) -> dict[str, Row]:
    """Annotations that contest some that were chosen, and were not chosen themselves."""
    if not annotation_ids:
        return {}
    count, chosen = among("chosen", annotation_ids)
    rows = at.all(_annotations("id", count), tenant_id=at.actor.tenant_id, **chosen)
    return {row["id"]: row for row in rows}


def annotation_in(row: Row, contests: Sequence[str]) -> Annotation:
    """A row as a record."""
    return Annotation(
        row["id"],
        row["artifact_id"],
        row["target"],
        row["field"],
        row["value"],
        None if row["confidence"] is None else json.read_stored(row["confidence"]),
        row["extent"],
        row["run"],
        contests,
        row["created_at"],
    )


def run_in(row: Row) -> AnnotationRun:
    """A row as a record."""
    return AnnotationRun(
        row["number"],
        row["source_type"],
        row["source_name"],
        row["method"],
        row["scholar"],
        row["publication"],
        row["evidence"],
        row["artifact_id"],
        row["interaction"],
        Principal(row["created_by_kind"], row["created_by_id"]),
        row["created_at"],
    )


def decision_in(row: Row) -> Decision:
    """A row as a record."""
    return Decision(
        row["id"],
        row["annotation_id"],
        row["artifact_id"],
        row["verdict"],
        row["reason"],
        row["scholar"],
        Principal(row["by_kind"], row["by_id"]),
        row["created_at"],
    )
