"""Of an expected call that was not made: which call came nearest, and in which fields it differs."""

import sys
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from setright.matching.calls import NONE, Call, Entry, failed
from setright.matching.places import NOWHERE, Difference, How, differences, places_of
from setright.matching.showing import LISTED, call_shown, several, shortened, shown
from setright.matching.values import MISSING

LOOKED_AT = 500  # calls that are compared for one expected call; further ones are passed over


class Nearest(NamedTuple):
    """The call that came nearest, by its position: it was of another tool, failed, was needed for another, or differs."""

    position: int
    call: Call
    is_other_tool: bool
    is_taken: bool
    has_failed: bool
    differs: Sequence[Difference]


def nearest(
    needed: Entry, calls: Sequence[Call], taken: Collection[int | None], *, whole: bool
) -> Nearest | None:
    """The nearest of the calls, failed ones included; `taken` are the positions that other needed calls have.

    A call of the same tool is nearer than any other, then one that differs in fewer places, then one that is not
    taken, then one that succeeded; of equals the first. A call of another tool that is taken is not near.
    """
    tool, args, match = needed["tool"], needed.get("args") or NONE, needed.get("match")
    near = [position for position, call in enumerate(calls) if call["tool"] == tool]
    is_other = not near
    if is_other:
        near = [position for position in range(len(calls)) if position not in taken]
    places = places_of(match) if match else NOWHERE
    found: Nearest | None = None
    least: tuple[int, ...] = (sys.maxsize,)
    for position in near[:LOOKED_AT]:
        call = calls[position]
        differs = differences(args, call.get("args") or NONE, places, whole=whole)
        far = (len(differs), position in taken, failed(call))
        if far < least:
            least = far
            found = Nearest(position, call, is_other, far[1], far[2], differs)
    return found


def missing_written(index: int, needed: Entry, near: Nearest | None) -> dict[str, Any]:
    """A needed call that was not made, for machines; `index` is its place among the needed calls."""
    if near is None:
        return {"index": index, "tool": needed["tool"]}
    position, call, _, is_taken, has_failed, differs = near
    told: dict[str, Any] = {"position": position, "tool": call["tool"]}
    if has_failed:
        told["error"] = shortened(call["error"])
    if is_taken:
        told["neededForAnother"] = True
    told["differs"] = [_difference_written(one) for one in differs[:LISTED]]
    if len(differs) > LISTED:
        told["differsFurther"] = len(differs) - LISTED
    return {"index": index, "tool": needed["tool"], "nearest": told}


def _difference_written(one: Difference) -> dict[str, Any]:
    place, expected, actual, how = one
    told: dict[str, Any] = {"place": place}
    if expected is not MISSING:
        told["expected"] = shortened(expected)
    if how:
        told["how"] = {name: shortened(value) for name, value in how.items()}
    if actual is not MISSING:
        told["actual"] = shortened(actual)
    return told


def missing_told(needed: Entry, near: Nearest | None) -> str:
    """A needed call that was not made, in words."""
    wanted = f"the needed call {call_shown(needed['tool'], needed.get('args') or NONE)} was not made"
    if near is None:
        return wanted
    position, call, is_other, is_taken, has_failed, differs = near
    which = f"call {position + 1}"
    if is_other:
        return f"{wanted}, nor any of {needed['tool']} (the nearest is {which}, {call['tool']})"
    error = f"failed with {shown(call['error'])}" if has_failed else ""
    if not differs:
        if is_taken:
            return f"{wanted} often enough ({which} counts for another of the needed calls)"
        return f"{wanted} with success ({which} {error})"
    fields = several(map(_difference_told, differs), len(differs))
    return f"{wanted} (the nearest, {which}, {error + ' and ' if error else ''}differs in {fields})"


def _difference_told(one: Difference) -> str:
    place, expected, actual, how = one
    was = "is missing" if actual is MISSING else f"was {shown(actual)}"
    if how:
        return f"{place}: {_expected_told(expected, how)}, {was}"
    return f"{place}: expected {'nothing' if expected is MISSING else shown(expected)}, {was}"


def _expected_told(expected: Any, how: How) -> str:
    if how.get("anyOf") is not None:
        return f"expected one of {shown(how['anyOf'])}"
    if expected is MISSING:
        return "expected nothing"
    if how.get("tolerance") is not None:
        return f"expected {shown(expected)} within {shown(how['tolerance'])}"
    if how.get("prefix"):
        return f"expected a text that begins with {shown(expected)}"
    return f"expected {shown(expected)}"
