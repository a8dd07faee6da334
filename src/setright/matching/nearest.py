"""Of an expected call that was not made: which call came nearest, and in which fields it differs."""

import sys
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from setright.matching.calls import NONE, Call, Entry, failed
from setright.matching.places import Difference, differences, places_of
from setright.matching.showing import LISTED, call_shown, several, shortened, shown
from setright.matching.values import MISSING

LOOKED_AT = 500  # calls that are compared for one expected call; further ones are passed over


class Nearest(NamedTuple):
    """The call that came nearest, by its position: it was of another tool, failed, was needed for another, or differs."""

    position: int
    call: Call
    is_other_tool: bool
    is_taken: bool
    differs: Sequence[Difference]


def nearest(
    needed: Entry, calls: Sequence[Call], taken: Collection[int | None], *, whole: bool
) -> Nearest | None:
    """The nearest of the calls, failed ones included; `taken` are the positions that other needed calls have.

    A call of the same tool is nearer than any other, then one that differs in fewer places, then one that is not
    taken, then one that succeeded; of equals the first. A call of another tool that is taken is not near.
    """
    tool, args = needed["tool"], needed.get("args") or NONE
    near = [position for position, call in enumerate(calls) if call["tool"] == tool]
    is_other = not near
    if is_other:
        near = [position for position in range(len(calls)) if position not in taken]
    match = needed.get("match")
    places = places_of(match) if match else {}
    found: Nearest | None = None
    least = (sys.maxsize, True, True)
    for position in near[:LOOKED_AT]:
        call = calls[position]
        differs = differences(args, call.get("args") or NONE, places, whole=whole)
        is_taken = position in taken
        far = (len(differs), is_taken, failed(call))
        if far < least:
            least = far
            found = Nearest(position, call, is_other, is_taken, differs)
    return found


def missing_written(index: int, needed: Entry, near: Nearest | None) -> dict[str, Any]:
    """A needed call that was not made, for machines; `index` is its place among the needed calls."""
    told: dict[str, Any] = {"index": index, "tool": needed["tool"]}
    if near is None:
        return told
    call: dict[str, Any] = {"position": near.position, "tool": near.call["tool"]}
    if failed(near.call):
        call["error"] = shortened(near.call["error"])
    if near.is_taken:
        call["neededForAnother"] = True
    call["differs"] = [_difference_written(one) for one in near.differs[:LISTED]]
    if len(near.differs) > LISTED:
        call["differsFurther"] = len(near.differs) - LISTED
    told["nearest"] = call
    return told


def _difference_written(one: Difference) -> dict[str, Any]:
    told: dict[str, Any] = {"place": one.place}
    if one.expected is not MISSING:
        told["expected"] = shortened(one.expected)
    if one.how:
        told["how"] = {name: shortened(value) for name, value in one.how.items()}
    if one.actual is not MISSING:
        told["actual"] = shortened(one.actual)
    return told


def missing_told(needed: Entry, near: Nearest | None) -> str:
    """A needed call that was not made, in words."""
    wanted = f"the needed call {call_shown(needed['tool'], needed.get('args') or NONE)} was not made"
    if near is None:
        return wanted
    which = f"call {near.position + 1}"
    if near.is_other_tool:
        return f"{wanted}, nor any of {needed['tool']} (the nearest is {which}, {near.call['tool']})"
    error = f"failed with {shown(near.call['error'])}" if failed(near.call) else ""
    if not near.differs:
        if near.is_taken:
            return f"{wanted} often enough ({which} counts for another of the needed calls)"
        return f"{wanted} with success ({which} {error})"
    fields = several(map(_difference_told, near.differs), len(near.differs))
    return f"{wanted} (the nearest, {which}, {error + ' and ' if error else ''}differs in {fields})"


def _difference_told(one: Difference) -> str:
    actual = "is missing" if one.actual is MISSING else f"was {shown(one.actual)}"
    return f"{one.place}: {_expected_told(one)}, {actual}"


def _expected_told(one: Difference) -> str:
    if one.how.get("anyOf") is not None:
        return f"expected one of {shown(one.how['anyOf'])}"
    if one.expected is MISSING:
        return "expected nothing"
    if not one.how:
        return f"expected {shown(one.expected)}"
    if one.how.get("tolerance") is not None:
        return f"expected {shown(one.expected)} within {shown(one.how['tolerance'])}"
    if one.how.get("prefix"):
        return f"expected a text that begins with {shown(one.expected)}"
    return f"expected {shown(one.expected)}"
