"""The tool calls of a new version, held against what a correction says of the calls that were made."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from setright.matching.calls import (
    NONE,
    Call,
    Expected,
    Made,
    assign,
    assign_in_order,
    expected,
    failed,
    made,
)
from setright.matching.model import Aspect
from setright.matching.nearest import missing_told, missing_written, nearest
from setright.matching.showing import LISTED, call_shown, sentence, several, shortened, shortened_fields

Effects = Mapping[str, str]
NO_CALLS: Sequence[Call] = ()


class _Wanted(NamedTuple):
    """What is held: the needed calls, the forbidden tools, whether others may write, whether the order counts.

    `guessed` tells that calls of the corrected run are needed of which nobody knows whether they write.
    """

    needed: list[Expected]
    forbidden: Collection[str]
    exactly: bool
    in_order: bool
    guessed: bool = False


class _Found(NamedTuple):
    """What came of it: which call is whose, the forbidden calls, and those beyond that write or may write."""

    assigned: list[int | None]
    out_of_order: int | None
    forbidden: list[int]
    others: list[Made]
    unknown: list[Made]


def decisions(
    said: Mapping[str, Any], stored: Mapping[str, Any], new: Mapping[str, Any], effects: Effects | None
) -> Aspect:
    """The aspect `decisions`; `effects` is what the project declares of its tools, nothing or none for nothing."""
    calls: Sequence[Call] = new.get("calls") or NO_CALLS
    wanted = _wanted(said, stored, effects or NONE)
    found = _hold(wanted, calls, effects or NONE)
    diverged = [position for position, call in enumerate(calls) if call.get("diverged")]
    if found.forbidden:
        return _wrong("forbidden-call", wanted, found, calls)
    reason = _fault(found)
    if reason is not None:
        return _diverged(diverged) if diverged else _wrong(reason, wanted, found, calls)
    if found.unknown:
        return _unknown(found.unknown, calls)
    return Aspect("decisions", "right", None, _right(wanted), {})


def _wanted(said: Mapping[str, Any], stored: Mapping[str, Any], effects: Effects) -> _Wanted:
    if said["decisions"] == "right":
        calls: Sequence[Call] = stored.get("calls") or NO_CALLS
        # Without effects nothing says that a call only read: each of them is needed.
        needed = [
            expected(call, whole=True)
            for call in calls
            if not failed(call) and (not effects or writes(call["tool"], effects))
        ]
        return _Wanted(needed, (), exactly=True, in_order=False, guessed=not effects)
    return _Wanted(
        [expected(entry) for entry in said.get("shouldCall") or ()],
        said.get("mustNotCall") or (),
        said.get("callsMatch") == "exactly",
        said.get("callsOrder") == "as-listed",
    )


def writes(tool: str, effects: Effects) -> bool:
    """Whether a tool writes, where the project has declared effects: one that it has not declared does."""
    return effects.get(tool) != "read"


def _hold(wanted: _Wanted, calls: Sequence[Call], effects: Effects) -> _Found:
    succeeded = made(calls)
    assigned = (
        assign_in_order(wanted.needed, succeeded) if wanted.in_order else assign(wanted.needed, succeeded)
    )
    out_of_order = None
    if wanted.in_order and None in assigned:
        gap = assigned.index(None)
        assigned = assign(wanted.needed, succeeded)
        out_of_order = gap if None not in assigned else None
    forbidden = (
        [position for position, call in enumerate(calls) if call["tool"] in wanted.forbidden]
        if wanted.forbidden
        else []
    )
    if not wanted.exactly:
        return _Found(_positions(assigned, succeeded), out_of_order, forbidden, [], [])
    taken = set(assigned)
    beyond = [call for index, call in enumerate(succeeded) if index not in taken]
    if effects:
        others, unknown = [call for call in beyond if writes(call.tool, effects)], []
    else:
        others, unknown = [], beyond
    return _Found(_positions(assigned, succeeded), out_of_order, forbidden, others, unknown)


def _positions(assigned: list[int | None], succeeded: list[Made]) -> list[int | None]:
    return [None if index is None else succeeded[index].position for index in assigned]


def _fault(found: _Found) -> str | None:
    if None in found.assigned:
        return "missing-call"
    if found.out_of_order is not None:
        return "wrong-order"
    return "other-write" if found.others else None


def _right(wanted: _Wanted) -> str:
    parts: list[str] = []
    if wanted.needed:
        order = ", in the order listed" if wanted.in_order else ""
        tools = [one.tool for one in wanted.needed]
        parts.append(f"every needed call was made{order}: {several(tools, len(tools))}")
    if wanted.forbidden:
        parts.append(f"what must not be called was not: {several(wanted.forbidden, len(wanted.forbidden))}")
    if wanted.exactly:
        parts.append("nothing else was written" if wanted.needed else "nothing was written")
    return sentence(parts or ["no call was needed"])


def _wrong(reason: str, wanted: _Wanted, found: _Found, calls: Sequence[Call]) -> Aspect:
    parts: list[str] = []
    details: dict[str, Any] = {}
    if found.forbidden:
        parts.append(f"a call was made that must not be: {_calls_told(found.forbidden, calls)}")
        details["forbidden"] = _calls_written(found.forbidden, calls)
    missing = [index for index, position in enumerate(found.assigned) if position is None]
    if missing:
        taken = {position for position in found.assigned if position is not None}
        near = [
            (index, wanted.needed[index], nearest(wanted.needed[index], calls, taken))
            for index in missing[:LISTED]
        ]
        parts.append(several((missing_told(needed, call) for _, needed, call in near), len(missing)))
        details["missing"] = [missing_written(index, needed, call) for index, needed, call in near]
        details |= {"missingFurther": len(missing) - LISTED} if len(missing) > LISTED else {}
        if wanted.guessed:
            parts.append(
                "every call of the corrected run counts until the project declares which tools only read"
            )
    if found.out_of_order is not None:
        parts.append(_order_told(found, wanted.needed))
        details["outOfOrder"] = {"index": found.out_of_order, "positions": found.assigned}
    others = [call.position for call in found.others]
    if others:
        parts.append(f"beside the needed calls something else was written: {_calls_told(others, calls)}")
        details["others"] = _calls_written(others, calls)
    return Aspect("decisions", "wrong", reason, sentence(parts), details)


def _order_told(found: _Found, needed: Sequence[Expected]) -> str:
    gap = found.out_of_order or 0
    return (
        f"the needed calls were made, but not in the order listed: "
        f"no {needed[gap].tool} as needed follows the {needed[gap - 1].tool} before it"
    )


def _unknown(beyond: Sequence[Made], calls: Sequence[Call]) -> Aspect:
    positions = [call.position for call in beyond]
    told = f"beside the needed calls another was made: {_calls_told(positions, calls)}"
    return Aspect(
        "decisions",
        "not-evaluated",
        "effects-unknown",
        sentence(
            [told, "whether it writes is not known until the project declares the effects of its tools"]
        ),
        {"unknown": _calls_written(positions, calls)},
    )


def _diverged(positions: Sequence[int]) -> Aspect:
    which = several((f"call {position + 1}" for position in positions), len(positions))
    return Aspect(
        "decisions",
        "not-evaluated",
        "diverged",
        sentence(
            [f"the replay left the recording at {which}, so that what is missing after it says nothing"]
        ),
        {"diverged": list(positions[:LISTED])},
    )


def _calls_told(positions: Sequence[int], calls: Sequence[Call]) -> str:
    told = (
        f"{call_shown(calls[position]['tool'], calls[position].get('args') or NONE)} (call {position + 1})"
        for position in positions
    )
    return several(told, len(positions))


def _calls_written(positions: Sequence[int], calls: Sequence[Call]) -> list[dict[str, Any]]:
    """Calls for machines, the first few."""
    found: list[dict[str, Any]] = []
    for position in positions[:LISTED]:
        call = calls[position]
        told = {
            "position": position,
            "tool": call["tool"],
            "args": shortened_fields(call.get("args") or NONE),
        }
        if failed(call):
            told["error"] = shortened(call["error"])
        found.append(told)
    return found
