"""The tool calls of a new version, held against what a correction says of the calls that were made."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from setright.matching.calls import NONE, Call, Entry, assign, assign_in_order, failed, succeeded
from setright.matching.model import Aspect
from setright.matching.nearest import missing_told, missing_written, nearest
from setright.matching.showing import LISTED, call_shown, sentence, several, shortened

Effects = Mapping[str, str]
NO_CALLS: Sequence[Call] = ()
_TOOL = itemgetter("tool")


class _Wanted(NamedTuple):
    """What is held: the needed calls, the forbidden tools, whether others may write, whether the order counts.

    `whole` tells that the needed calls are those of the corrected run, `guessed` that nobody knows which of them write.
    """

    needed: Sequence[Entry]
    forbidden: Sequence[str]
    exactly: bool
    in_order: bool
    whole: bool = False
    guessed: bool = False


class _Found(NamedTuple):
    """What came of it, by positions: which call is whose, the forbidden ones, and others that write or may write.

    `gap` is the place of the needed call that was made, but not in its turn.
    """

    assigned: Sequence[int | None]
    gap: int | None
    forbidden: Sequence[int]
    others: Sequence[int]
    unknown: Sequence[int]


def decisions(
    said: Mapping[str, Any], stored: Mapping[str, Any], new: Mapping[str, Any], effects: Effects | None
) -> Aspect:
    """The aspect `decisions`; `effects` is what the project declares of its tools, nothing or none for nothing."""
    calls: Sequence[Call] = new.get("calls") or NO_CALLS
    wanted = _wanted(said, stored, effects or NONE)
    found = _hold(wanted, calls, effects or NONE)
    if found is None:
        return _right(wanted)
    if found.forbidden:
        return _wrong("forbidden-call", wanted, found, calls)
    reason = _fault(found)
    if reason is None:
        return _unknown(found.unknown, calls)
    diverged = [position for position, call in enumerate(calls) if call.get("diverged")]
    return _diverged(diverged) if diverged else _wrong(reason, wanted, found, calls)


def _wanted(said: Mapping[str, Any], stored: Mapping[str, Any], effects: Effects) -> _Wanted:
    if said["decisions"] == "wrong":
        return _Wanted(
            said.get("shouldCall") or NO_CALLS,
            said.get("mustNotCall") or (),
            said.get("callsMatch") == "exactly",
            said.get("callsOrder") == "as-listed",
        )
    calls: Sequence[Call] = stored.get("calls") or NO_CALLS
    # Without effects nothing says that a call only read: each of them is needed.
    needed = [call for call in calls if not failed(call) and (not effects or writes(call["tool"], effects))]
    return _Wanted(needed, (), exactly=True, in_order=False, whole=True, guessed=not effects)


def writes(tool: str, effects: Effects) -> bool:
    """Whether a tool writes, where the project has declared effects: one that it has not declared does."""
    return effects.get(tool) != "read"


def _hold(wanted: _Wanted, calls: Sequence[Call], effects: Effects) -> _Found | None:
    """What is not as wanted, or None where everything is."""
    gap: int | None = None
    if wanted.in_order:
        assigned = assign_in_order(wanted.needed, calls)
        if None in assigned:
            gap = assigned.index(None)
            assigned = assign(wanted.needed, calls)
    else:
        assigned = assign(wanted.needed, calls, whole=wanted.whole)
    forbidden = others = unknown = ()
    if wanted.forbidden:
        forbidden = [position for position, call in enumerate(calls) if call["tool"] in wanted.forbidden]
    if wanted.exactly:
        taken = set(assigned)
        beyond = [position for position in succeeded(calls) if position not in taken]
        if effects:
            others = [position for position in beyond if writes(calls[position]["tool"], effects)]
        else:
            unknown = beyond
    if forbidden or others or unknown or gap is not None or None in assigned:
        return _Found(assigned, gap, forbidden, others, unknown)
    return None


def _fault(found: _Found) -> str | None:
    if None in found.assigned:
        return "missing-call"
    if found.gap is not None:
        return "wrong-order"
    return "other-write" if found.others else None


def _right(wanted: _Wanted) -> Aspect:
    parts: list[str] = []
    if wanted.needed:
        order = ", in the order listed" if wanted.in_order else ""
        tools = several(map(_TOOL, wanted.needed), len(wanted.needed))
        if not (wanted.forbidden or wanted.exactly):
            return Aspect("decisions", "right", None, f"Every needed call was made{order}: {tools}.", NONE)
        parts.append(f"every needed call was made{order}: {tools}")
    if wanted.forbidden:
        parts.append(f"what must not be called was not: {several(wanted.forbidden, len(wanted.forbidden))}")
    if wanted.exactly:
        parts.append("nothing else was written" if wanted.needed else "nothing was written")
    return Aspect("decisions", "right", None, sentence(parts or ["no call was needed"]), NONE)


def _wrong(reason: str, wanted: _Wanted, found: _Found, calls: Sequence[Call]) -> Aspect:
    parts: list[str] = []
    details: dict[str, Any] = {}
    if found.forbidden:
        parts.append(f"a call was made that must not be: {_calls_told(found.forbidden, calls)}")
        details["forbidden"] = _calls_written(found.forbidden, calls)
    if None in found.assigned:
        _tell_missing(wanted, found, calls, parts, details)
    elif found.gap is not None:
        parts.append(_order_told(wanted.needed, found.gap))
        details["outOfOrder"] = {"index": found.gap, "positions": found.assigned}
    if found.others:
        told = _calls_told(found.others, calls)
        parts.append(f"beside the needed calls something else was written: {told}")
        details["others"] = _calls_written(found.others, calls)
    return Aspect("decisions", "wrong", reason, sentence(parts), details)


def _tell_missing(
    wanted: _Wanted, found: _Found, calls: Sequence[Call], parts: list[str], details: dict[str, Any]
) -> None:
    told: list[str] = []
    written: list[dict[str, Any]] = []
    gaps = [index for index, position in enumerate(found.assigned) if position is None]
    for index in gaps[:LISTED]:
        entry = wanted.needed[index]
        near = nearest(entry, calls, found.assigned, whole=wanted.whole)
        told.append(missing_told(entry, near))
        written.append(missing_written(index, entry, near))
    parts.append(several(told, len(gaps)))
    details["missing"] = written
    if len(gaps) > LISTED:
        details["missingFurther"] = len(gaps) - LISTED
    if wanted.guessed:
        parts.append(
            "every call of the corrected run counts until the project declares which tools only read"
        )


def _order_told(needed: Sequence[Entry], gap: int) -> str:
    late, before = needed[gap]["tool"], needed[gap - 1]["tool"]
    return (
        "the needed calls were made, but not in the order listed: "
        f"no {late} as needed follows the {before} before it"
    )


def _unknown(beyond: Sequence[int], calls: Sequence[Call]) -> Aspect:
    told = f"beside the needed calls another was made: {_calls_told(beyond, calls)}"
    open_question = "whether it writes is not known until the project declares the effects of its tools"
    return Aspect(
        "decisions",
        "not-evaluated",
        "effects-unknown",
        sentence([told, open_question]),
        {"unknown": _calls_written(beyond, calls)},
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
        told = {"position": position, "tool": call["tool"]}
        if failed(call):
            told["error"] = shortened(call["error"])
        found.append(told)
    return found
