"""Sums that are kept: rows to which every transaction adds, merged and written once, just before its commit."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Table, and_, bindparam, delete
from sqlalchemy.dialects import postgresql, sqlite

from setright.storage.session import Session
from setright.storage.sql import Sql, by_name

SumKey = tuple[str | int, ...]
Counted = tuple["Sums", SumKey, Sequence[int]]


class Sums:
    """A table whose primary key says what is counted, and whose other columns are whole amounts of it.

    A row all of whose amounts are 0 is taken away.
    """

    __slots__ = ("_add", "_drop", "_names", "keys", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        keys = list(table.primary_key.columns)
        amounts = [column for column in table.columns if not column.primary_key]
        self.keys = tuple(column.name for column in keys)
        self._names = (*self.keys, *(column.name for column in amounts))
        self._add = Sql(
            _upsert(sqlite.insert(table), table, self.keys),
            postgresql=_upsert(postgresql.insert(table), table, self.keys),
        )
        nothing_left = and_(*(column == 0 for column in amounts))
        this = and_(*(column == bindparam(column.name) for column in keys))
        self._drop = Sql(delete(table).where(this, nothing_left))

    def write(self, session: Session, key: SumKey, amounts: Sequence[int]) -> None:
        """Add amounts to the row of a key."""
        values = dict(zip(self._names, (*key, *amounts), strict=True))
        _send(session, self._add, values)
        if min(amounts) < 0:
            _send(session, self._drop, {name: values[name] for name in self.keys})


def write_sums(session: Session, counted: Iterable[Counted]) -> None:
    """Add up what the work of a transaction counted, and write each row once.

    All transactions write their rows in one order, and nothing after them, so none waits for one that waits for it.
    """
    merged: dict[tuple[str, SumKey], list[int]] = {}
    tables: dict[str, Sums] = {}
    for sums, key, amounts in counted:
        place = sums.table.name, key
        there = merged.get(place)
        if there is None:
            merged[place] = list(amounts)
            tables[place[0]] = sums
        else:
            merged[place] = [sum(pair) for pair in zip(there, amounts, strict=True)]
    for (name, key), amounts in sorted(merged.items()):
        if any(amounts):
            tables[name].write(session, key, amounts)


def _upsert(adding: Any, table: Table, keys: Sequence[str]) -> Any:
    values = by_name(table)
    more = {name: table.c[name] + adding.excluded[name] for name in values if name not in keys}
    return adding.values(values).on_conflict_do_update(index_elements=keys, set_=more)


def _send(session: Session, sql: Sql, values: dict[str, Any]) -> None:
    statement = sql.compiled(session.engine)
    session.send(statement, {**statement.values, **values} if statement.values else values)
