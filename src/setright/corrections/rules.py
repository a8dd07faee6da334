"""The rules between the fields of a correction: what needs what, and what excludes what."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from setright.corrections.lifecycle import BY_HAND, disagree
from setright.corrections.places import places_faults
from setright.kernel import canonical, json
from setright.kernel.errors import fault_at
from setright.kernel.fields import ENTRIES, ITEMS, WORDS
from setright.kernel.pointers import pointer_fault
from setright.matching import number_in

Faults = Iterator[dict[str, str]]


def body_faults(body: Mapping[str, Any]) -> Faults:
    """Every fault between the fields of a correction's body (wire names; null means absent)."""
    yield from _one_run({name: value for name, value in body.items() if value is not None})
    yield from verdict_faults(body)


def verdict_faults(body: Mapping[str, Any]) -> Faults:
    """Every fault between the fields of what is said of a run, whichever it is."""
    said = {name: value for name, value in body.items() if value is not None}
    if not any(said.get(name) for name in ("decisions", "answer", "items")):
        yield fault_at("", "says nothing", "at least one of decisions, answer and items")
    yield from _decisions(said)
    yield from _answer(said)
    yield from _items(said)
    yield from _answer_match(said)


def change_faults(body: Mapping[str, Any]) -> Faults:
    """Every fault between the fields of a change; here null lifts, so that only `status` cannot be null."""
    if not any(name in body for name in ("status", "sortedTo", "statusNote")):
        yield fault_at("", "changes nothing", "at least one of status, sortedTo and statusNote")
    if "status" in body and body["status"] is None:
        yield fault_at("/status", "is null", ", ".join(BY_HAND))
    if body.get("reason") is not None and "sortedTo" not in body:
        yield fault_at("/reason", "is given", "only with sortedTo")
    status, desk = body.get("status"), body.get("sortedTo")
    if "sortedTo" in body and status in BY_HAND and disagree(cast("str", status), desk):
        yield fault_at(
            "/sortedTo", f"disagrees with status {status}", "owner with with-owner, and only with it"
        )


def _one_run(said: Mapping[str, Any]) -> Faults:
    if "runId" in said and "run" in said:
        yield fault_at("/run", "cannot stand beside runId", "exactly one of runId and run")
    elif "runId" not in said and "run" not in said:
        yield fault_at("/runId", "is required", "exactly one of runId and run")
    if isinstance(said.get("run"), dict):
        run = cast("dict[str, Any]", said["run"])
        if run.get("status") == "running":
            yield fault_at("/run/status", "is running", "completed or failed")
        elif "output" not in run and run.get("status") is None:
            yield fault_at("/run/output", "is required", "a finished run: with output, or with status failed")


def _decisions(said: Mapping[str, Any]) -> Faults:
    if said.get("decisions") == "wrong":
        if not said.get("shouldCall") and not said.get("mustNotCall"):
            yield fault_at(
                "/decisions",
                "is wrong, but what was right is not said",
                "an entry in shouldCall or mustNotCall",
            )
    else:
        for name in ("shouldCall", "mustNotCall", "callsMatch", "callsOrder"):
            if name in said:
                yield fault_at(f"/{name}", "is given", 'only with "decisions": "wrong"')
    wanted = set[str]()
    for index, entry in enumerate(_list(said.get("shouldCall"))[:ENTRIES]):
        if isinstance(entry, dict):
            call = cast("dict[str, Any]", entry)
            wanted |= {call["tool"]} if isinstance(call.get("tool"), str) else set()
            yield from expected_faults(call, f"/shouldCall/{index}")
    for index, tool in enumerate(_list(said.get("mustNotCall"))[:ENTRIES]):
        if isinstance(tool, str) and tool in wanted:
            yield fault_at(
                f"/mustNotCall/{index}", f"names {tool}, which is in shouldCall too", "a tool in one of them"
            )


def expected_faults(entry: Mapping[str, Any], at: str) -> Faults:
    """Every fault of one wanted or forbidden call with its args and match; `at` is its pointer."""
    args = entry.get("args")
    arguments = cast("dict[str, Any]", args) if isinstance(args, dict) else {}
    yield from _too_long(arguments, f"{at}/args")
    match = entry.get("match")
    if isinstance(match, dict):
        places = cast("dict[str, Any]", match)
        faults = list(_too_long(places, f"{at}/match"))
        yield from faults or places_faults(places, arguments, f"{at}/match")


def _too_long(value: Any, at: str) -> Faults:
    """Whether the canonical form is too long, which is dear to make: not if the compact form shows it already."""
    try:
        if len(json.write(value)) > 16 * WORDS:
            told = f"more than {WORDS}"
        else:
            length = len(canonical.canonical(value).decode())
            told = str(length) if length > WORDS else None
    except (ValueError, RecursionError):
        return
    if told is not None:
        yield fault_at(at, f"has {told} characters of canonical JSON", f"at most {WORDS}")


def _answer(said: Mapping[str, Any]) -> Faults:
    if said.get("answer") == "wrong":
        if not any(isinstance(said.get(name), str) and said[name].strip() for name in ("shouldSay", "why")):
            yield fault_at(
                "/answer", "is wrong, but neither what it should say nor why is said", "shouldSay or why"
            )
    elif "shouldSay" in said:
        yield fault_at("/shouldSay", "is given", 'only with "answer": "wrong"')


def _items(said: Mapping[str, Any]) -> Faults:
    seen = set[str]()
    for index, entry in enumerate(_list(said.get("items"))[:ITEMS]):
        if not isinstance(entry, dict):
            continue
        item = cast("dict[str, Any]", entry)
        key, pointer = item.get("key"), item.get("pointer")
        if isinstance(key, str):
            if key in seen:
                yield fault_at(f"/items/{index}/key", "was given before", "each key once")
            seen.add(key)
        fault = pointer_fault(pointer) if isinstance(pointer, str) else None
        if fault:
            yield fault_at(f"/items/{index}/pointer", fault)


def _answer_match(said: Mapping[str, Any]) -> Faults:
    value = said.get("answerMatch")
    if not isinstance(value, dict):
        return
    match = {name: part for name, part in cast("dict[str, Any]", value).items() if part is not None}
    how, at = match.get("how"), "/answerMatch"
    if "answer" not in said:
        yield fault_at(at, "is given", "only with answer")
    for name, owner in (("in", "contains"), ("values", "contains"), ("tolerance", "number")):
        if name in match and how != owner:
            yield fault_at(f"{at}/{name}", "is given", f'only with "how": "{owner}"')
    if said.get("answer") == "wrong":
        yield from _wanted_answer(said, match)


def _wanted_answer(said: Mapping[str, Any], match: Mapping[str, Any]) -> Faults:
    """What a new answer is compared with when the old one was wrong: shouldSay, or values."""
    how, wanted = match.get("how"), said.get("shouldSay")
    if how == "judge":
        return
    if wanted is None:
        if not (how == "contains" and match.get("values")):
            allowed = "shouldSay, or values with contains" if how == "contains" else "shouldSay"
            yield fault_at("/answerMatch", "has nothing to compare with", allowed)
    elif isinstance(wanted, str):
        if how == "json" and not _is_json(wanted):
            yield fault_at("/shouldSay", "is no JSON", 'JSON text, with "how": "json"')
        elif how == "number" and number_in(wanted) is None:
            yield fault_at(
                "/shouldSay", "is no number", 'a number such as 1,400 or 14.5, with "how": "number"'
            )


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _is_json(text: str) -> bool:
    try:
        json.read(text.encode())
    except Exception:  # noqa: BLE001 - any refusal means the same here
        return False
    return True
