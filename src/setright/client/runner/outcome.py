"""What came of one case: what an agent returned and what its tools saw, as the result of a case is sent."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from setright.client.records import Record
from setright.client.replay import Call, NoRecording, RecordedTools
from setright.client.values import encode, ours
from setright.matching import same

Outcome = dict[str, Any]
_FIELDS = ("output", "answer", "calls", "messages")
_LONGEST = 2_000


class AgentFault(Exception):
    """The agent did its work in a way that gives no result; the message is the reason that is kept."""


def outcome_of(returned: object, tools: RecordedTools) -> Outcome:
    """The result that an agent's return value and its calls through `tools` make; raises `AgentFault`.

    It returns a text, or `{output?, answer?, calls?, messages?}`. Calls that went through `tools` count whether they
    are returned or not; a returned one that is equal to one of those is that one.
    """
    if isinstance(returned, str):
        told: Outcome = {"output": returned}
    elif isinstance(returned, Mapping):
        told = dict(cast("Mapping[str, Any]", returned))
    else:
        raise AgentFault(
            f"it returned {_article(returned)}, where a text or {{output, answer, calls}} is needed"
        )
    unknown = [name for name in told if name not in _FIELDS]
    if unknown:
        raise AgentFault(f"it returned {unknown[0]!r}, which is no field; allowed: {', '.join(_FIELDS)}")
    calls = _together(_calls(told.get("calls")), tools.calls)
    outcome = {**told, "calls": calls}
    if outcome.get("answer") is None:
        outcome.pop("answer", None)
    try:
        encode(outcome)
    except ValueError as error:
        raise AgentFault(f"what it returned cannot be kept: {error}") from None
    return outcome


def came_of(returned: object, error: BaseException | None, tools: RecordedTools) -> Outcome:
    """The result of an agent that returned something or raised `error`.

    One that ended because nothing was recorded of a read has not failed: what it called until then is its result.
    """
    try:
        if error is None:
            return outcome_of(returned, tools)
    except AgentFault as fault:
        return failed(str(fault), tools)
    if _left_the_recording(error):
        return {"calls": tools.calls}
    return failed(str(error) if isinstance(error, AgentFault) else told_in_a_line(error), tools)


def failed(reason: str, tools: RecordedTools) -> Outcome:
    """The result of an agent that failed; what it called before is kept beside the reason."""
    kept = reason.replace("\0", "").encode("utf-8", "replace").decode()[:_LONGEST]
    return {"calls": tools.calls, "error": kept.strip() or "it failed without a word"}


def told_in_a_line(error: BaseException) -> str:
    """An exception in one line, its kind first."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _left_the_recording(error: BaseException | None) -> bool:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, NoRecording):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _calls(returned: object) -> list[Call]:
    if returned is None:
        return []
    if not isinstance(returned, Sequence) or isinstance(returned, (str, bytes)):
        raise AgentFault(f"calls is {_article(returned)} and not a list")
    calls: list[Call] = []
    for place, call in enumerate(cast("Sequence[Any]", returned)):
        shaped = cast("Call", ours(call) if _is_object(call) else {})
        if not isinstance(shaped.get("tool"), str) or not isinstance(shaped.get("args") or {}, Mapping):
            raise AgentFault(f"calls/{place} is no call: {{tool, args, result?, error?}} is needed")
        calls.append({**shaped, "args": dict(cast("Mapping[str, Any]", shaped.get("args") or {}))})
    return calls


def _is_object(call: object) -> bool:
    return isinstance(call, (Mapping, Record))


def _together(returned: list[Call], seen: list[Call]) -> list[Call]:
    """The returned calls in their order, with what the tools know of them, and then those that only the tools saw."""
    left = list(seen)
    calls: list[Call] = []
    for call in returned:
        place = next((at for at, one in enumerate(left) if _equal(one, call)), None)
        calls.append(call if place is None else left.pop(place))
    return calls + left


def _equal(one: Call, other: Call) -> bool:
    return one["tool"] == other["tool"] and same(one["args"], other["args"])


def _article(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"
