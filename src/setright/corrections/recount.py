"""The kept counts made anew from the corrections themselves: what they are checked by, and put right with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal_column,
    select,
    union,
    union_all,
)
from sqlalchemy.dialects.postgresql import JSONB

from setright.corrections.recount_raters import figures_of, in_project, pairs_of, so_many, units_of
from setright.corrections.tables import (
    agreement_counts,
    agreement_pairs,
    agreement_units,
    correction_counts,
    corrections,
)
from setright.storage import EngineName, Row, Snapshot, Sql, Tx

_C = corrections.c
_HAS_ITEMS = _C.said.like(literal_column("""'%"items":%'"""))


@dataclass(frozen=True, slots=True)
class _Kept:
    """A table of kept counts, which is checked and made anew a tenant or a project at a time.

    `differs` gives the rows that only one side has: `side` is 1 for what is kept, and -1 for what should be.
    """

    table: Table
    by_project: bool
    differs: Sql
    empty: Sql
    fill: Sql


@dataclass(frozen=True, slots=True)
class CountFault:
    """A row of kept counts that is not what the corrections say; None where one of the two has no such row."""

    table: str
    key: Mapping[str, str | int]
    kept: Mapping[str, int] | None
    counted: Mapping[str, int] | None


def count_faults(at: Snapshot, most: int = 100) -> list[CountFault]:
    """Up to so many rows of kept counts, of every tenant, that differ from a count of the corrections."""
    found: list[CountFault] = []
    for kept, place in _places(at):
        if len(found) < most:
            rows = at.all(kept.differs, **place, count=2 * most)
            found += _faults(kept, rows)[: most - len(found)]
    return found


def recount(tx: Tx) -> None:
    """Write every kept count of every tenant anew; nothing may be recorded meanwhile."""
    places = _places(tx)
    for kept in KEPT:
        tx.run(kept.empty)
    for kept, place in places:
        tx.run(kept.fill, **place)


def _places(at: Snapshot) -> list[tuple[_Kept, dict[str, str]]]:
    """Every table with every tenant or project that it is looked at by: what is done at once stays small."""
    projects = [(row["tenant_id"], row["project_id"]) for row in at.all(_PROJECTS)]
    tenants = sorted({tenant_id for tenant_id, _ in projects})
    by_project = [{"tenant_id": tenant_id, "project_id": project_id} for tenant_id, project_id in projects]
    by_tenant = [{"tenant_id": tenant_id} for tenant_id in tenants]
    return [(kept, place) for kept in KEPT for place in (by_project if kept.by_project else by_tenant)]


def _faults(kept: _Kept, rows: Sequence[Row]) -> list[CountFault]:
    """The faults in rows that are in the order of the key, so that both sides of one stand together."""
    keys = [column.name for column in kept.table.primary_key.columns]
    sides: dict[tuple[Any, ...], dict[int, Mapping[str, int]]] = {}
    for row in rows:
        amounts = {name: int(value) for name, value in row.items() if name not in (*keys, "side")}
        sides.setdefault(tuple(row[name] for name in keys), {})[int(row["side"])] = amounts
    return [
        CountFault(kept.table.name, dict(zip(keys, key, strict=True)), found.get(1), found.get(-1))
        for key, found in sides.items()
    ]


def _counts(engine: EngineName) -> Select[Any]:
    items = _items_in_sqlite() if engine == "sqlite" else _items_in_postgresql()
    stands = (_C.superseded_by.is_(None), _C.blind.is_(None))
    rows = select(corrections, items.label("items_verdict")).where(in_project(engine), *stands).subquery()
    row = rows.c
    key = {
        **{column.name: row[column.name] for column in correction_counts.primary_key.columns},
        "corrector_group_id": func.coalesce(row.corrector_group_id, _sql("''")),
        "expert": func.coalesce(row.expert, _sql("0")),
    }
    said = {"decisions": row.decisions, "answer": row.answer, "items": row.items_verdict}
    amounts = {
        "corrections": func.count(),
        **{
            f"{aspect}_{word}": so_many(said[aspect] == _sql(f"'{word}'"))
            for aspect in said
            for word in ("right", "wrong")
        },
        **{
            f"to_{desk}": so_many(row.sorted_to == _sql(f"'{desk}'"))
            for desk in ("improve", "developer", "owner")
        },
    }
    whole = key | amounts
    return select(*(whole[c.name].label(c.name) for c in correction_counts.columns)).group_by(*key.values())


def _sql(text: str) -> ColumnElement[Any]:
    """A value that stands in the statement itself."""
    return literal_column(text)


def _items_in_sqlite() -> ColumnElement[Any]:
    item = func.json_each(_C.said, _sql("'$.items'")).table_valued("value")
    verdict = func.json_extract(item.c.value, _sql("'$.verdict'"))
    wrong = exists(select(_sql("1")).select_from(item).where(verdict == _sql("'wrong'")))
    return _verdict(wrong, func.json_array_length(_C.said, _sql("'$.items'")) > 0)


def _items_in_postgresql() -> ColumnElement[Any]:
    said = cast(_C.said, JSONB)
    wrong = func.jsonb_path_exists(said, _sql("""'$.items[*] ? (@.verdict == "wrong")'"""))
    return _verdict(wrong, func.jsonb_path_exists(said, _sql("'$.items[0]'")))


def _verdict(wrong: ColumnElement[bool], some: ColumnElement[bool]) -> ColumnElement[Any]:
    return case(
        (~_HAS_ITEMS, None),
        (wrong, _sql("'wrong'")),
        (some, _sql("'right'")),
        else_=None,
    )


def _kept(table: Table, counts: Mapping[EngineName, Select[Any]], apart: tuple[str, ...] = ()) -> _Kept:
    """How a table is checked, but for the columns `apart`, and made anew; by projects where those are in its key."""
    names = [column.name for column in table.columns]
    return _Kept(
        table,
        "project_id" in table.primary_key.columns,
        _by_engine({engine: _differs(table, counted, apart) for engine, counted in counts.items()}),
        Sql(delete(table)),
        _by_engine({engine: insert(table).from_select(names, counted) for engine, counted in counts.items()}),
    )


def _differs(table: Table, counted: Select[Any], apart: tuple[str, ...]) -> Select[Any]:
    names = [column.name for column in table.columns if column.name not in apart]
    places = [name for name in ("tenant_id", "project_id") if name in table.primary_key.columns]
    here = [table.c[name] == bindparam(name) for name in places]
    right = counted.subquery().c
    sides = union_all(
        select(*(table.c[name] for name in names), _sql("1").label("side")).where(*here),
        select(*(right[name] for name in names), _sql("-1").label("side")),
    ).subquery()
    row = [sides.c[name] for name in names]
    side = func.sum(sides.c.side)
    keys = [sides.c[column.name] for column in table.primary_key.columns]
    found = select(*row, side.label("side")).group_by(*row).having(side != _sql("0"))
    return found.order_by(*keys, side).limit(bindparam("count"))


def _by_engine(statements: Mapping[str, Any]) -> Sql:
    return Sql(statements["sqlite"], postgresql=statements["postgresql"])


_ENGINES: tuple[EngineName, ...] = ("sqlite", "postgresql")
KEPT = (
    _kept(correction_counts, {engine: _counts(engine) for engine in _ENGINES}),
    _kept(
        agreement_units,
        {engine: units_of(engine) for engine in _ENGINES},
        ("project_id", "subject_kind", "subject_key", "subject_version", "changed_at"),
    ),
    _kept(agreement_counts, {engine: figures_of(engine) for engine in _ENGINES}),
    _kept(agreement_pairs, {engine: pairs_of(engine) for engine in _ENGINES}),
)
_PROJECTS = Sql(
    union(
        select(_C.tenant_id, _C.project_id).distinct(),
        *(select(kept.table.c.tenant_id, kept.table.c.project_id).distinct() for kept in KEPT),
    )
)
