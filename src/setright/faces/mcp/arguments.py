"""The arguments of tools: their schema, and how what clients really send becomes what a tool takes, or is refused."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Any, Literal, cast

from setright.kernel import json
from setright.kernel.errors import Refusal
from setright.kernel.json import MAX_DEPTH, MAX_INTEGER

Kind = Literal["text", "id", "choice", "whole", "texts", "object", "objects"]
MOST_ID = 1_000
"""No id and no page token is longer; an idempotency_key has a limit of its own."""
INJECTED = frozenset({"toolCallId", "tool_call_id", "sessionId", "chatInput", "action", "tool"})
"""Names that automation tools add to every call, whatever a schema says; dropped where a tool has no such argument."""


class ToolFault(Exception):
    """A call that cannot be done as it came: the message says what is wrong, what is allowed, and what to do next."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool; `choices` are its values where it is a choice, `most` how many characters it may have.

    Without `most` it is the room behind the tool that says how long it may be.
    """

    name: str
    kind: Kind
    meaning: str
    choices: tuple[str, ...] = ()
    required: bool = False
    most: int | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The argument in the tool's schema: one flat type, never a union with null, never an empty choice."""
        described = {"description": self.meaning}
        match self.kind:
            case "text" | "id":
                return {"type": "string", **described}
            case "choice":
                return {"type": "string", "enum": [*self.choices], **described}
            case "whole":
                return {"type": "integer", **described}
            case "texts":
                return {"type": "array", "items": {"type": "string"}, **described}
            case "object":
                return {"type": "object", **described}
            case "objects":
                return {"type": "array", "items": {"type": "object"}, **described}


def schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {argument.name: argument.schema for argument in arguments},
        "required": [argument.name for argument in arguments if argument.required],
        "additionalProperties": False,
    }


