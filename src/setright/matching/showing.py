"""Values and calls in the words of an explanation: short, and cut where they would be long."""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from json.encoder import encode_basestring
from typing import Any

_ENCODER = json.JSONEncoder(ensure_ascii=False)
_SCALARS = {int, float, bool, type(None)}
TOLD = 3  # of several things a sentence tells so many, and counts the others
LISTED = 10  # the details for machines hold so many
_LONGEST = 80  # characters of a value in a sentence
_LENGTH = 200  # characters of a value in the details


def shown(value: Any, most: int = _LONGEST) -> str:
    """A value as JSON text of at most `most` characters, cut where it is longer."""
    text = encode_basestring(value[:most]) if isinstance(value, str) else _beginning(value, most)
    return text if len(text) <= most else text[: most - 1] + "…"


def shortened(value: Any) -> Any:
    """A value as it is, or the cut beginning of its JSON text where that has more than 200 characters."""
    if value.__class__ in _SCALARS:
        return value
    text = encode_basestring(value[:_LENGTH]) if isinstance(value, str) else _beginning(value, _LENGTH)
    return value if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"


def shortened_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an object, each shortened; the first 20 of them."""
    return {name: shortened(value) for name, value in islice(fields.items(), 20)}


def _beginning(value: Any, most: int) -> str:
    """More than `most` characters of the JSON text, or all of it; of a large value no more is ever written."""
    kind = value.__class__
    if kind is int or kind is float:
        return repr(value)
    text = ""
    for piece in _ENCODER.iterencode(value):
        text += piece
        if len(text) > most:
            break
    return text


def call_shown(tool: str, args: Mapping[str, Any]) -> str:
    """A call as `tool(name=value, ...)`, each value cut after 40 characters, the fields after the sixth left out."""
    fields = ", ".join([f"{name}={shown(value, 40)}" for name, value in islice(args.items(), 6)])
    return f"{tool}({fields}{', …' if len(args) > 6 else ''})"


def several(parts: Iterable[str], count: int) -> str:
    """Things in a row, of which there are `count`: the first few, and how many more there are."""
    if count > TOLD:
        parts = [*islice(parts, TOLD), f"{count - TOLD} more"]
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def sentence(parts: Iterable[str]) -> str:
    """One sentence of its parts."""
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
