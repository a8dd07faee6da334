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

from setright.corrections.tables import correction_counts, corrections
from setright.storage import Row, Snapshot, Sql, Tx

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
            f"{aspect}_{word}": _so_many(said[aspect], word) for aspect in said for word in ("right", "wrong")
        },
        **{f"to_{desk}": _so_many(row.sorted_to, desk) for desk in ("improve", "developer", "owner")},
    }
    whole = key | amounts
    return select(*(whole[c.name].label(c.name) for c in correction_counts.columns)).group_by(*key.values())


def _sql(text: str) -> ColumnElement[Any]:
    """A value that stands in the statement itself."""
    return literal_column(text)


def _so_many(column: ColumnElement[Any], word: str) -> ColumnElement[int]:
    return func.sum(case((column == _sql(f"'{word}'"), 1), else_=0))


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


def _both(table: Table, sqlite: Select[Any], postgresql: Select[Any]) -> "_Kept":
    kept = select(table)
    names = [column.name for column in table.columns]
    keys = [column.name for column in table.primary_key.columns]
    return _Kept(
        table,
        Sql(_first(kept.except_(sqlite), keys), postgresql=_first(kept.except_(postgresql), keys)),
        Sql(_first(sqlite.except_(kept), keys), postgresql=_first(postgresql.except_(kept), keys)),
        Sql(delete(table)),
        Sql(
            insert(table).from_select(names, sqlite), postgresql=insert(table).from_select(names, postgresql)
        ),
    )


def _first(rows: CompoundSelect[Any], keys: list[str]) -> CompoundSelect[Any]:
    return rows.order_by(*keys).limit(bindparam("count"))


KEPT = (_both(correction_counts, _counts(_items_in_sqlite()), _counts(_items_in_postgresql())),)
