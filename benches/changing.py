"""Seeded changes of values and calls: such that mean the same, and such that leave everything that is accepted."""

import json
from collections.abc import Iterable, Sequence
from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

Call = dict[str, Any]


def rewritten(value: Any, chance: Random) -> Any:
    """The same JSON value with its keys in another order and its whole numbers as floats."""
    if isinstance(value, dict):
        names = list(value)
        chance.shuffle(names)
        return {name: rewritten(value[name], chance) for name in names}
    if isinstance(value, list):
        return [rewritten(one, chance) for one in value]
    if isinstance(value, int) and not isinstance(value, bool) and int(float(value)) == value:
        return float(value)
    return value


def fingerprint(value: Any) -> str:
    """A text that two JSON values share exactly when they are equal; made without the code that is measured."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {"object": {name: _plain(inner) for name, inner in value.items()}}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, bool) or value is None:
        return {"word": str(value)}
    return {"number": str(Fraction(value))} if isinstance(value, (int, float)) else value


def others(value: Any) -> list[Any]:
    """Values that are not equal to this one, near ones first: they would pass where a comparison is careless."""
    if isinstance(value, bool):
        return [not value, int(value), str(value).lower(), None]
    if isinstance(value, (int, float)):
        near: list[Any] = [value + 1, -value - 1, str(value), [value], None]
        return [*near, bool(value)] if value in (0, 1) else near
    if isinstance(value, str):
        texts: list[Any] = [f"{value}x", f"{value} ", value.swapcase(), value[:-1], [value], None]
        return [*texts, int(value)] if value.isascii() and value.isdigit() else texts
    if isinstance(value, list):
        inner = [[other, *value[1:]] for other in others(value[0])] if value else []
        return [[*value, None], value[:-1], value[::-1], *inner, {}, None]
    if isinstance(value, dict):
        fewer = [{name: value[name] for name in value if name != left} for left in value]
        inner = [{**value, name: other} for name in value for other in others(value[name])]
        return [{**value, "further": 1}, *fewer, *inner, [], None]
    return [False, 0, "", "null"]


def leaving(value: Any, accepted: Iterable[Any]) -> list[Any]:
    """Changes of a value that no accepted alternative is equal to, each once."""
    taken = {fingerprint(one) for one in [value, *accepted]}
    found: list[Any] = []
    for other in others(value):
        mark = fingerprint(other)
        if mark not in taken:
            taken.add(mark)
            found.append(other)
    return found


def with_argument(calls: Sequence[Call], place: int, args: dict[str, Any]) -> list[Call]:
    """The calls, one of them with other arguments."""
    changed = deepcopy(list(calls))
    changed[place]["args"] = args
    return changed


def with_tool(calls: Sequence[Call], place: int, tool: str) -> list[Call]:
    """The calls, one of them of another tool."""
    changed = deepcopy(list(calls))
    changed[place]["tool"] = tool
    return changed
