"""Reading JSON strictly, writing it compactly, and naming the place of every fault by JSON Pointer."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, cast

import pydantic_core

from setright.kernel.errors import Refusal, fault_at, refuse_faults

MAX_DEPTH = 100
MAX_INTEGER = 2**53 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")


def read(raw: bytes) -> Any:
    """The value of a JSON text; refuses, by name of the field, what not every store and reader can hold.

    Refused: U+0000, lone surrogates, NaN and infinities, integers beyond 2^53-1, nesting deeper than 100.
    """
    try:
        value: Any = pydantic_core.from_json(raw, allow_inf_nan=False)
    except ValueError:
        raise _explain(raw) from None
    if _suspicious(raw):
        faults = list(text_faults(value))
        if faults:
            raise refuse_faults(faults[:100])
    return value


def write(value: Any) -> bytes:
    """Compact UTF-8 JSON in the order of the value's keys."""
    return pydantic_core.to_json(value, inf_nan_mode="constants")


def write_text(value: Any) -> str:
    """`write` as text, the form in which JSON columns are stored."""
    return pydantic_core.to_json(value, inf_nan_mode="constants").decode()


def read_stored(text: str) -> Any:
    """The value of a JSON column."""
    return pydantic_core.from_json(text)


_HIDDEN = re.compile(rb"\\u0000|\\u[dD]|[0-9]{16}|[0-9][eE][+-]?[0-9]{2}")


def _suspicious(raw: bytes) -> bool:
    """Whether a text that parsed may still hold something to refuse; only then is every value looked at."""
    return _HIDDEN.search(raw) is not None or raw.count(b"[") + raw.count(b"{") > MAX_DEPTH


def _explain(raw: bytes) -> Refusal:
    """Why a text cannot be read: by field where it is JSON at all, else by the place in the text."""
    try:
        value = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return refuse_faults([fault_at("", f"is not valid UTF-8 (byte {error.start})")])
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        return refuse_faults([fault_at("", f"is not valid JSON: {error.msg} at {place}")])
    except (RecursionError, ValueError):
        return refuse_faults(
            [fault_at("", f"is nested deeper than {MAX_DEPTH} levels or has an endless number")]
        )
    faults = list(text_faults(value))
    return refuse_faults(faults[:100] or [fault_at("", "is not valid JSON")])


def text_faults(value: Any, pointer: str = "", depth: int = 0) -> Iterator[dict[str, str]]:
    """Every place in a parsed value that is refused by `read`, in the order of the text."""
    if isinstance(value, str):
        yield from _string_faults(value, pointer)
    elif isinstance(value, int | float):
        yield from _number_faults(value, pointer)
    elif isinstance(value, dict | list) and depth >= MAX_DEPTH:
        yield fault_at(pointer, f"is nested deeper than {MAX_DEPTH} levels")
    elif isinstance(value, dict):
        for key, inner in cast("dict[str, Any]", value).items():
            place = f"{pointer}/{escape(key)}"
            yield from _string_faults(key, place)
            yield from text_faults(inner, place, depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[Any]", value)):
            yield from text_faults(inner, f"{pointer}/{index}", depth + 1)


def _number_faults(value: float, pointer: str) -> Iterator[dict[str, str]]:
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        yield fault_at(pointer, "is an integer beyond 2^53-1", "send it as a string")
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
