"""What the lists of every room share: pages that are newest first, and columns that may have any of several values."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, bindparam, func, literal_column, tuple_

from setright.kernel.clock import LATEST_TIME
from setright.kernel.paging import Place

_BEGINNING = Place(LATEST_TIME + 1, "")


def before(moment: ColumnElement[Any], key: ColumnElement[Any]) -> ColumnElement[bool]:
    """What comes after a place in a list that is newest first; `page_values` gives the values."""
    return tuple_(moment, key) < tuple_(bindparam("before", type_=BigInteger()), bindparam("before_key"))


def page_values(after: Place | None, limit: int) -> dict[str, Any]:
    """The values of `before`, and `count`: one row more than the page shows."""
    place = after or _BEGINNING
    return {"before": place.moment, "before_key": place.id, "count": limit + 1}


def any_of(column: ColumnElement[Any], stem: str, count: int) -> ColumnElement[bool]:
    """That a column has one of `count` values, for which `among` gives the names."""
    return column.in_([bindparam(f"{stem}_{number}") for number in range(count)])


def numbered(stem: str, values: Sequence[str]) -> tuple[int, dict[str, str]]:
    """The count and the values of as many binds: `stem_0` and on."""
    return len(values), {f"{stem}_{number}": value for number, value in enumerate(values)}


def among(stem: str, values: Sequence[str]) -> tuple[int, dict[str, str]]:
    """`numbered` for `any_of`, filled up to a power of two so that few statements serve all.

    No values at all match nothing: ids and words are never empty.
    """
    count = 1 << max(len(values) - 1, 0).bit_length()
    filled = [*values, *[values[-1] if values else ""] * (count - len(values))]
    return numbered(stem, filled)


def narrows(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """On SQLite only: that few rows meet a condition, so that an index with its column is better than one without.

    SQLite has no statistics of our tables and otherwise takes any index that gives the range of times.
    """
    return func.likelihood(condition, literal_column("0.001"))


def usual(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """On SQLite only: that most rows meet a condition, so that an index with its column helps little.

    Without it SQLite goes through a whole tenant rather than look up some hundred ids.
    """
    return func.likely(condition)
