"""Any value as JSON that the server takes, written at once, and what had to be changed for that."""

import base64
import dataclasses
import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import cast
from uuid import UUID

from setright.client.records import Record

DEEPEST = 90
"""How many levels a value may have; the server reads 100 for the whole run."""
LARGEST_INTEGER = 2**53 - 1
EXCERPT = 2_000
MOST_SAID = 100
_PLAIN = (dict, list, str, int, float)
_LONG_NUMBER = re.compile(r"[0-9]{16}")


class Changes:
    """What of a run is not recorded as it was: `said` in words, `lost` when something of it is gone for good."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.count = 0
        self.lost = False

    def say(self, where: str, what: str, *, lost: bool = False) -> None:
        """One more change; only the first hundred are kept in words."""
        self.count += 1
        self.lost = self.lost or lost
        if len(self.said) < MOST_SAID:
            self.said.append(f"{where}: {what}")

    def take(self, others: "Changes") -> None:
        """The changes of a part."""
        self.count += others.count
        self.lost = self.lost or others.lost
        self.said += others.said[: MOST_SAID - len(self.said)]


def snapshot(value: object, where: str, changes: Changes) -> bytes:
    """A value as JSON text, as it is now; what JSON or the server cannot hold is replaced, and told in `changes`."""
    seen = Changes()
    try:
        text = _dumped(value, where, seen)
        written = text.encode()
        fits = not _suspicious(text, value if not seen.count else None)
    except (TypeError, ValueError, RecursionError):
        fits, written = False, b""
    if not fits:
        seen = Changes()
        written = _dumped(_Walk(where, seen).plain(value, 0), where, seen).encode()
    changes.take(seen)
    return written


def bounded(written: bytes, most: int, where: str, changes: Changes) -> bytes:
    """The JSON itself when it has at most so many bytes, else what says how large it was, with its beginning."""
    if len(written) <= most:
        return written
    changes.say(where, f"left out: {len(written)} bytes of JSON, at most {most} are recorded", lost=True)
    return left_out(written)


def left_out(written: bytes) -> bytes:
    """What stands in the place of JSON that is too large."""
    beginning = written[:EXCERPT].decode(errors="ignore")
    return json.dumps({"leftOut": f"{len(written)} bytes of JSON", "beginning": beginning}).encode()


def _dumped(value: object, where: str, changes: Changes) -> str:
    return json.dumps(
        value,
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":"),
        default=lambda odd: stand_in(odd, where, changes),
    )


def _suspicious(text: str, value: object) -> bool:
    """Whether every value has to be looked at; most texts are neither deep nor hold a long number or a NUL."""
    if "\\u0000" in text or _LONG_NUMBER.search(text) is not None:
        return True
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    return _too_deep(json.loads(text) if value is None else value)


def _too_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [one for outer in level for one in _parts(outer)]
        if not level:
            return False
    return True


def _parts(value: object) -> Iterable[object]:
    """The containers in a container."""
    inside = cast("dict[str, object]", value).values() if isinstance(value, dict) else value
    if not isinstance(inside, Iterable) or isinstance(value, str):
        return ()
    parts = cast("Iterable[object]", inside)
    return [cast("object", one) for one in parts if isinstance(one, dict | list | tuple)]


def stand_in(odd: object, where: str, changes: Changes) -> object:
    """What is recorded for a value that JSON does not have."""
    try:
        found, what, lost = _in_other_words(odd)
    except Exception as error:  # noqa: BLE001 - the objects of an agent may raise anything, and the agent goes on
        found, what, lost = (
            f"<{type(odd).__name__}>",
            f"that could not be read ({type(error).__name__})",
            True,
        )
    changes.say(where, f"a {type(odd).__name__} {what}", lost=lost)
    return found


def _in_other_words(odd: object) -> tuple[object, str, bool]:
    """What says the same, how it does, and whether something is lost."""
    match odd:
        case datetime() if odd.tzinfo is not None:
            return moment(odd), "as text", False
        case date() | time():
            return odd.isoformat(), "as text", False
        case Decimal() | UUID() | PurePath():
            return str(odd), "as text", False
        case timedelta():
            return odd.total_seconds(), "in seconds", False
        case Enum():
            return odd.value, "by its value", False
        case bytes() | bytearray() | memoryview():
            return *_of_bytes(bytes(cast("bytes", odd))), False
        case Record() | Mapping() | AbstractSet() | Sequence() | BaseException():
            return _of_many(cast("object", odd)), "in its parts", False
        case _:
            return _of_an_object(odd)


def _of_bytes(odd: bytes) -> tuple[object, str]:
    try:
        return odd.decode(), "as text"
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(odd).decode()}, "as base64"


def _of_many(odd: object) -> object:
    if isinstance(odd, Record):
        return dict(odd.raw)
    if isinstance(odd, Mapping):
        return dict(cast("Mapping[object, object]", odd))
    if isinstance(odd, AbstractSet):
        return sorted(cast("AbstractSet[object]", odd), key=repr)
    return list(cast("Sequence[object]", odd)) if isinstance(odd, Sequence) else failure(odd)


def _of_an_object(odd: object) -> tuple[object, str, bool]:
    if dataclasses.is_dataclass(odd) and not isinstance(odd, type):
        return {one.name: getattr(odd, one.name) for one in dataclasses.fields(odd)}, "as an object", False
    for name in ("model_dump", "_asdict", "tolist"):
        says = getattr(odd, name, None)
        said: object = says() if callable(says) and not isinstance(odd, type) else None
        if isinstance(said, _PLAIN):
            return cast("object", said), f"by its {name}", False
    shown = repr(odd)
    cut = shown if len(shown) <= EXCERPT else f"{shown[:EXCERPT]}…"
    return cut, "by its repr", True


def moment(at: datetime) -> str:
    """A moment with its zone, as on the wire."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def failure(error: object) -> object:
    """An exception as it is recorded; anything else as it is."""
    if not isinstance(error, BaseException):
        return error
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - the exceptions of an agent may raise anything, and the agent goes on
        message = ""
    return {"type": type(error).__name__, "message": message}


