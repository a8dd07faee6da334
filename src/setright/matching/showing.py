"""Values and calls in the words of an explanation: short, and cut where they would be long."""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

_ENCODER = json.JSONEncoder(ensure_ascii=False)
TOLD = 3  # of several things a sentence tells so many, and counts the others
LISTED = 10  # the details for machines hold so many


def shown(value: Any, most: int = 80) -> str:
    """A value as JSON text of at most `most` characters, cut where it is longer."""
    return _cut(value, most)[0]


def shortened(value: Any, most: int = 200) -> Any:
    """A value as it is, or the cut beginning of its JSON text where that has more than `most` characters."""
    text, is_cut = _cut(value, most)
    return text if is_cut else value


def shortened_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an object, each shortened; the first 20 of them."""
    return {name: shortened(fields[name]) for name in list(fields)[:20]}


def _cut(value: Any, most: int) -> tuple[str, bool]:
    """The text, and whether it was cut; of a large value only the beginning is ever written."""
    if isinstance(value, str):
        value = value[:most]  # with its quotes that is more than `most` already
    text = ""
    for piece in _ENCODER.iterencode(value):
        text += piece
        if len(text) > most:
            return text[: most - 1] + "…", True
    return text, False


def call_shown(tool: str, args: Mapping[str, Any]) -> str:
    """A call as `tool(name=value, ...)`, each value cut after 40 characters, the fields after the sixth left out."""
    fields = [f"{name}={shown(args[name], 40)}" for name in list(args)[:6]]
    return f"{tool}({', '.join(fields)}{', …' if len(args) > 6 else ''})"


def several(parts: Iterable[str], count: int) -> str:
    """Things in a row, of which there are `count`: the first few, and how many more there are."""
    told = list(islice(parts, TOLD))
    if count > len(told):
        told.append(f"{count - len(told)} more")
    return " and ".join(filter(None, [", ".join(told[:-1]), told[-1]]))


def sentence(parts: Iterable[str]) -> str:
    """One sentence of its parts."""
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
