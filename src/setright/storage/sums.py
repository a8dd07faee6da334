"""Sums that are kept: rows to which every transaction adds, merged and written once, just before its commit."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Table, and_, bindparam, delete, or_
from sqlalchemy.dialects import postgresql, sqlite

from setright.storage.session import Session
from setright.storage.sql import Sql, by_name

_UNBOUNDED = 2**63 - 1

SumKey = tuple[str | int, ...]


class Overtaken(Exception):
    """Another commit meanwhile added what this one had counted on, so that it must be done again."""


class Counted(NamedTuple):
    """What a transaction adds to a row of sums; `within` says how much of each there may be then, 0 for any."""

    sums: "Sums"
    key: SumKey
    amounts: Sequence[int]
    within: Sequence[int] | None = None


class Sums:
    """A table whose primary key says what is counted, and whose other columns are whole amounts of it.

    A row all of whose amounts are 0 is taken away.
    """

    __slots__ = ("_add", "_add_within", "_bounds", "_drop", "_names", "keys", "table")

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
        self._bounds = tuple(f"most_{column.name}" for column in amounts)
        self._add_within = Sql(
            _upsert(sqlite.insert(table), table, self.keys, bounded=True),
            postgresql=_upsert(postgresql.insert(table), table, self.keys, bounded=True),
        )
        nothing_left = and_(*(column == 0 for column in amounts))
        this = and_(*(column == bindparam(column.name) for column in keys))
        self._drop = Sql(delete(table).where(this, nothing_left))

    def write(self, session: Session, key: SumKey, amounts: Sequence[int], within: Sequence[int]) -> None:
        """Add amounts to the row of a key; raises Overtaken where more would be in it than `within`, if that is given.

        An amount that is not added to is not held against its bound, and 0 is no bound.
        """
        values = dict(zip(self._names, (*key, *amounts), strict=True))
        if any(within):
            bounds = [most or _UNBOUNDED for most in within]
            if not _run(session, self._add_within, values | dict(zip(self._bounds, bounds, strict=True))):
                raise Overtaken
            return
        _send(session, self._add, values)
        if min(amounts) < 0:
            _send(session, self._drop, {name: values[name] for name in self.keys})


def write_sums(session: Session, counted: Iterable[Counted]) -> None:
    """Add up what the work of a transaction counted, and write each row once.

    All transactions write their rows in one order, and nothing after them, so none waits for one that waits for it.
    """
    merged: dict[tuple[str, SumKey], list[int]] = {}
    bounds: dict[tuple[str, SumKey], list[int]] = {}
    tables: dict[str, Sums] = {}
    for sums, key, amounts, within in counted:
        place = sums.table.name, key
        tables[place[0]] = sums
        merged[place] = _together(merged.get(place), amounts)
        if within is not None:
            met = [most if more else 0 for most, more in zip(within, amounts, strict=True)]
            bounds[place] = [new or old for new, old in zip(met, bounds.get(place, met), strict=True)]
    for place, amounts in sorted(merged.items()):
        if any(amounts):
            tables[place[0]].write(session, place[1], amounts, bounds.get(place, ()))


def _together(there: list[int] | None, amounts: Sequence[int]) -> list[int]:
    return list(amounts) if there is None else [sum(pair) for pair in zip(there, amounts, strict=True)]


def _upsert(adding: Any, table: Table, keys: Sequence[str], *, bounded: bool = False) -> Any:
    values = by_name(table)
    more = {name: table.c[name] + adding.excluded[name] for name in values if name not in keys}
    holds = [
        or_(adding.excluded[name] == 0, sums <= bindparam(f"most_{name}")) for name, sums in more.items()
    ]
    within = and_(*holds) if bounded else None
    return adding.values(values).on_conflict_do_update(index_elements=keys, set_=more, where=within)


def _send(session: Session, sql: Sql, values: dict[str, Any]) -> None:
    statement = sql.compiled(session.engine)
    session.send(statement, statement.given(values))


def _run(session: Session, sql: Sql, values: dict[str, Any]) -> int:
    statement = sql.compiled(session.engine)
    return session.execute(statement, statement.given(values))
