"""Answers: equal to the wanted one, equal to the wrong one, and what an answerMatch can tell."""

from typing import Any

import pytest

from setright.matching import answer_of, hold
from tests.matching.saying import only, word
from tests.support.lives import fresh

WRONG = {"answer": "wrong", "shouldSay": "14 days"}
STORED = {"answer": "30 days"}


def said(how: str | None = None, **more: Any) -> dict[str, Any]:
    """A wrong answer that should say 14 days, compared in a way."""
    match = {name: more.pop(name) for name in ("in", "values", "tolerance") if name in more}
    return {**WRONG, **({"answerMatch": {"how": how, **match}} if how else {}), **more}


def spoken(correction: dict[str, Any], answer: Any, stored: Any = STORED, **more: Any) -> str:
    return word(hold(correction, stored, {"answer": answer, **more}))


@pytest.mark.parametrize("how", [None, "exact", "contains"])
@pytest.mark.parametrize("answer", ["banana", "30 days", "rejected 999 days", "140 days", "14.5 days", ""])
def test_another_answer_is_never_right(how: str | None, answer: str) -> None:
    verdict = spoken(said(how), answer)
    assert not verdict.startswith("right")
    assert verdict.startswith("wrong" if how or answer == "30 days" else "not-evaluated needs-match")


@pytest.mark.parametrize("how", [None, "exact", "contains"])
@pytest.mark.parametrize("answer", ["14 days", " 14\n days ", "\uff11\uff14 days"])
def test_the_wanted_answer_is_right(how: str | None, answer: str) -> None:
    assert spoken(said(how), answer) == "right"


def test_without_match_equal_to_the_wrong_answer_is_wrong_and_anything_else_unknown() -> None:
    assert spoken(said(), "30 days") == "wrong same-answer"
    assert spoken(said(), " 30  days") == "wrong same-answer"
    assert spoken(said(), "30 Days") == "not-evaluated needs-match"
    assert spoken(said(), "It takes 14 days.") == "not-evaluated needs-match"
    assert spoken(said(), "30 days", {}) == "not-evaluated needs-match"


@pytest.mark.parametrize("how", [None, "exact", "contains", "json", "number", "judge"])
@pytest.mark.parametrize(
    "new", [{}, {"answer": None}, {"output": {"a": 1}} | {"answer": None}, {"output": None}]
)
def test_no_answer_at_all_is_not_evaluated(how: str | None, new: dict[str, Any]) -> None:
    if how == "json" and new.get("output"):
        return
    for correction in (said(how), {**said(how), "answer": "right"}):
        assert word(hold(correction, STORED, new)) == "not-evaluated no-answer"


def test_the_answer_is_the_output_if_that_is_text() -> None:
    assert answer_of({"output": "x"}) == "x"
    assert answer_of({"answer": "y", "output": "x"}) == "y"
    assert answer_of({"answer": "", "output": "x"}) == ""
    assert answer_of({"output": 5}) is None
    assert word(hold(said(), STORED, {"output": "14 days"})) == "right"
    assert word(hold(said(), {"output": "30 days"}, {"output": "30 days"})) == "wrong same-answer"


def test_why_alone_tells_only_that_the_same_answer_is_wrong() -> None:
    correction = {"answer": "wrong", "why": "it is rude"}
    assert spoken(correction, "30 days") == "wrong same-answer"
    assert spoken(correction, "14 days") == "not-evaluated needs-match"


def test_an_answer_that_differs_from_the_wanted_and_the_wrong_only_in_white_space() -> None:
    correction = {"answer": "wrong", "shouldSay": "14 days"}
    stored = {"answer": "14  days"}
    assert spoken(correction, "14 days", stored) == "right"
    assert spoken(correction, "14  days", stored) == "wrong same-answer"


