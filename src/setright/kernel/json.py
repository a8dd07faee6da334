"""Reading JSON strictly, writing it compactly, and naming the place of every fault by JSON Pointer."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, repeat
from operator import contains
from typing import Any, cast

import pydantic_core

from setright.kernel.errors import MOST_FAULTS, Refusal, fault_at, refuse_faults

MAX_DEPTH = 100
MAX_INTEGER = 2**53 - 1
BEYOND = "is an integer beyond 2^53-1"
LARGE = 64 * 1024
_SURROGATE = re.compile("[\ud800-\udfff]")


def read(raw: bytes) -> Any:
    """The value of a JSON text; refuses, by name of the field, what not every store and reader can hold.

    Refused: U+0000, lone surrogates, NaN and infinities, integers beyond 2^53-1, nesting deeper than 100, and a name
    that stands twice in one object (of which every reader would keep another value).
    """
    try:
        value: Any = pydantic_core.from_json(raw, allow_inf_nan=False)
    except ValueError:
        raise _explain(raw) from None
    if (_suspicious(raw) and not _is_clean(value)) or _lost_a_name(raw, value):
        raise _explain(raw)
    return value


def write(value: Any) -> bytes:
    """Compact UTF-8 JSON in the order of the value's keys."""
    return pydantic_core.to_json(value, inf_nan_mode="constants")


def write_text(value: Any) -> str:
    """`write` as text, the form in which JSON columns are stored."""
    return pydantic_core.to_json(value, inf_nan_mode="constants").decode()


def read_stored(text: str) -> Any:
    """The value of a JSON column."""
    # Names come again and again, values seldom: to look each of them up takes longer than to make it.
    return pydantic_core.from_json(text, cache_strings="keys")


_DIGITS = bytes.maketrans(b"123456789E", b"000000000e")
_BEGINNINGS = (b"0" * 16, b"0e00", b"0e+", b"0e-")
_HIDDEN = re.compile(rb"\\u0000|\\u[dD]|[0-9]{16}|[0-9][eE][+-]?[0-9]{2}")


def _suspicious(raw: bytes) -> bool:
    """Whether a text that parsed may still hold something to refuse; only then is every value looked at.

    The pattern is slow, so it is asked only where a plain search finds its beginnings.
    A large text is not searched: in one step of 100 ms nobody else could do anything, and its values are as quick.
    """
    if len(raw) > LARGE or raw.count(b"[") + raw.count(b"{") > MAX_DEPTH:
        return True
    plain = raw.translate(_DIGITS)
    begins = b"\\u" in raw or any(beginning in plain for beginning in _BEGINNINGS)
    return begins and _HIDDEN.search(raw) is not None


_REFUSES: Mapping[Any, Callable[[Any], bool]] = {
    str: lambda text: "\0" in text,
    int: lambda number: abs(number) > MAX_INTEGER,
    float: lambda number: not math.isfinite(number),
}


def _is_clean(value: Any) -> bool:
    """Whether `text_faults` would find nothing; without its generators, because a body may have a million values.

    The parser itself lets no lone surrogate through.
    """
    waiting: list[tuple[Any, int]] = [([value], -1)]
    while waiting:
        inside, depth = waiting.pop()
        if depth >= MAX_DEPTH:
            return False
        if isinstance(inside, dict):
            names = cast("dict[str, Any]", inside)
            if any(map(contains, names, repeat("\0"))):
                return False
            inside = names.values()
        for inner in cast("Iterable[Any]", inside):
            refuses = _REFUSES.get(inner.__class__)
            if refuses is None:
                if isinstance(inner, dict | list):
                    waiting.append((cast("Any", inner), depth + 1))
            elif refuses(inner):
                return False
    return True


def _lost_a_name(raw: bytes, value: Any) -> bool:
    """Whether the value has fewer names than its text: each has its colon, unless one is written as an escape."""
    if b"\\u003" not in raw:
        return raw.count(b":") != write(value).count(b":")
    return next(text_faults(json.loads(raw, object_pairs_hook=_object)), None) is not None


class _Doubled(dict[str, Any]):
    """An object in whose text the names `doubled` stand more than once."""

    __slots__ = ("doubled",)

    def __init__(self, found: dict[str, Any], doubled: list[str]) -> None:
        super().__init__(found)
        self.doubled = doubled


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    counts = Counter(name for name, _ in pairs)
    return _Doubled(found, [name for name, count in counts.items() if count > 1])


def _whole(text: str) -> int:
    """A whole number, or just one that is too large: the digits of an endless one are not worth reading."""
    return int(text) if len(text) <= 20 else MAX_INTEGER + 1


def _explain(raw: bytes) -> Refusal:
    """Why a text is refused: by field where it is JSON at all, else by the place in the text."""
    try:
        text = raw.decode("utf-8")
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_int=_whole)
    except UnicodeDecodeError as error:
        return refuse_faults([fault_at("", f"is not valid UTF-8 (byte {error.start})")])
    except json.JSONDecodeError as error:
        return _not_json(f"{error.msg.removesuffix(' at')} at line {error.lineno}, column {error.colno}")
    except RecursionError:
        return refuse_faults([fault_at("", f"is nested deeper than {MAX_DEPTH} levels")])
    if text.startswith("\ufeff"):
        return _not_json("a byte order mark stands at line 1, column 1")
    faults = list(islice(text_faults(value), MOST_FAULTS + 1))
    return refuse_faults(faults) if faults else _not_json("it cannot be read")


def _not_json(why: str) -> Refusal:
    return refuse_faults([fault_at("", f"is not valid JSON: {why}")])


def text_faults(value: Any, pointer: str = "", depth: int = 0) -> Iterator[dict[str, str]]:
    """Every place in a parsed value that is refused by `read`, in the order of the text."""
    if isinstance(value, str):
        yield from _string_faults(value, pointer)
    elif isinstance(value, int | float):
        yield from _number_faults(value, pointer)
    elif isinstance(value, dict | list) and depth >= MAX_DEPTH:
        yield fault_at(pointer, f"is nested deeper than {MAX_DEPTH} levels")
    elif isinstance(value, dict):
        for name in value.doubled if isinstance(value, _Doubled) else ():
            yield fault_at(
                _printable(f"{pointer}/{escape(name)}"), "stands there more than once", "each name once"
            )
        for key, inner in cast("dict[str, Any]", value).items():
            place = f"{pointer}/{escape(key)}"
            yield from _string_faults(key, place)
            yield from text_faults(inner, place, depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[Any]", value)):
            yield from text_faults(inner, f"{pointer}/{index}", depth + 1)


def _number_faults(value: float, pointer: str) -> Iterator[dict[str, str]]:
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        yield fault_at(pointer, BEYOND, "send it as a string")
    elif isinstance(value, float) and not math.isfinite(value):
        yield fault_at(pointer, "is not a finite number")


def _string_faults(text: str, pointer: str) -> Iterator[dict[str, str]]:
    if "\0" in text:
        yield fault_at(_printable(pointer), "contains U+0000")
    if _SURROGATE.search(text):
        yield fault_at(_printable(pointer), "contains a lone surrogate")


def _printable(pointer: str) -> str:
    return _SURROGATE.sub("\ufffd", pointer).replace("\0", "\ufffd")


def escape(token: str) -> str:
    """One reference token of a JSON Pointer (RFC 6901 section 3)."""
    return token.replace("~", "~0").replace("/", "~1")