class _Walk:
    """Goes through a value and leaves only what the server takes."""

    def __init__(self, where: str, changes: Changes) -> None:
        self._where = where
        self._changes = changes
        self._above: set[int] = set()

    def plain(self, value: object, depth: int) -> object:
        """The value with every part replaced that the server would refuse."""
        match value:
            case None | bool():
                return value
            case str():
                return self._text(value)
            case int():
                return int(value) if abs(value) <= LARGEST_INTEGER else self._say(value, str(int(value)))
            case float():
                return float(value) if math.isfinite(value) else self._say(value, str(float(value)))
            case dict() | list() | tuple():
                return self._inside(cast("Collection[object]", value), depth)
            case _ if depth >= DEEPEST:
                return self._too_deep()
            case _:
                return self.plain(stand_in(value, self._where, self._changes), depth + 1)

    def _inside(self, value: Collection[object], depth: int) -> object:
        if depth >= DEEPEST or id(value) in self._above:
            return self._too_deep()
        place = id(value)
        self._above.add(place)
        try:
            if isinstance(value, dict):
                return self._members(cast("dict[object, object]", value), depth)
            return [self.plain(one, depth + 1) for one in value]
        finally:
            self._above.discard(place)

    def _members(self, value: dict[object, object], depth: int) -> dict[str, object]:
        members: dict[str, object] = {}
        for key, one in value.items():
            name = self._text(key) if isinstance(key, str) else self._say(key, _key(key))
            while name in members:
                name = self._say(key, f"{name}_")
            members[name] = self.plain(one, depth + 1)
        return members

    def _text(self, text: str) -> str:
        if "\0" not in text and not any("\ud800" <= one <= "\udfff" for one in text):
            return str(text)
        clean = text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._changes.say(self._where, "a text with a NUL or a lone surrogate, as U+FFFD", lost=True)
        return clean

    def _too_deep(self) -> str:
        self._changes.say(self._where, f"what is deeper than {DEEPEST} levels or holds itself", lost=True)
        return "…"

    def _say(self, value: object, text: str) -> str:
        self._changes.say(self._where, f"a {type(value).__name__} as the text {text[:40]}")
        return text


def _key(key: object) -> str:
    """A name that is no text, as JSON writers have it."""
    if key is None or isinstance(key, bool):
        return json.dumps(key)
    return str(key)[:EXCERPT]
