"""What the rooms' checks of their own rows share: a fault as it is told, and going through a table in pieces."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, bindparam, tuple_

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


def next_piece(moment: ColumnElement[Any], key: ColumnElement[Any]) -> ColumnElement[bool]:
    """What comes after a place in a table that is gone through oldest first; `pieces` gives the values."""
    return tuple_(moment, key) > tuple_(bindparam("after", type_=BigInteger()), bindparam("after_key"))


def pieces(at: Snapshot, piece: Sql, key: str = "id", **values: Any) -> Iterator[list[Row]]:
    """The rows of a table some at a time, so that memory stays flat: by `created_at` and `key`, oldest first.

    The statement has `next_piece` as a condition, that order, and the limit `count`.
    """
    after, after_key = -1, ""
    while rows := at.all(piece, after=after, after_key=after_key, count=PIECE, **values):
        yield rows
        after, after_key = rows[-1]["created_at"], rows[-1][key]