def test_answer_right_compares_with_the_stored_answer() -> None:
    correction = {"answer": "right"}
    assert spoken(correction, "30 days") == "right"
    assert spoken(correction, " 30  days") == "right"
    assert spoken(correction, "14 days") == "not-evaluated needs-match"
    assert spoken(correction, "14 days", {}) == "not-evaluated no-answer"
    assert spoken({**correction, "answerMatch": {"how": "contains"}}, "It is 30 days.") == "right"
    assert (
        spoken({**correction, "answerMatch": {"how": "contains"}}, "It is 14 days.") == "wrong another-answer"
    )
    assert spoken({**correction, "answerMatch": {"how": "exact"}}, "30 days.") == "wrong another-answer"
    assert (
        spoken({**correction, "answerMatch": {"how": "exact"}}, "30 days.", {}) == "not-evaluated no-answer"
    )


def test_exact_folds_nfkc_and_white_space_and_nothing_else() -> None:
    assert spoken(said("exact"), "\uff11\uff14\u00a0days") == "right"
    assert spoken(said("exact"), "14 Days") == "wrong another-answer"
    assert spoken(said("exact"), "14 days.") == "wrong another-answer"


def test_contains_takes_whole_tokens() -> None:
    assert spoken(said("contains"), "You get it within (14 DAYS), we promise.") == "right"
    assert spoken(said("contains", shouldSay="14"), "14.5") == "wrong another-answer"
    assert spoken(said("contains", shouldSay="4"), "14") == "wrong another-answer"


def test_contains_needs_all_values() -> None:
    correction = said("contains", values=["1,400", "2"])
    assert spoken(correction, "2 bags, $1400") == "right"
    assert spoken(correction, "3 bags, $1400") == "wrong another-answer"
    assert only(hold(correction, STORED, {"answer": "3 bags, $1400"})).details["missing"] == ["2"]
    assert spoken(correction, "14 days") == "wrong another-answer"
    assert (
        spoken({"answer": "right", "answerMatch": {"how": "contains", "values": ["14"]}}, "14 it is")
        == "right"
    )


@pytest.mark.parametrize("values", [["?"], ["14", " "], [""]])
def test_values_without_words_tell_nothing(values: list[str]) -> None:
    assert spoken(said("contains", values=values), "14?") == "not-evaluated needs-match"


def test_contains_without_anything_to_look_for_tells_nothing() -> None:
    correction = {"answer": "right", "answerMatch": {"how": "contains"}}
    assert spoken(correction, "14", {}) == "not-evaluated needs-match"


def says(*texts: Any) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": text} for text in texts]


def test_in_messages_each_value_may_stand_in_another_message_of_the_assistant() -> None:
    correction = said("contains", values=["327", "1000"], **{"in": "messages"})
    assert spoken(correction, "Bye.", messages=says("It is $327.", None, "And 1,000 more.")) == "right"
    assert spoken(correction, "Bye.", messages=says("It is $327.")) == "wrong another-answer"
    asked = [{"role": "user", "content": "327 or 1000?"}]
    assert spoken(correction, "Bye.", messages=[*asked, *says("Yes.")]) == "wrong another-answer"
    assert spoken(correction, None, messages=asked) == "not-evaluated no-answer"
    assert spoken(correction, None, messages=says("327, 1000")) == "right"


def test_a_message_may_have_parts() -> None:
    correction = said("contains", values=["327"], **{"in": "messages"})
    parts = [{"type": "text", "text": "It is 327."}, {"type": "image"}, "x", {"type": "text", "text": 5}]
    assert spoken(correction, "Bye.", messages=says(parts)) == "right"
    assert spoken(correction, "Bye.", messages=says({"text": "327"})) == "wrong another-answer"


def test_the_answer_is_one_of_the_messages() -> None:
    correction = said("contains", **{"in": "messages"})
    assert spoken(correction, "14 days", messages=says("Hello.")) == "right"


def test_without_messages_only_what_the_answer_holds_is_known() -> None:
    correction = said("contains", **{"in": "messages"})
    assert spoken(correction, "14 days it is") == "right"
    assert spoken(correction, "Bye.") == "not-evaluated no-messages"
    assert spoken(correction, None) == "not-evaluated no-answer"


