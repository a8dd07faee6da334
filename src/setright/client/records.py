"""Answers as typed records: how the JSON of the server becomes frozen dataclasses."""

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from typing import Any, Self, Union, cast, get_args, get_origin, get_type_hints

Reader = Callable[[str, Any], Any]


class Unreadable(Exception):
    """The JSON of an answer is not what the contract says; the core of the client turns it into `Unexpected`."""


@dataclass(frozen=True)
class Receipt:
    """What came beside an answer: `replayed` says that it is the kept answer to a key used before."""

    status: int
    request_id: str | None = None
    etag: str | None = None
    replayed: bool = False


@dataclass(frozen=True, kw_only=True)
class Record:
    """The root of every answer: `raw` is the JSON as it came, with all that this version of the client does not know.

    A field that the server left out is None. Two records are equal when their known fields are.
    """

    raw: Mapping[str, Any] = field(repr=False, compare=False)
    receipt: Receipt | None = field(default=None, repr=False, compare=False)

    @classmethod
    def read(cls, value: object, receipt: Receipt | None = None) -> Self:
        """The record in a JSON object; a known field of a wrong type is `Unreadable`."""
        if not isinstance(value, dict):
            raise Unreadable(f"{cls.__name__} is {value!r:.80} and not an object")
        raw = cast("dict[str, Any]", value)
        known = {
            name: reader(f"{cls.__name__}.{wire}", raw.get(wire)) for name, wire, reader in _readers(cls)
        }
        return cls(raw=raw, receipt=receipt, **known)


@cache
def _readers(record: type[Record]) -> tuple[tuple[str, str, Reader], ...]:
    """For each field of a record: its name, its name on the wire, and what reads its value."""
    hints = get_type_hints(record)
    names = [entry.name for entry in fields(record) if entry.name not in ("raw", "receipt")]
    return tuple((name, _wire(name), _reader(hints[name])) for name in names)


def _wire(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _reader(hint: Any) -> Reader:
    """What reads a value of the type `hint`; a type that is not named here is taken as it came."""
    arguments = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        (inner,) = (argument for argument in arguments if argument is not types.NoneType)
        return _optional(_reader(inner))
    if get_origin(hint) is tuple:
        return _many(_reader(arguments[0]))
    if hint is datetime:
        return _moment
    if hint in (str, int, float, bool):
        return _plain(hint)
    if isinstance(hint, type) and issubclass(hint, Record):
        return lambda _where, value: hint.read(value)
    return lambda _where, value: value


def _optional(reader: Reader) -> Reader:
    return lambda where, value: None if value is None else reader(where, value)


def _many(reader: Reader) -> Reader:
    def read(where: str, value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Unreadable(f"{where} is {value!r:.80} and not an array")
        return tuple(reader(where, entry) for entry in cast("list[object]", value))

    return read


def _plain(kind: type) -> Reader:
    accepted = (int, float) if kind is float else (kind,)

    def read(where: str, value: object) -> object:
        if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
            raise Unreadable(f"{where} is {value!r:.80} and not of type {kind.__name__}")
        return value

    return read


def _moment(where: str, value: object) -> datetime:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise Unreadable(f"{where} is {value!r:.80} and not a moment with its zone")
    return moment
