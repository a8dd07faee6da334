"""The kept counts made anew from the corrections themselves: what they are checked by, and put right with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
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
)
from sqlalchemy.dialects.postgresql import JSONB

from setright.corrections.recount_raters import figures_of, pairs_of, so_many, units_of
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
    """A table of kept counts: what it has too much, what it lacks, how it is emptied and filled."""

    table: Table
    spare: Sql
    missing: Sql
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
    found = [fault for kept in KEPT for fault in _faults(at, kept, most)]
    return found[:most]


def recount(tx: Tx) -> None:
    """Write every kept count of every tenant anew; nothing may be recorded meanwhile."""
    for kept in KEPT:
        tx.run(kept.empty)
        tx.run(kept.fill)


def _faults(at: Snapshot, kept: _Kept, most: int) -> list[CountFault]:
    """The faults of one table, in the order of its key; only as far as both sides were read."""
    keys = [column.name for column in kept.table.primary_key.columns]
    sides: list[dict[tuple[Any, ...], Mapping[str, int]]] = []
    for statement in (kept.spare, kept.missing):
        rows = at.all(statement, count=most)
        sides.append({tuple(row[name] for name in keys): _amounts(row, keys) for row in rows})
    spare, missing = sides
    ends = [max(side) for side in sides if len(side) == most]
    return [
        CountFault(kept.table.name, dict(zip(keys, key, strict=True)), spare.get(key), missing.get(key))
        for key in sorted(spare.keys() | missing.keys())
        if not ends or key <= min(ends)
    ]


def _amounts(row: Row, keys: list[str]) -> dict[str, int]:
    return {name: int(value) for name, value in row.items() if name not in keys}


def _counts(items: ColumnElement[Any]) -> Select[Any]:
    stands = (_C.superseded_by.is_(None), _C.blind.is_(None))
    rows = select(corrections, items.label("items_verdict")).where(*stands).subquery()
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


def _both(table: Table, counts: Mapping[EngineName, Select[Any]], apart: tuple[str, ...] = ()) -> _Kept:
    """How a table is checked, but for the columns `apart`, and made anew."""
    keys = [column.name for column in table.primary_key.columns]
    names = [column.name for column in table.columns]
    spare: dict[str, CompoundSelect[Any]] = {}
    missing: dict[str, CompoundSelect[Any]] = {}
    for engine, counted in counts.items():
        there = select(*(table.c[name] for name in names if name not in apart))
        row = counted.subquery().c
        right = select(*(row[name] for name in names if name not in apart))
        spare[engine] = there.except_(right).order_by(*keys).limit(bindparam("count"))
        missing[engine] = right.except_(there).order_by(*keys).limit(bindparam("count"))
    fill = {engine: insert(table).from_select(names, counted) for engine, counted in counts.items()}
    return _Kept(table, _by_engine(spare), _by_engine(missing), Sql(delete(table)), _by_engine(fill))


def _by_engine(statements: Mapping[str, Any]) -> Sql:
    return Sql(statements["sqlite"], postgresql=statements["postgresql"])


_ENGINES: tuple[EngineName, ...] = ("sqlite", "postgresql")
KEPT = (
    _both(
        correction_counts,
        {"sqlite": _counts(_items_in_sqlite()), "postgresql": _counts(_items_in_postgresql())},
    ),
    _both(
        agreement_units,
        {engine: units_of(engine) for engine in _ENGINES},
        ("project_id", "subject_kind", "subject_key", "subject_version", "changed_at"),
    ),
    _both(agreement_counts, {engine: figures_of(engine) for engine in _ENGINES}),
    _both(agreement_pairs, {engine: pairs_of(engine) for engine in _ENGINES}),
)