def test_in_messages_the_same_last_answer_says_nothing() -> None:
    correction = said("contains", **{"in": "messages"})
    assert spoken(correction, "30 days", messages=says("14 days", "30 days")) == "right"


@pytest.mark.parametrize("how", ["exact", "contains", "number", "json"])
def test_the_very_answer_that_was_judged_wrong_is_wrong_however_loose_the_match(how: str) -> None:
    correction = {
        "answer": "wrong",
        "shouldSay": "14",
        "answerMatch": {"how": how, "tolerance": 5 if how == "number" else None},
    }
    stored = {"answer": "14 " if how != "contains" else "not 14"}
    assert spoken(correction, stored["answer"], stored) == "wrong same-answer"
    assert spoken(correction, "14", {"answer": "14"}) == "right"


@pytest.mark.parametrize(
    ("answer", "tolerance", "verdict"),
    [
        ("1400", None, "right"),
        ("1,400.0", None, "right"),
        ("1401", None, "wrong another-answer"),
        ("1401", 1, "right"),
        ("1398.9", 1, "wrong another-answer"),
        ("1400.1", 0.1, "right"),
        ("The total is 1400", None, "wrong another-answer"),
        ("banana", 9, "wrong another-answer"),
        ("9007199254740993", None, "wrong another-answer"),
    ],
)
def test_number_compares_by_value(answer: str, tolerance: float | None, verdict: str) -> None:
    assert spoken(said("number", shouldSay="1,400", tolerance=tolerance), answer) == verdict


def test_number_is_exact_beyond_what_a_float_holds() -> None:
    correction = said("number", shouldSay="9007199254740992")
    assert spoken(correction, "9007199254740993") == "wrong another-answer"


def test_number_and_json_need_a_stored_answer_of_their_kind() -> None:
    for how, good, bad in (("number", "30", "x"), ("json", "[30]", "x")):
        correction = {"answer": "right", "answerMatch": {"how": how}}
        assert spoken(correction, good, {"answer": good + " "}) == "right"
        assert spoken(correction, bad, {"answer": bad}) == "right"
        assert spoken(correction, good, {"answer": bad}) == "not-evaluated needs-match"
        assert spoken(correction, good, {}) == "not-evaluated needs-match"
        assert spoken(correction, bad, {"answer": good}) == "wrong another-answer"


def test_json_compares_values() -> None:
    correction = said("json", shouldSay='{"a": 1, "b": [true]}')
    assert spoken(correction, '{"b":[true],"a":1.0}') == "right"
    assert spoken(correction, '```json\n{"b":[true],"a":1}\n```') == "right"
    assert spoken(correction, '{"b":[1],"a":1}') == "wrong another-answer"
    assert spoken(correction, "see above") == "wrong another-answer"


def test_json_takes_an_output_that_is_no_text_for_the_answer() -> None:
    correction = said("json", shouldSay='{"a": 1}')
    assert word(hold(correction, STORED, {"output": {"a": 1.0}})) == "right"
    assert word(hold(correction, STORED, {"output": [1]})) == "wrong another-answer"
    right = {"answer": "right", "answerMatch": {"how": "json"}}
    assert word(hold(right, {"output": {"a": 1}}, {"output": {"a": 1}})) == "right"
    assert word(hold(right, {"output": {"a": 1}}, {"output": {"a": 2}})) == "wrong another-answer"


def test_a_judge_is_not_there_to_ask() -> None:
    assert spoken(said("judge"), "14 days") == "not-evaluated judge-off"
    assert spoken({"answer": "right", "answerMatch": {"how": "judge"}}, "x") == "not-evaluated judge-off"


