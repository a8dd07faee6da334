"""Values compared as JSON means them: numbers by value, booleans apart, objects without order, missing is not null."""

import math
import re
from collections.abc import Iterable
from decimal import Context, Decimal
from enum import Enum
from typing import Any, Final, cast


class Missing(Enum):
    """Tells that nothing stands at a place, which is not the same as null."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: 1 is 1.0, true is not 1, texts are exact, arrays keep their order."""
    kind = one.__class__
    if kind is str:
        return one == other
    if kind is int or kind is float:
        return one == other and other.__class__ is not bool
    if isinstance(one, (dict, list)):
        try:
            # Python's own comparison is quick, and only takes more for equal: true for 1.
            return one == other and _truths_alike(one, other)
        except RecursionError:
            return _same_inside(one, other)
    return one is other


def _truths_alike(one: Any, other: Any) -> bool:
    """Whether two objects or arrays that Python takes for equal have true and false at the same places."""
    for place, value in inside_of(one):
        kind = value.__class__
        if kind is str:
            continue
        opposite = other[place]
        if isinstance(value, (dict, list)):
            if not _truths_alike(value, opposite):
                return False
        elif (kind is bool or opposite.__class__ is bool) and value is not opposite:
            return False
    return True


def inside_of(holder: Any) -> Iterable[tuple[Any, Any]]:
    """What stands in an object or array, each with its name or index."""
    if isinstance(holder, dict):
        return cast("dict[str, Any]", holder).items()
    return enumerate(cast("list[Any]", holder))


def _same_inside(one: Any, other: Any) -> bool:
    """`same` for objects and arrays, however deep they are."""
    waiting: list[tuple[Any, Any]] = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, dict):
            if not isinstance(right, dict):
                return False
            names, others = cast("dict[str, Any]", left), cast("dict[str, Any]", right)
            if names.keys() != others.keys():
                return False
            pairs = [(value, others[name]) for name, value in names.items()]
        else:
            if not isinstance(right, list) or len(left) != len(cast("list[Any]", right)):
                return False
            pairs = list(zip(left, cast("list[Any]", right), strict=True))
        for inner, outer in pairs:
            if isinstance(inner, (dict, list)):
                waiting.append((cast("Any", inner), outer))
            elif not same(inner, outer):
                return False
    return True


def is_number(value: Any) -> bool:
    """Whether a value is a finite number; true and false are none."""
    if value.__class__ is bool or not isinstance(value, (int, float)):
        return False
    return math.isfinite(value)


_EXACT = Context(prec=100)


def within(wanted: Any, actual: Any, distance: Any) -> bool:
    """Whether two numbers are at most so far apart, counted as they are written: 1.1 is within 0.1 of 1."""
    if not (is_number(wanted) and is_number(actual)):
        return False
    return near(as_written(wanted), as_written(actual), as_written(distance))


def near(wanted: Decimal, actual: Decimal, distance: Decimal) -> bool:
    """`within` for numbers that were read from a text."""
    return _EXACT.abs(_EXACT.subtract(wanted, actual)) <= distance


def as_written(number: float) -> Decimal:
    """A number as the decimal that its shortest writing is."""
    return Decimal(repr(number))


_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")


def member(holder: Any, token: str) -> Any:
    """What stands in an object or array under a reference token of a JSON Pointer, or `MISSING`."""
    if isinstance(holder, dict):
        return cast("dict[str, Any]", holder).get(token, MISSING)
    if isinstance(holder, list):
        elements = cast("list[Any]", holder)
        index = index_of(token)
        if index is not None and index < len(elements):
            return elements[index]
    return MISSING


def index_of(token: str) -> int | None:
    """The index that a reference token is, if it is one: no sign and no leading zero (RFC 6901)."""
    return int(token) if _INDEX.match(token) else None


def tokens_of(pointer: str) -> list[str]:
    """The reference tokens of a JSON Pointer; the empty one has none."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def at(pointer: str, token: str) -> str:
    """The pointer to what stands under a token at a pointer."""
    if "~" in token or "/" in token:
        token = token.replace("~", "~0").replace("/", "~1")
    return f"{pointer}/{token}"
