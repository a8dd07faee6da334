"""The answer of a new version, held against what a correction says of the answer that was given."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, cast

from setright.matching.model import Aspect
from setright.matching.showing import sentence, several, shortened, shown
from setright.matching.text import Token, folded, json_in, number_in, occurs, tokens
from setright.matching.values import MISSING, as_written, near, same

Said = Mapping[str, Any]
Spoken = Mapping[str, Any]


class _Held(NamedTuple):
    """What is compared: the wanted text, the stored one, and the new one; None where there is none."""

    was_right: bool
    wanted: str | None
    stored: str | None
    new: str | None


def answer_of(spoken: Spoken) -> str | None:
    """The answer of a run or result: left out, it is the output if that is text."""
    said, output = spoken.get("answer"), spoken.get("output")
    return said if said is not None else output if isinstance(output, str) else None


def answer(said: Said, stored: Spoken, new: Spoken) -> Aspect:
    """The aspect `answer`."""
    if any(call.get("diverged") for call in new.get("calls") or ()):
        return _unknown("diverged", "the replay left the recording, so that the answer says nothing")
    was_right = said["answer"] == "right"
    before = answer_of(stored)
    held = _Held(was_right, before if was_right else said.get("shouldSay"), before, answer_of(new))
    match: Mapping[str, Any] = said.get("answerMatch") or {}
    how = match.get("how")
    if how == "contains":
        return _contains(match, held, new)
    if how == "json":
        return _json(held, stored, new)
    if held.new is None:
        return _unknown("no-answer", "there is no answer")
    if how == "judge":
        return _unknown("judge-off", "no judge is there to ask whether the answer will do")
    if how is not None and _is_the_wrong_one(held):
        return _same_answer(held)
    if how == "number":
        return _number(match, held, held.new)
    return _exact(held, held.new) if how == "exact" else _without_match(held, held.new)


def _without_match(held: _Held, new: str) -> Aspect:
    """Equal to the wanted answer is right, equal to the wrong one is wrong, and nothing else is known."""
    if held.was_right and held.wanted is None:
        return _unknown("no-answer", "the corrected run has no answer to compare with")
    if _is_wanted(held, new):
        return _right("the answer is the wanted one")
    if not held.was_right and held.stored is not None and folded(new) == folded(held.stored):
        return _same_answer(held)
    told = (
        "the answer is another than the wanted one"
        if held.wanted is not None
        else "the answer is another one"
    )
    return _unknown("needs-match", told, "without answerMatch it is not known whether it will do")


def _is_wanted(held: _Held, new: str) -> bool:
    """Equal but for white space and NFKC forms, unless that is all in which the wanted and the wrong answer differ."""
    if held.wanted is None or folded(new) != folded(held.wanted):
        return False
    return not _is_the_wrong_one(held)


def _is_the_wrong_one(held: _Held) -> bool:
    """Whether the very text that was judged wrong came again; a person's word counts more than a loose match."""
    return not held.was_right and held.new is not None and held.new == held.stored != held.wanted


def _exact(held: _Held, new: str) -> Aspect:
    if held.wanted is None:
        return _unknown("no-answer", "the corrected run has no answer to compare with")
    if folded(new) == folded(held.wanted):
        return _right("the answer is the wanted one")
    return _another(
        held.wanted, new, "exact", f"the answer should be {shown(held.wanted)}, and was {shown(new)}"
    )


def _number(match: Mapping[str, Any], held: _Held, new: str) -> Aspect:
    wanted = number_in(held.wanted) if held.wanted is not None else None
    if wanted is None:
        if held.new == held.wanted:
            return _right("the answer is the wanted one")
        return _unknown("needs-match", "the answer of the corrected run is no number to compare with")
    distance = match.get("tolerance")
    room = as_written(distance) if distance is not None else Decimal(0)
    number = number_in(new)
    if number is not None and near(wanted, number, room):
        return _right(f"the answer is the wanted number, {shown(held.wanted)}")
    around = f" within {shown(distance)}" if distance is not None else ""
    told = f"the answer should be the number {shown(held.wanted)}{around}, and was {shown(new)}"
    return _another(held.wanted, new, "number", told)