@pytest.mark.parametrize("how", [None, "exact", "contains", "json", "number", "judge"])
def test_after_a_divergence_the_answer_says_nothing(how: str | None) -> None:
    calls = [{"tool": "find", "args": {}, "error": "no recording", "diverged": True}]
    assert spoken(said(how), "30 days", calls=calls) == "not-evaluated diverged"
    assert spoken(said(how), "14 days", calls=calls) == "not-evaluated diverged"
    assert spoken(said(), "14 days", calls=[{"tool": "find", "args": {}, "diverged": False}]) == "right"


@pytest.mark.parametrize(
    ("correction", "answer", "explanation"),
    [
        (said(), "14 days", "The answer is the wanted one."),
        (
            said(),
            "x",
            "The answer is another than the wanted one; without answerMatch it is not known whether it will do.",
        ),
        (
            {"answer": "wrong", "why": "rude"},
            "x",
            "The answer is another one; without answerMatch it is not known whether it will do.",
        ),
        (said(), "30 days", 'The answer is the one that was judged wrong: "30 days".'),
        (said("exact"), "15 days", 'The answer should be "14 days", and was "15 days".'),
        (said("contains"), "15 days", 'The answer lacks "14 days"; it was "15 days".'),
        (said("contains"), "14 days it is", 'The answer contains "14 days".'),
        (
            said("number", shouldSay="14", tolerance=2),
            "17",
            'The answer should be the number "14" within 2, and was "17".',
        ),
        (said("number", shouldSay="14"), "14.0", 'The answer is the wanted number, "14".'),
        (said("json", shouldSay="[1]"), "[2]", "The answer should be the JSON value [1], and was [2]."),
        (said("json", shouldSay="[1]"), "x", 'The answer should be the JSON value [1], and was "x".'),
    ],
)
def test_an_explanation_is_a_sentence(correction: dict[str, Any], answer: str, explanation: str) -> None:
    assert hold(correction, STORED, {"answer": answer}).explanation == explanation


def test_the_details_hold_what_was_expected_and_what_came() -> None:
    assert only(hold(said("exact"), STORED, {"answer": "x"})).details == {
        "how": "exact",
        "expected": "14 days",
        "actual": "x",
    }
    assert only(hold(said(), STORED, {"answer": "30 days"})).details == {"actual": "30 days"}
    found = only(hold(said("contains"), STORED, {"answer": "x" * 1_000}))
    assert found.details["expected"] == ["14 days"]
    assert len(found.details["actual"]) == 200
    assert len(found.explanation) < 200


def test_messages_are_told_of_as_messages() -> None:
    correction = said("contains", **{"in": "messages"})
    found = only(hold(correction, STORED, {"messages": says("Hello.", "15 days")}))
    assert found.explanation == 'The messages lack "14 days"; the last of them was "15 days".'
    found = only(hold(correction, STORED, {"messages": says("14 days")}))
    assert found.explanation == 'The messages contain "14 days".'
    found = only(hold(correction, STORED, {"answer": "x"}))
    assert found.explanation == 'The answer lacks "14 days"; the messages were not given.'


def test_of_several_messages_the_last_is_held_up() -> None:
    correction = said("contains", **{"in": "messages"})
    found = only(hold(correction, STORED, {"messages": says("Hello.", "15 days", "Bye.")}))
    assert found.details["actual"] == "Bye."


def test_only_the_assistant_is_listened_to() -> None:
    correction = said("contains", **{"in": "messages"})
    told = [{"role": role, "content": "14 days"} for role in ("app", "user")]
    assert spoken(correction, "no", messages=told) == "wrong another-answer"


@pytest.mark.parametrize("how", ["number", "json"])
def test_the_stored_answer_is_known_by_its_text(how: str) -> None:
    correction = {"answer": "right", "answerMatch": {"how": how}}
    assert spoken(correction, fresh("thirty"), {"answer": "thirty"}) == "right"


def test_an_answer_judged_wrong_may_be_the_wanted_one() -> None:
    correction = said("exact", shouldSay="30 days")
    assert spoken(correction, fresh("30 days"), {"answer": fresh("30 days")}) == "right"
