"""What must be true of the rows of knowledge beyond what foreign keys hold: layers fit, versions and numbers are not passed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Table,
    Text,
    and_,
    bindparam,
    cast,
    column,
    exists,
    func,
    literal_column,
    or_,
    select,
    table,
)

from setright.identity import numbers_given
from setright.knowledge.artifact_model import CORRECTION_SOURCE
from setright.knowledge.tables import (
    annotation_contests,
    annotation_decisions,
    annotation_marks,
    annotation_runs,
    annotations,
    artifact_lines,
    artifact_tokens,
    artifacts,
    interaction_feedback,
    interactions,
    outputs,
    search_entries,
)
from setright.storage import RowFault, Seen, Snapshot, Sql

MOST = 100
_A, _L, _T, _N, _R = (
    artifacts.c,
    artifact_lines.c,
    artifact_tokens.c,
    annotations.c,
    annotation_runs.c,
)
_C, _M, _D, _O, _S = (
    annotation_contests.c,
    annotation_marks.c,
    annotation_decisions.c,
    outputs.c,
    search_entries.c,
)
_OVER, _UNDER = annotations.alias("over").c, annotations.alias("under").c
_WORDS = table("search_words_docsize", column("id"))
"""What SQLite's full-text search keeps of each row."""
_DOT: ColumnElement[str] = literal_column("'.'")


def _wrong(of: Table, *conditions: ColumnElement[bool]) -> Sql:
    """The keys of rows of a table that meet conditions."""
    keys = [key for key in of.primary_key.columns if key.name != "tenant_id"]
    mine = of.c.tenant_id == bindparam("tenant_id")
    return Sql(select(*keys).where(mine, *conditions).limit(MOST))


def _no(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return ~exists().where(*conditions)


def _marked(annotation: ColumnElement[str], cause: str) -> tuple[ColumnElement[bool], ...]:
    return (
        _M.tenant_id == bindparam("tenant_id"),
        _M.annotation_id == annotation,
        _M.cause == literal_column(f"'{cause}'"),
    )


_BOTH = and_(
    _OVER.tenant_id == _C.tenant_id,
    _OVER.id == _C.annotation_id,
    _UNDER.tenant_id == _C.tenant_id,
    _UNDER.id == _C.contests,
)
_ITS_ARTIFACT = and_(_A.tenant_id == _N.tenant_id, _A.id == _N.artifact_id)
_OF_MARK = and_(_N.tenant_id == _M.tenant_id, _N.id == _M.annotation_id)
_OF_DECISION = and_(_N.tenant_id == _D.tenant_id, _N.id == _D.annotation_id)
_OF_OUTPUT = and_(_A.tenant_id == _O.tenant_id, _A.id == _O.artifact_id)
_OF_TOKEN = and_(_L.tenant_id == _T.tenant_id, _L.artifact_id == _T.artifact_id, _L.line == _T.line)
_RUN_OF_OVER = and_(_R.tenant_id == _OVER.tenant_id, _R.number == _OVER.run)
WRONG: Sequence[tuple[Table, str, Sql]] = tuple(
    (of, says, _wrong(of, *conditions))
    for of, says, conditions in (
        (
            annotation_contests,
            "it contests what is said of something else",
            (
                exists().where(
                    _BOTH,
                    or_(
                        *(_OVER[name] != _UNDER[name] for name in ("artifact_id", "target", "field")),
                        _C.artifact_id != _OVER.artifact_id,
                    ),
                ),
            ),
        ),
        (
            annotation_contests,
            "it contests itself, or comes from no correction",
            (
                or_(
                    _C.annotation_id == _C.contests,
                    _no(
                        _BOTH,
                        _RUN_OF_OVER,
                        _R.source_name == literal_column(f"'{CORRECTION_SOURCE}'"),
                    ),
                ),
            ),
        ),
        (
            annotation_contests,
            "what it contests is not marked as contested, so that answers that cite it stay",
            (_no(*_marked(_C.contests, "correction")),),
        ),
        (
            annotation_decisions,
            "it is of another artifact than its annotation",
            (exists().where(_OF_DECISION, _N.artifact_id != _D.artifact_id),),
        ),
        (
            annotation_decisions,
            "its annotation is not marked as decided on, so that answers that cite it stay",
            (_no(*_marked(_D.annotation_id, "decision")),),
        ),
        (
            annotation_marks,
            "it is of a version that its artifact has not come to",
            (exists().where(_OF_MARK, _ITS_ARTIFACT, _M.version > _A.version),),
        ),
        (
            outputs,
            "it is of a version that its artifact has not come to",
            (exists().where(_OF_OUTPUT, _O.version > _A.version),),
        ),
        (
            artifact_lines,
            "its target is not that of its surface and label",
            (
                or_(
                    _L.label.is_(None) != _L.target.is_(None),
                    func.substr(_L.target, 1, func.length(_L.surface) + 1) != _L.surface + _DOT,
                ),
            ),
        ),
        (
            artifact_tokens,
            "its target is not that of its line and position",
            (
                _no(
                    _OF_TOKEN,
                    _L.target + _DOT + cast(_T.position, Text()) == _T.target,
                ),
            ),
        ),
        (
            artifact_lines,
            "no search finds it",
            (_no(_S.tenant_id == _L.tenant_id, _S.artifact_id == _L.artifact_id, _S.line == _L.line),),
        ),
        (
            artifacts,
            "no search finds it",
            (
                _no(
                    _S.tenant_id == _A.tenant_id,
                    _S.artifact_id == _A.id,
                    _S.line == literal_column("-1"),
                ),
            ),
        ),
    )
)
UNFOUND = _wrong(search_entries, _no(_WORDS.c.id == _S.number))
"""On SQLite: entries whose words are not in the full-text index."""
COUNT = Sql(select(func.count().label("count")).where(_N.tenant_id == bindparam("tenant_id")))


def _highest(of: Table) -> Sql:
    mine = of.c.tenant_id == bindparam("tenant_id")
    return Sql(select(func.max(of.c.number).label("number")).where(mine))


NUMBERED: Mapping[str, tuple[Table, Sql]] = {
    kind: (of, _highest(of))
    for kind, of in (
        ("annotation-run", annotation_runs),
        ("interaction", interactions),
        ("feedback", interaction_feedback),
    )
}


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Rows of the tenant's texts, layers and answers that contradict each other."""
    tenant = {"tenant_id": at.actor.tenant_id}
    row = at.one(COUNT, **tenant)
    seen(row["count"] if row else 0)
    for of, says, wrong in WRONG:
        yield from (RowFault(of.name, _name(one), says) for one in at.all(wrong, **tenant))
    if at.engine == "sqlite":
        for one in at.all(UNFOUND, **tenant):
            yield RowFault("search_entries", _name(one), "its words are not in the full-text index")
    given = numbers_given(at)
    for kind, (of, highest) in NUMBERED.items():
        found = at.one(highest, **tenant)
        number = 0 if found is None or found["number"] is None else int(found["number"])
        if number > given.get(kind, 0):
            says = f"its number was not given yet: the last one of its kind is {given.get(kind, 0)}"
            yield RowFault(of.name, str(number), says)


def _name(row: dict[str, Any]) -> str:
    return "/".join(str(value) for value in row.values())
