"""Arguments on their way to the wire: our field names, times, identifiers in paths, queries and JSON bodies."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import quote

from setright.client.records import Record

Convert = Callable[[object], object]


def camel(name: str) -> str:
    """`should_call` as `shouldCall`; a name without an underscore stays as it is."""
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def instant(value: datetime | str) -> str:
    """A moment as on the wire, in UTC; a text goes as it is, and a datetime without a zone is a ValueError."""
    if isinstance(value, str):
        return value
    if value.tzinfo is None:
        raise ValueError(
            f"{value!r} has no time zone, so it names no moment: use datetime.now(UTC) or give tzinfo."
        )
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def segment(name: str, value: str) -> str:
    """An identifier as one segment of a path, percent-encoded as a whole; `name` is for the ValueError."""
    if value in ("", ".", ".."):
        raise ValueError(f"{name} is {value!r}: an identifier is neither empty nor a single or double dot.")
    return _quoted(name, value)


def query(**parameters: object) -> tuple[tuple[str, str], ...]:
    """Query parameters by our names; None is left out, and several values repeat the parameter."""
    pairs: list[tuple[str, str]] = []
    for name, value in parameters.items():
        many = isinstance(value, (list, tuple, set, frozenset))
        values = cast("Iterable[object]", value) if many else (value,)
        pairs += [(camel(name), _quoted(name, _text(one))) for one in values if one is not None]
    return tuple(pairs)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return instant(value)
    return str(value)


def _quoted(name: str, value: str) -> str:
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise ValueError(
            f"{name} is {value!r}: it holds a lone surrogate, which no text on the wire can."
        ) from None


def ours(value: object, inner: Mapping[str, Convert] | None = None) -> object:
    """An object of ours as on the wire: snake_case names become camelCase and moments texts, on this level only.

    `inner` says by their wire names how fields are written that are objects of ours themselves. What is no object
    stays as it is, so that the server can say what is wrong with it.
    """
    if isinstance(value, Record):
        return dict(value.raw)
    if not isinstance(value, Mapping):
        return value
    members = ((camel(name), one) for name, one in cast("Mapping[str, object]", value).items())
    return {name: (inner or {}).get(name, plain)(one) for name, one in members}


def each(convert: Convert) -> Convert:
    """What writes a list whose entries `convert` writes."""

    def convert_all(values: object) -> object:
        if not isinstance(values, (list, tuple)):
            return values
        return [convert(one) for one in cast("Sequence[object]", values)]

    return convert_all


def plain(value: object) -> object:
    """A value of a field: a moment becomes a text, an answer of the server what it was, anything else stays."""
    if isinstance(value, datetime):
        return instant(value)
    return dict(value.raw) if isinstance(value, Record) else value


def encode(body: object, pointer: str = "") -> bytes:
    """A body as JSON; what JSON cannot carry is a ValueError that names the place, `pointer` being that of the body.

    A lone surrogate is sent as its escape, so that the server can name the field.
    """
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except RecursionError:
        raise ValueError("the body is nested too deeply to be sent as JSON.") from None
    except (TypeError, ValueError):
        raise ValueError(_why_not_json(body, pointer) or "the body cannot be written as JSON.") from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()


def _why_not_json(value: object, pointer: str) -> str | None:
    """The first place in `value` that JSON cannot carry, in words."""
    where = pointer or "the whole body"
    match value:
        case None | bool() | int() | str():
            return None
        case float():
            return None if math.isfinite(value) else f"{where} is {value}, which JSON cannot carry."
        case dict():
            members = cast("dict[Any, object]", value).items()
            return _first(_why_not_json(one, f"{pointer}/{_escaped(name)}") for name, one in members)
        case list() | tuple():
            entries = enumerate(cast("Sequence[object]", value))
            return _first(_why_not_json(one, f"{pointer}/{place}") for place, one in entries)
        case _:
            return f"{where} is a {type(value).__name__}, which JSON cannot carry."


def _escaped(name: object) -> str:
    return str(name).replace("~", "~0").replace("/", "~1")


def _first(reasons: Iterable[str | None]) -> str | None:
    return next((reason for reason in reasons if reason), None)