def read(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call, without those that are absent; refuses (ToolFault) with every fault at once."""
    known = {argument.name: argument for argument in arguments}
    found: dict[str, Any] = {}
    faults: list[str] = []
    for name, value in given.items():
        argument = known.get(name)
        if argument is None:
            if not _is_injected(name):
                faults.append(_unknown(name, known))
            continue
        try:
            taken = _READERS[argument.kind](argument, value)
        except ToolFault as fault:
            faults.append(str(fault))
            continue
        if taken is not None:
            found[name] = taken
    named = {fault.partition(":")[0] for fault in faults}
    missing = [argument.name for argument in arguments if argument.required and argument.name not in found]
    faults += [_missing(known[name]) for name in missing if name not in named]
    if faults:
        raise ToolFault("\n".join(faults))
    return {argument.name: found[argument.name] for argument in arguments if argument.name in found}


def _is_injected(name: str) -> bool:
    return name.startswith("_") or name in INJECTED


def _unknown(name: str, known: Mapping[str, Argument]) -> str:
    shown = name.encode("ascii", "backslashreplace").decode()[:100]
    near = get_close_matches(name, known, n=1)
    guess = f" Did you mean '{near[0]}'?" if near else ""
    every = ", ".join(known) or "none"
    return f"Unknown argument '{shown}'.{guess} Arguments: {every}."


def _missing(argument: Argument) -> str:
    allowed = f" Use one of: {', '.join(argument.choices)}." if argument.choices else ""
    return f"{argument.name}: is required.{allowed} {argument.meaning}"


def _is_absent(value: object) -> bool:
    return value is None or value == ""


def _text(argument: Argument, value: Any) -> str | None:
    if _is_absent(value):
        return None
    if not isinstance(value, str):
        raise ToolFault(f"{argument.name}: must be text, got {_told(value)}.")
    if argument.most is not None and len(value) > argument.most:
        raise ToolFault(f"{argument.name}: has {len(value)} characters; allowed: at most {argument.most}.")
    return _clean(argument, value)


def _id(argument: Argument, value: Any) -> str | None:
    found = None if value == "null" else _text(argument, value)
    if found is not None and len(found) > MOST_ID:
        raise ToolFault(f"{argument.name}: has {len(found)} characters; allowed: at most {MOST_ID}.")
    return found


def _choice(argument: Argument, value: Any) -> str | None:
    if _is_absent(value) or value == "null":
        return None
    chosen = value.strip().casefold() if isinstance(value, str) else ""
    if not chosen and isinstance(value, str):
        return None
    if chosen not in argument.choices:
        shown = f"'{_short(value)}'" if isinstance(value, str) else _told(value)
        raise ToolFault(
            f"{argument.name}: {shown} is not allowed. Use one of: {', '.join(argument.choices)}."
        )
    return chosen


def _whole(argument: Argument, value: Any) -> int | None:
    if _is_absent(value) or value == "null":
        return None
    number = value
    if isinstance(value, str):
        text = value.strip()
        number = int(text) if text.lstrip("-").isdecimal() and len(text) <= 20 and text.isascii() else value
    elif isinstance(value, float) and value.is_integer():
        number = int(value)
    if isinstance(number, bool) or not isinstance(number, int):
        raise ToolFault(f"{argument.name}: must be a whole number, got {_told(value)}.")
    if abs(number) > MAX_INTEGER:
        raise ToolFault(f"{argument.name}: must be a whole number of at most {MAX_INTEGER}.")
    return number


def _texts(argument: Argument, value: Any) -> list[str] | None:
    if _is_absent(value) or value == "null":
        return None
    entries: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
    if isinstance(value, str):
        parsed = _parsed(value)
        entries = cast("list[Any]", parsed) if isinstance(parsed, list) else [value]
    kept = [entry for entry in entries if not _is_absent(entry) and entry != "null"]
    wrong = next((entry for entry in kept if not isinstance(entry, str)), None)
    if wrong is not None:
        raise ToolFault(f"{argument.name}: must be a list of texts, got {_told(wrong)} in it.")
    return [_clean(argument, entry) for entry in kept] or None


def _object(argument: Argument, value: Any) -> dict[str, Any] | None:
    value = _parsed(value) if isinstance(value, str) and not _is_absent(value) else value
    if _is_absent(value):
        return None
    if not isinstance(value, dict):
        raise ToolFault(f"{argument.name}: must be an object, or an object as JSON text, got {_told(value)}.")
    found = cast("dict[str, Any]", value)
    _check_inside(argument, found)
    return found


def _objects(argument: Argument, value: Any) -> list[Any] | None:
    value = _parsed(value) if isinstance(value, str) and not _is_absent(value) else value
    if _is_absent(value):
        return None
    entries = cast("list[Any]", value) if isinstance(value, list) else [value]
    entries = [
        _parsed(entry) if isinstance(entry, str) and entry.startswith("{") else entry for entry in entries
    ]
    if isinstance(value, str | int | float | bool):
        raise ToolFault(f"{argument.name}: must be a list, or a list as JSON text, got {_told(value)}.")
    _check_inside(argument, entries)
    return entries


_READERS: Mapping[Kind, Callable[[Argument, Any], Any]] = {
    "text": _text,
    "id": _id,
    "choice": _choice,
    "whole": _whole,
    "texts": _texts,
    "object": _object,
    "objects": _objects,
}


def _parsed(text: str) -> Any:
    """What a text holds as JSON, and the text itself when it holds none."""
    try:
        return json.read(text.encode())
    except (Refusal, UnicodeEncodeError):
        return text


def _clean(argument: Argument, text: str) -> str:
    if "\0" in text:
        raise ToolFault(f"{argument.name}: holds U+0000, which cannot be stored. Send it without.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ToolFault(
            f"{argument.name}: holds half of a surrogate pair, which is no character. Send it without."
        ) from None
    return text


def _check_inside(argument: Argument, value: object) -> None:
    """Refuse what JSON cannot carry on: wherever it stands, as deep as it is."""
    waiting: list[tuple[object, int]] = [(value, 1)]
    while waiting:
        one, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise ToolFault(f"{argument.name}: is nested deeper than {MAX_DEPTH}.")
        if isinstance(one, str):
            _clean(argument, one)
        elif isinstance(one, dict):
            inside = cast("dict[object, object]", one)
            waiting += [(each, depth + 1) for pair in inside.items() for each in pair]
        elif isinstance(one, list):
            waiting += [(each, depth + 1) for each in cast("list[object]", one)]
        elif isinstance(one, float) and not isfinite(one):
            raise ToolFault(f"{argument.name}: holds a number that is none (NaN or infinite).")
        elif isinstance(one, int) and abs(one) > MAX_INTEGER:
            raise ToolFault(f"{argument.name}: holds a whole number beyond {MAX_INTEGER}; send it as text.")


def _told(value: object) -> str:
    """A value in an error: what it is, and where it is short and harmless also which."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}" if len(str(value)) <= 25 else "a number"
        case str():
            return f"the text '{_short(value)}'"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return "null"


def _short(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:60])
    return shown + ("..." if len(text) > 60 else "")