def _json(held: _Held, stored: Spoken, new: Spoken) -> Aspect:
    """An answer that is no text is the output, where that is an object or array."""
    actual = _json_of(new)
    if actual is MISSING and held.new is None:
        return _unknown("no-answer", "there is no answer")
    if _is_the_wrong_one(held):
        return _same_answer(held)
    wanted = _json_of(stored) if held.was_right else json_in(held.wanted or "")
    if wanted is MISSING:
        if held.new is not None and held.new == held.wanted:
            return _right("the answer is the wanted one")
        return _unknown("needs-match", "the answer of the corrected run is no JSON to compare with")
    if actual is not MISSING and same(wanted, actual):
        return _right("the answer is the wanted JSON value")
    found = held.new if actual is MISSING else actual
    told = f"the answer should be the JSON value {shown(wanted)}, and was {shown(found)}"
    return _another(wanted, found, "json", told)


def _json_of(spoken: Spoken) -> Any:
    text = answer_of(spoken)
    if text is not None:
        return json_in(text)
    output = spoken.get("output")
    return cast("Any", output) if isinstance(output, (dict, list)) else MISSING


def _contains(match: Mapping[str, Any], held: _Held, new: Spoken) -> Aspect:
    in_messages = match.get("in") == "messages"
    said, complete = _searched(new, in_messages=in_messages)
    if not said:
        return _unknown("no-answer", "there is no answer")
    if not in_messages and _is_the_wrong_one(held):
        return _same_answer(held)
    values: Sequence[str] = match.get("values") or ([] if held.wanted is None else [held.wanted])
    if not values or not all(tokens(value) for value in values):
        return _unknown("needs-match", "there are no words to look for")
    texts = [tokens(text) for text in said]
    missing = [value for value in values if not _occurs_in(value, texts)]
    where = "the messages" if in_messages else "the answer"
    if not missing:
        told = several(map(shown, values), len(values))
        return _right(f"{where} {'contain' if in_messages else 'contains'} {told}")
    lacking = several(map(shown, missing), len(missing))
    if not complete:
        return _unknown("no-messages", f"the answer lacks {lacking}", "the messages were not given")
    last = f"the last of them was {shown(said[-1])}" if in_messages else f"it was {shown(said[-1])}"
    told = f"{where} {'lack' if in_messages else 'lacks'} {lacking}; {last}"
    return _another(list(values), said[-1], "contains", told, missing)


def _occurs_in(value: str, texts: Sequence[Sequence[Token]]) -> bool:
    return any(occurs(value, text) for text in texts)


def _searched(new: Spoken, *, in_messages: bool) -> tuple[list[str], bool]:
    """The texts to look in, and whether that is all there is to look in."""
    final = answer_of(new)
    given = [] if final is None else [final]
    if not in_messages:
        return given, True
    messages: Sequence[Mapping[str, Any]] | None = new.get("messages")
    if messages is None:
        return given, False
    texts = (_text_of(message.get("content")) for message in messages if message.get("role") == "assistant")
    return [text for text in texts if text] + given, True


def _text_of(content: Any) -> str:
    """The text of a message; one of several parts has the texts of its parts, a line each."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [cast("dict[str, Any]", part) for part in cast("list[Any]", content) if isinstance(part, dict)]
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def _right(told: str) -> Aspect:
    return Aspect("answer", "right", None, sentence([told]), {})


def _unknown(reason: str, *told: str) -> Aspect:
    return Aspect("answer", "not-evaluated", reason, sentence(told), {})


def _same_answer(held: _Held) -> Aspect:
    told = f"the answer is the one that was judged wrong: {shown(held.new)}"
    return Aspect("answer", "wrong", "same-answer", sentence([told]), {"actual": shortened(held.new)})


def _another(wanted: Any, actual: Any, how: str, told: str, missing: Sequence[str] = ()) -> Aspect:
    details: dict[str, Any] = {"how": how, "expected": shortened(wanted), "actual": shortened(actual)}
    if missing:
        details["missing"] = [shortened(value) for value in missing]
    return Aspect("answer", "wrong", "another-answer", sentence([told]), details)
