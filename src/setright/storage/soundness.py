"""What the rooms' checks of their own rows share: a fault as it is told, and going through a table in pieces."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Integer, bindparam, tuple_

from setright.storage.sql import Sql
from setright.storage.tx import Row, Snapshot

PIECE = 512

Seen = Callable[[int], None]
"""Told how many more rows were looked at."""


@dataclass(frozen=True, slots=True)
class RowFault:
    """A row that is not as it must be: its table, its key within its tenant, and what is wrong with it."""

    table: str
    id: str
    says: str


def next_piece(*place: ColumnElement[Any]) -> ColumnElement[bool]:
    """What comes after a place in a table that is gone through in the order of some columns; `pieces` says which."""
    return tuple_(*place) > tuple_(
        *(bindparam(f"after_{n}", type_=column.type) for n, column in enumerate(place))
    )


def pieces(at: Snapshot, piece: Sql, place: Sequence[Column[Any]], **values: Any) -> Iterator[list[Row]]:
    """The rows of a table some at a time, so that memory stays flat.

    The statement has `next_piece` of the columns `place` as a condition, their order, and the limit `count`. Numbers
    among them are not below 0, and texts not all empty.
    """
    after: list[Any] = [-1 if isinstance(column.type, Integer) else "" for column in place]
    while rows := at.all(
        piece, count=PIECE, **{f"after_{n}": value for n, value in enumerate(after)}, **values
    ):
        after = [rows[-1][column.name] for column in place]
        yield rows
