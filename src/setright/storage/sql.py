"""Statements that are compiled once per engine and then run on the driver's own cursor."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    Integer,
    Table,
    Text,
    bindparam,
    cast,
    column,
    func,
    literal_column,
    select,
)
from sqlalchemy import insert as core_insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.sql.elements import ClauseElement

EngineName = Literal["sqlite", "postgresql"]

_BOUND_LIMIT = re.compile(r"LIMIT :\w+")
_DIALECTS: Mapping[str, Dialect] = {
    "sqlite": sqlite.dialect(paramstyle="named"),
    "postgresql": psycopg.dialect(),
}


class Compiled:
    """The text of a statement for one engine, the values it brings along and the names of its result's columns."""

    __slots__ = ("columns", "text", "values")

    def __init__(self, clause: ClauseElement, engine: EngineName) -> None:
        compiled = clause.compile(dialect=_DIALECTS[engine], compile_kwargs={"render_postcompile": True})
        self.text: str = _prepared_once(str(compiled)) if engine == "sqlite" else str(compiled)
        self.values: dict[str, Any] = {
            name: value for name, value in (compiled.params or {}).items() if value is not None
        }
        selected: Any = getattr(clause, "exported_columns", None)
        if not selected:
            selected = getattr(clause, "_returning", ())
        self.columns: tuple[str, ...] = tuple(str(column.key) for column in selected)

    def given(self, values: dict[str, Any]) -> dict[str, Any]:
        """The values that it is run with: those it brings along, and these."""
        return {**self.values, **values} if self.values else values


def _prepared_once(text: str) -> str:
    """A limit as a sum: at a value that is bound right behind LIMIT, SQLite prepares the statement anew each time."""
    return _BOUND_LIMIT.sub(r"\g<0> + 0", text)


class Sql:
    """A statement as a module constant; `on` gives an engine its own wording where the two differ.

    Values go in by name; column types are those of `storage.types`, which need no conversion on either engine.
    """

    __slots__ = ("_clause", "_compiled", "_on")

    def __init__(self, clause: ClauseElement, **on: ClauseElement) -> None:
        self._clause = clause
        self._on = on
        self._compiled: dict[str, Compiled] = {}

    def compiled(self, engine: EngineName) -> Compiled:
        """The statement for an engine, compiled at its first use."""
        found = self._compiled.get(engine)
        if found is None:
            found = self._compiled[engine] = Compiled(self._on.get(engine, self._clause), engine)
        return found


def insert(table: Table, leave_out: tuple[str, ...] = ()) -> Sql:
    """An insert of every column of `table` by name, except those the database fills in itself."""
    return Sql(core_insert(table).values(by_name(table, leave_out)))


def insert_or_ignore(table: Table, leave_out: tuple[str, ...] = ()) -> Sql:
    """`insert` that does nothing (row count 0) where a unique key is taken."""
    values = by_name(table, leave_out)
    return Sql(
        sqlite.insert(table).values(values).on_conflict_do_nothing(),
        postgresql=postgresql.insert(table).values(values).on_conflict_do_nothing(),
    )


def insert_many(table: Table, leave_out: tuple[str, ...] = ()) -> Sql:
    """An insert of any number of rows at once: `rows` is the JSON text of an array of objects by column name."""
    columns = [one for one in table.columns if one.name not in leave_out]
    names = [one.name for one in columns]
    each = func.json_each(bindparam("rows")).table_valued("value")
    fields = [each.c["value"].op("->>")(literal_column(f"'{name}'")) for name in names]
    typed = [column(one.name, BigInteger() if isinstance(one.type, Integer) else Text()) for one in columns]
    rows = func.json_to_recordset(cast(bindparam("rows"), JSON())).table_valued(*typed)
    records = rows.render_derived(with_types=True)
    return Sql(
        core_insert(table).from_select(names, select(*fields)),
        postgresql=core_insert(table).from_select(names, select(*(records.c[name] for name in names))),
    )


def upsert(
    table: Table,
    keys: tuple[str, ...],
    leave_out: tuple[str, ...] = (),
    overwrites: tuple[str, ...] | None = None,
) -> Sql:
    """`insert` that, where the unique `keys` are taken, overwrites the columns named, or else every other one."""
    values = by_name(table, leave_out)
    rest = [name for name in values if name not in keys] if overwrites is None else overwrites
    changed: dict[str, Any] = {name: bindparam(name) for name in rest}
    return Sql(
        sqlite.insert(table).values(values).on_conflict_do_update(index_elements=keys, set_=changed),
        postgresql=postgresql.insert(table)
        .values(values)
        .on_conflict_do_update(index_elements=keys, set_=changed),
    )


def by_name(table: Table, leave_out: tuple[str, ...] = ()) -> dict[str, Any]:
    """A bind for each column of `table`, called as the column."""
    return {one.name: bindparam(one.name) for one in table.columns if one.name not in leave_out}
