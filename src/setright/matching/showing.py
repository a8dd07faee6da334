"""Values and calls in the words of an explanation: short, and cut where they would be long."""

from collections.abc import Iterable, Mapping
from itertools import islice
from json.encoder import encode_basestring
from typing import Any, cast

from setright.matching.values import inside_of

TOLD = 3  # of several things a sentence tells so many, and counts the others
LISTED = 10  # the details for machines hold so many
_LONGEST = 80  # characters of a value in a sentence
_FIELDS = 6  # arguments of a call in a sentence
_LENGTH = 200  # characters of a value in the details
_WORDS = {None: "null", True: "true", False: "false"}


def shown(value: Any, most: int = _LONGEST) -> str:
    """A value as JSON text of at most `most` characters, cut where it is longer."""
    if value.__class__ is str:
        text = encode_basestring(value[:most])
    elif value.__class__ is int:
        text = str(value)
    else:
        text = _beginning(value, most)
    return text if len(text) <= most else text[: most - 1] + "…"


def shortened(value: Any) -> Any:
    """A value as it is, or the cut beginning of its JSON text where that has more than 200 characters."""
    if not isinstance(value, (str, list, dict)):
        return value
    text = _beginning(value, _LENGTH)
    return cast("Any", value) if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"


def _beginning(value: Any, most: int) -> str:
    """The JSON text of a value, or a bit more than its first `most` characters: of a large value no more is written."""
    if isinstance(value, str):
        return encode_basestring(value[:most])
    if isinstance(value, (dict, list)):
        parts: list[str] = []
        _write(value, parts, most)
        return "".join(parts)
    return _WORDS[value] if value is None or value.__class__ is bool else repr(value)


def _write(value: Any, parts: list[str], left: int) -> int:
    """Write parts of a text while there is room; what is left of it, below 0 when the rest was left out."""
    if left < 0:
        return left
    if not isinstance(value, (dict, list)):
        parts.append(_beginning(value, left))
        return left - len(parts[-1])
    is_object = isinstance(value, dict)
    parts.append("{" if is_object else "[")
    left -= 1
    before = ""
    for place, one in inside_of(value):
        if left < 0:
            return left
        parts.append(f"{before}{encode_basestring(place[:left])}: " if is_object else before)
        left = _write(one, parts, left - len(parts[-1]))
        before = ", "
    parts.append("}" if is_object else "]")
    return left - 1


def call_shown(tool: str, args: Mapping[str, Any]) -> str:
    """A call as `tool(name=value, ...)`, each value cut after 40 characters, the fields after the sixth left out."""
    fields = ", ".join([f"{name}={shown(value, 40)}" for name, value in islice(args.items(), _FIELDS)])
    return f"{tool}({fields}{', …' if len(args) > _FIELDS else ''})"


def several(parts: Iterable[str], count: int) -> str:
    """Things in a row, of which there are `count`: the first few, and how many more there are."""
    if count == 1:
        return next(iter(parts))
    if count > TOLD:
        parts = [*islice(parts, TOLD), f"{count - TOLD} more"]
    *others, last = parts
    return f"{', '.join(others)} and {last}"


def sentence(parts: Iterable[str]) -> str:
    """One sentence of its parts."""
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."
