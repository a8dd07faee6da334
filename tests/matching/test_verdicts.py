"""How aspects and repetitions become one verdict, and what every verdict says of itself."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.matching import RULE, WHY_NOT_EVALUATED, WHY_WRONG, hold, same, together
from setright.matching.places import differences
from setright.matching.values import MISSING, member, tokens_of
from tests.matching.saying import EFFECTS, call, decided, failing, must_not, only, should


@pytest.mark.parametrize(
    "words",
    [words for size in range(4) for words in product(["right", "wrong", "not-evaluated"], repeat=size)],
)
def test_wrong_if_any_is_wrong_and_right_if_all_are_right(words: tuple[Any, ...]) -> None:
    if "wrong" in words:
        assert together(words) == "wrong"
    elif words and all(word == "right" for word in words):
        assert together(words) == "right"
    else:
        assert together(words) == "not-evaluated"


ALL = {
    **should(call("refund")),
    "answer": "wrong",
    "shouldSay": "14 days",
    "items": [{"key": "a", "verdict": "right"}],
}


def test_every_aspect_that_a_correction_speaks_of_is_held() -> None:
    found = hold(ALL, {"output": ["a"]}, {"calls": [call("refund")], "answer": "14 days", "output": ["a"]})
    assert [(one.aspect, one.verdict) for one in found.aspects] == [
        ("decisions", "right"),
        ("answer", "right"),
        ("items", "right"),
    ]
    assert found.verdict == "right"
    assert hold({"answer": "right"}, {"answer": "x"}, {"answer": "x"}).aspects[0].aspect == "answer"
    assert hold({"items": [], "why": "x"}, {}, {}).verdict == "not-evaluated"


def test_one_aspect_that_is_wrong_or_unknown_decides() -> None:
    new = {"calls": [call("refund")], "answer": "banana", "output": ["a"]}
    assert hold(ALL, {"output": ["a"]}, new).verdict == "not-evaluated"
    assert hold(ALL, {"output": ["a"]}, {**new, "output": []}).verdict == "wrong"


def test_an_agent_that_fails_is_not_evaluated_in_any_aspect() -> None:
    found = hold(ALL, {}, {"calls": [call("refund")], "answer": "14 days", "error": "TimeoutError"})
    assert {(one.verdict, one.reason) for one in found.aspects} == {("not-evaluated", "agent-error")}
    assert len(found.aspects) == 3
    assert found.aspects[0].explanation == 'The agent did not come to an end: "TimeoutError".'
    assert hold(must_not("cancel"), {}, {"calls": [call("cancel")], "error": ""}).verdict == "not-evaluated"
    assert hold(must_not("cancel"), {}, {"calls": [], "error": None}).verdict == "right"


def test_a_verdict_names_the_rule_and_the_correction_that_it_held() -> None:
    found = hold({**must_not("cancel"), "id": "cor_1"}, {}, {})
    assert (found.rule, found.correction) == (RULE, "cor_1")
    assert found.written() == {
        "verdict": "right",
        "rule": RULE,
        "aspects": [
            {
                "aspect": "decisions",
                "verdict": "right",
                "explanation": "What must not be called was not: cancel.",
            }
        ],
        "correction": "cor_1",
    }
    written = decided(should(call("refund"))).written()
    assert "correction" not in written
    assert written["aspects"][0]["reason"] == "missing-call"
    assert written["aspects"][0]["details"] == {"missing": [{"index": 0, "tool": "refund"}]}


def test_the_explanation_tells_of_the_aspects_that_decided() -> None:
    new = {"calls": [], "answer": "14 days", "output": []}
    assert hold(ALL, {"output": ["a"]}, new).explanation == (
        'The needed call refund() was not made. Judged right and not there: "a".'
    )


@pytest.mark.parametrize(
    ("said", "calls", "explanation"),
    [
        (
            should(call("look"), call("refund")),
            [call("look"), call("refund")],
            "Every needed call was made: look and refund.",
        ),
        (
            should(call("look"), call("refund"), callsOrder="as-listed", callsMatch="exactly"),
            [call("look"), call("refund")],
            "Every needed call was made, in the order listed: look and refund; nothing else was written.",
        ),
        (should(callsMatch="exactly"), [], "Nothing was written."),
        (should(), [], "No call was needed."),
        (must_not("a", "b", "c", "d", "e"), [], "What must not be called was not: a, b, c and 2 more."),
        (
            should(call("refund", id="b-1", amount=5)),
            [call("refund", id="b-1", amount=6, note="x")],
            'The needed call refund(id="b-1", amount=5) was not made (the nearest, call 1, differs in /amount: expected 5, was 6).',
        ),
        (
            should(call("refund", id=1)),
            [call("refund")],
            "The needed call refund(id=1) was not made (the nearest, call 1, differs in /id: expected 1, is missing).",
        ),
        (
            should(
                {
                    **call("refund", n=1, s="ab", o={"x": 1}),
                    "match": {"n": {"tolerance": 2}, "s": {"prefix": True}, "q": {"anyOf": [1, 2]}},
                }
            ),
            [call("refund", n=4, s="b", o={"x": 1, "y": 2}, q=3)],
            'The needed call refund(n=1, s="ab", o={"x": 1}) was not made (the nearest, call 1, differs in /n: expected 1 within 2, was 4, '
            '/s: expected a text that begins with "ab", was "b", /o/y: expected nothing, was 2 and 1 more).',
        ),
        (
            should({**call("refund"), "match": {"q": {"anyOf": [1, 2]}}}),
            [call("refund", q=3)],
            "The needed call refund() was not made (the nearest, call 1, differs in /q: expected one of [1, 2], was 3).",
        ),
        (
            should(call("refund")),
            [call("look")],
            "The needed call refund() was not made, nor any of refund (the nearest is call 1, look).",
        ),
        (
            should(call("refund")),
            [failing("refund")],
            'The needed call refund() was not made with success (call 1 failed with "no").',
        ),
        (
            should(call("refund", id=1)),
            [failing("refund", id=2)],
            'The needed call refund(id=1) was not made (the nearest, call 1, failed with "no" and differs in /id: expected 1, was 2).',
        ),
        (
            should(call("refund"), call("refund")),
            [call("refund")],
            "The needed call refund() was not made often enough (call 1 counts for another of the needed calls).",
        ),
        (
            should(call("look"), call("refund"), callsOrder="as-listed"),
            [call("refund"), call("look")],
            "The needed calls were made, but not in the order listed: no refund as needed follows the look before it.",
        ),
        (
            must_not("cancel"),
            [call("cancel", id=1), failing("cancel")],
            "A call was made that must not be: cancel(id=1) (call 1) and cancel() (call 2).",
        ),
        (
            should(callsMatch="exactly"),
            [call("look"), call("cancel", a=1, b=2, c=3, d=4, e=5, f=6, g=7)],
            "Beside the needed calls something else was written: cancel(a=1, b=2, c=3, d=4, e=5, f=6, …) (call 2).",
        ),
    ],
)
def test_an_explanation_is_one_sentence(said: Any, calls: list[Any], explanation: str) -> None:
    assert decided(said, *calls, effects=EFFECTS).explanation == explanation


def test_unknown_effects_and_divergence_are_explained() -> None:
    found = only(decided(should(callsMatch="exactly"), call("look")))
    assert found.explanation == (
        "Beside the needed calls another was made: look() (call 1); "
        "whether it writes is not known until the project declares the effects of its tools."
    )
    assert found.details == {"unknown": [{"position": 0, "tool": "look"}]}
    found = only(decided(should(call("refund")), call("look"), {**failing("find"), "diverged": True}))
    assert found.explanation == (
        "The replay left the recording at call 2, so that what is missing after it says nothing."
    )
    assert found.details == {"diverged": [1]}


def test_a_missing_call_of_a_project_without_effects_says_how_to_tell_reads_apart() -> None:
    found = hold({"decisions": "right"}, {"calls": [call("look")]}, {"calls": []})
    assert found.explanation == (
        "The needed call look() was not made; "
        "every call of the corrected run counts until the project declares which tools only read."
    )
    assert (
        "declares" not in hold({"decisions": "right"}, {"calls": [call("refund")]}, {}, EFFECTS).explanation
    )


def test_long_values_are_cut_and_long_lists_counted() -> None:
    long = "x" * 5_000
    said = should(*(call("refund", id=n, text=long) for n in range(25)))
    found = only(decided(said, *(call("refund", id=n + 100, text="y" * 5_000) for n in range(25))))
    assert len(found.details["missing"]) == 10
    assert found.details["missingFurther"] == 15
    assert found.explanation.endswith(" and 22 more.")
    assert len(found.explanation) < 1_500
    first = found.details["missing"][0]
    id_differs, text_differs = first["nearest"]["differs"]
    assert (id_differs["expected"], id_differs["actual"]) == (0, 100)
    assert text_differs["expected"] == '"' + "x" * 198 + "…"
    assert text_differs["actual"] == '"' + "y" * 198 + "…"
    few = only(decided(should(*[call("refund")] * 10)))
    assert len(few.details["missing"]) == 10
    assert "missingFurther" not in few.details
    many = only(decided(must_not("cancel"), *[call("cancel")] * 30))
    assert len(many.details["forbidden"]) == 10
    wide = only(decided(should(call("t", **{f"f{n}": n for n in range(30)})), call("t")))
    assert len(wide.details["missing"][0]["nearest"]["differs"]) == 10
    assert wide.details["missing"][0]["nearest"]["differsFurther"] == 20
    ten = only(decided(should(call("t", **{f"f{n}": n for n in range(10)})), call("t")))
    assert len(ten.details["missing"][0]["nearest"]["differs"]) == 10
    assert "differsFurther" not in ten.details["missing"][0]["nearest"]


def test_a_call_that_is_taken_is_told_of_as_such() -> None:
    found = only(decided(should(call("refund"), call("refund")), call("refund")))
    assert found.details["missing"] == [
        {
            "index": 1,
            "tool": "refund",
            "nearest": {"position": 0, "tool": "refund", "neededForAnother": True, "differs": []},
        }
    ]


def test_the_nearest_call_is_of_the_tool_then_differs_least_then_is_free_then_succeeded() -> None:
    def near(said: Any, *calls: Any) -> int:
        return only(decided(said, *calls)).details["missing"][0]["nearest"]["position"]

    wanted = should(call("refund", a=1, b=2))
    assert near(wanted, call("look", a=1, b=2), call("refund", a=9, b=9)) == 1
    assert near(wanted, call("refund", a=9, b=9), call("refund", a=1, b=9)) == 1
    assert near(wanted, failing("refund", a=1, b=9), call("refund", a=9, b=2)) == 1
    assert near(wanted, call("refund", a=9, b=2), call("refund", a=1, b=9)) == 0
    assert near(wanted, call("look"), call("find", a=1)) == 1
    two = should(call("refund", a=1), call("refund", a=1, b=2))
    assert near(two, call("refund", a=1, b=8), call("refund", b=2, a=8)) == 1


def test_the_second_call_and_the_eleventh_difference_are_counted() -> None:
    wanted = should(call("refund", **dict.fromkeys("abcdefghijkl", 1)))
    best = call("refund", **dict.fromkeys("abcdefghijkl", 2))
    found = only(decided(wanted, call("look"), best, call("refund", z=1), call("refund", z=2)))
    assert "(the nearest, call 2, differs" in found.explanation
    near = found.details["missing"][0]["nearest"]
    assert (near["position"], near["differsFurther"]) == (1, 2)


def test_a_call_that_differs_less_stays_the_nearest() -> None:
    found = only(decided(should(call("refund", a=1, b=2)), call("refund", a=1), call("refund", c=1)))
    assert found.details["missing"][0]["nearest"]["position"] == 0


@pytest.mark.parametrize(("place", "found"), [(499, 499), (500, 0)])
def test_of_many_calls_the_first_five_hundred_are_compared(place: int, found: int) -> None:
    calls = [call("refund", a=0, b=0)] * 600
    calls[place] = call("refund", a=1, b=0)
    (missing,) = only(decided(should(call("refund", a=1, b=1)), *calls)).details["missing"]
    assert missing["nearest"]["position"] == found


def test_every_reason_is_explained() -> None:
    assert not set(WHY_WRONG) & set(WHY_NOT_EVALUATED)
    assert all(text and not text.endswith(".") for text in [*WHY_WRONG.values(), *WHY_NOT_EVALUATED.values()])


FIELDS = st.dictionaries(
    st.sampled_from(["a", "b"]),
    st.one_of(st.integers(0, 2), st.dictionaries(st.sampled_from("xy"), st.integers(0, 1))),
)
CALLS = st.lists(
    st.builds(lambda tool, args: call(tool, **args), st.sampled_from(["refund", "look"]), FIELDS), max_size=4
)


@given(st.lists(st.builds(lambda args: call("refund", **args), FIELDS), min_size=1, max_size=3), CALLS)
def test_the_explanation_names_a_true_difference(entries: list[Any], calls: list[Any]) -> None:
    found = only(decided(should(*entries), *calls))
    for missing in found.details.get("missing", ()):
        entry = entries[missing["index"]]
        near = missing.get("nearest")
        if near is None:
            assert not any(one["tool"] == "refund" for one in calls)
            continue
        actual = calls[near["position"]]
        assert near["differs"] or near.get("neededForAnother") or actual["tool"] != "refund"
        for one in near["differs"]:
            wanted = actual_value = MISSING
            holder: Any = entry["args"]
            other: Any = actual["args"]
            for token in tokens_of(one["place"]):
                wanted, actual_value = member(holder, token), member(other, token)
                holder, other = wanted, actual_value
            assert one.get("expected", MISSING) == wanted
            assert one.get("actual", MISSING) == actual_value
            assert wanted is MISSING or actual_value is MISSING or not same(wanted, actual_value)
        assert len(near["differs"]) == len(differences(entry["args"], actual["args"], {}))
