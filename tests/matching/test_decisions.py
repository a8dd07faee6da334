"""Tool calls: what was needed, what must not be, what else was written, and in which order."""

from typing import Any

import pytest

from setright.matching import fits, hold
from tests.matching.saying import EFFECTS, call, decided, failing, must_not, only, should, word
from tests.support.lives import fresh

REFUND = call("refund", id="b-1", amount=5)


def test_each_entry_needs_a_call_of_its_own() -> None:
    said = should(call("refund"), call("refund"))
    assert word(decided(said, REFUND, REFUND)) == "right"
    assert word(decided(said, REFUND)) == "wrong missing-call"


def test_named_fields_are_equal_and_other_fields_ignored() -> None:
    said = should(call("refund", amount=5))
    assert word(decided(said, REFUND)) == "right"
    assert word(decided(said, call("refund", id="b-1", amount=6))) == "wrong missing-call"
    assert word(decided(said, call("refund", id="b-1"))) == "wrong missing-call"


def test_the_tools_name_is_kept_verbatim() -> None:
    assert word(decided(should(call("math.sum")), call("math.sum"))) == "right"
    assert word(decided(should(call("math.sum")), call("math_sum"))) == "wrong missing-call"
    assert word(decided(should(call("math.sum")), call("Math.sum"))) == "wrong missing-call"


def test_the_assignment_is_not_greedy() -> None:
    said = should(call("refund"), call("refund", amount=5))
    assert word(decided(said, call("refund", amount=5), call("refund", amount=7))) == "right"


@pytest.mark.parametrize("tool", ["abc", "zoo"])
def test_a_call_of_another_tool_never_stands_in(tool: str) -> None:
    said = should(call("refund"), call("refund", amount=5))
    assert word(decided(said, call("refund", amount=5), call(tool, amount=5))) == "wrong missing-call"
    in_order = should(call("refund"), call("look"), callsOrder="as-listed")
    assert word(decided(in_order, call(tool), call("look"), REFUND)) == "wrong wrong-order"
    assert word(decided(must_not("refund"), call(tool))) == "right"


def test_a_call_that_failed_satisfies_nothing() -> None:
    assert word(decided(should(call("refund")), failing("refund"))) == "wrong missing-call"
    assert word(decided(should(call("refund")), failing("refund"), call("refund"))) == "right"


@pytest.mark.parametrize(
    ("error", "verdict"), [(None, "right"), (False, "right"), ("", "wrong"), ({}, "wrong"), (0, "wrong")]
)
def test_an_error_of_null_or_false_is_none(error: Any, verdict: str) -> None:
    ended = {**REFUND, "error": error}
    assert decided(should(call("refund")), ended).verdict == verdict
    assert decided(should(call("refund"), callsOrder="as-listed"), ended).verdict == verdict
    beyond = "other-write" if verdict == "right" else None
    assert only(decided(should(callsMatch="exactly"), ended, effects=EFFECTS)).reason == beyond
    tight = should(call("refund"), call("refund", id="b-1"))
    assert decided(tight, REFUND, {**call("refund"), "error": error}).verdict == verdict


def test_at_least_lets_other_calls_be() -> None:
    said = should(call("refund"))
    assert word(decided(said, REFUND, call("cancel"), effects=EFFECTS)) == "right"
    assert (
        word(decided({**said, "callsMatch": "at-least"}, REFUND, call("cancel"), effects=EFFECTS)) == "right"
    )


def test_a_forbidden_call_is_wrong_also_when_it_failed() -> None:
    assert word(decided(must_not("cancel"), REFUND)) == "right"
    assert word(decided(must_not("cancel"))) == "right"
    assert word(decided(must_not("cancel"), call("cancel"))) == "wrong forbidden-call"
    assert word(decided(must_not("look", "cancel"), failing("cancel"))) == "wrong forbidden-call"
    assert (
        word(decided(should(REFUND, mustNotCall=["cancel"]), REFUND, failing("cancel")))
        == "wrong forbidden-call"
    )


def test_exactly_lets_no_other_write_succeed() -> None:
    said = should(REFUND, callsMatch="exactly")
    assert word(decided(said, REFUND, effects=EFFECTS)) == "right"
    assert word(decided(said, call("look"), REFUND, call("find"), effects=EFFECTS)) == "right"
    assert word(decided(said, REFUND, call("cancel"), effects=EFFECTS)) == "wrong other-write"
    assert word(decided(said, REFUND, REFUND, effects=EFFECTS)) == "wrong other-write"
    assert word(decided(said, REFUND, failing("cancel"), effects=EFFECTS)) == "right"


def test_exactly_takes_a_tool_that_is_not_declared_for_one_that_writes() -> None:
    said = should(REFUND, callsMatch="exactly")
    assert word(decided(said, REFUND, call("other"), effects={"look": "read"})) == "wrong other-write"
    assert word(decided(said, REFUND, call("look"), effects={"look": "read"})) == "right"


def test_exactly_with_only_forbidden_tools_lets_nothing_be_written() -> None:
    said = must_not("cancel", callsMatch="exactly")
    assert word(decided(said, call("look"), effects=EFFECTS)) == "right"
    assert word(decided(said, REFUND, effects=EFFECTS)) == "wrong other-write"
    assert word(decided(said, call("cancel"), effects=EFFECTS)) == "wrong forbidden-call"


@pytest.mark.parametrize("effects", [None, {}])
def test_without_effects_exactly_is_unknown_only_when_more_was_called(effects: Any) -> None:
    said = should(REFUND, mustNotCall=["cancel"], callsMatch="exactly")
    assert word(decided(said, REFUND, effects=effects)) == "right"
    assert word(decided(said, REFUND, failing("look"), effects=effects)) == "right"
    assert word(decided(said, REFUND, call("look"), effects=effects)) == "not-evaluated effects-unknown"
    assert word(decided(said, call("look"), effects=effects)) == "wrong missing-call"
    assert (
        word(decided(said, REFUND, call("look"), call("cancel"), effects=effects)) == "wrong forbidden-call"
    )


def test_where_nothing_is_needed_calling_nothing_is_right() -> None:
    said = should(callsMatch="exactly")
    assert word(decided(said)) == "right"
    assert word(decided(said, effects=EFFECTS)) == "right"
    assert word(decided(said, REFUND, effects=EFFECTS)) == "wrong other-write"


def test_as_listed_needs_the_calls_in_that_order() -> None:
    said = should(call("look"), call("refund"), callsOrder="as-listed")
    assert word(decided(said, call("look"), call("find"), REFUND)) == "right"
    assert word(decided(said, REFUND, call("look"), REFUND)) == "right"
    assert word(decided(said, REFUND, call("look"))) == "wrong wrong-order"
    assert word(decided(said, call("look"))) == "wrong missing-call"
    assert word(decided(said, REFUND)) == "wrong missing-call"
    assert word(decided({**said, "callsOrder": "any"}, REFUND, call("look"))) == "right"


def test_the_call_that_was_out_of_its_turn_is_named() -> None:
    said = should(call("a"), call("b"), call("c"), call("d"), callsOrder="as-listed")
    found = only(decided(said, call("d"), call("a"), call("b"), call("c")))
    assert found.explanation.endswith("no d as needed follows the c before it.")
    assert found.details == {"outOfOrder": {"index": 3, "positions": [1, 2, 3, 0]}}


def test_as_listed_and_exactly_together() -> None:
    said = should(call("refund", id=1), call("refund", id=2), callsOrder="as-listed", callsMatch="exactly")
    one, two = call("refund", id=1), call("refund", id=2)
    assert word(decided(said, one, call("look"), two, effects=EFFECTS)) == "right"
    assert word(decided(said, two, one, effects=EFFECTS)) == "wrong wrong-order"
    assert word(decided(said, two, one, two, effects=EFFECTS)) == "wrong other-write"


STORED = [call("look", id=1), call("refund", id=1), failing("cancel", id=1)]


def test_decisions_right_are_the_stored_writes_with_whole_arguments() -> None:
    said = {"decisions": "right"}
    kept = {"effects": EFFECTS, "calls": STORED}

    def holding(*calls: Any) -> str:
        return word(hold(said, {"calls": kept["calls"]}, {"calls": list(calls)}, EFFECTS))

    assert holding(*STORED) == "right"
    assert holding(call("refund", id=1)) == "right"
    assert holding(call("find"), call("refund", id=1.0)) == "right"
    assert holding(call("refund", id=1, note="x")) == "wrong missing-call"
    assert holding(call("refund")) == "wrong missing-call"
    assert holding() == "wrong missing-call"
    assert holding(call("refund", id=1), call("refund", id=1)) == "wrong other-write"
    assert holding(call("refund", id=1), call("cancel", id=1)) == "wrong other-write"


@pytest.mark.parametrize("effects", [None, {}])
def test_without_effects_every_stored_call_that_succeeded_is_needed(effects: Any) -> None:
    def holding(*calls: Any) -> str:
        return word(hold({"decisions": "right"}, {"calls": STORED}, {"calls": list(calls)}, effects))

    assert holding(*STORED) == "right"
    assert holding(STORED[1], STORED[0]) == "right"
    assert holding(STORED[1]) == "wrong missing-call"
    assert holding(*STORED, call("find")) == "not-evaluated effects-unknown"


def test_decisions_right_of_a_run_without_calls() -> None:
    said = {"decisions": "right"}
    assert word(decided(said, effects=EFFECTS)) == "right"
    assert word(decided(said, call("look"), effects=EFFECTS)) == "right"
    assert word(decided(said, REFUND, effects=EFFECTS)) == "wrong other-write"
    assert word(decided(said, call("look"))) == "not-evaluated effects-unknown"


def test_a_result_without_calls_made_none() -> None:
    assert hold(should(REFUND), {}, {}).verdict == "wrong"
    assert hold(must_not("cancel"), {}, {"calls": None}).verdict == "right"


def diverged(tool: str, /, **args: Any) -> dict[str, Any]:
    return {"tool": tool, "args": args, "error": "no recording", "diverged": True}


def test_after_a_divergence_only_a_forbidden_call_is_wrong() -> None:
    said = should(REFUND, mustNotCall=["cancel"])
    assert word(decided(said, diverged("find"), call("cancel"))) == "wrong forbidden-call"
    assert word(decided(said, diverged("cancel"))) == "wrong forbidden-call"
    assert word(decided(said, diverged("find"))) == "not-evaluated diverged"
    assert word(decided(said, diverged("find"), REFUND)) == "right"


def test_a_diverged_call_counts_as_made() -> None:
    assert word(decided(should(call("find", q=1)), diverged("find", q=1))) == "right"
    assert word(decided(should(call("find", q=1)), diverged("find", q=2))) == "not-evaluated diverged"


def test_after_a_divergence_another_write_is_not_evaluated() -> None:
    said = should(REFUND, callsMatch="exactly")
    assert word(decided(said, diverged("find"), REFUND, effects=EFFECTS)) == "right"
    assert (
        word(decided(said, diverged("find"), REFUND, call("cancel"), effects=EFFECTS))
        == "not-evaluated diverged"
    )
    stored = {"calls": [REFUND]}
    for calls, verdict in (
        ([REFUND], "right"),
        ([], "not-evaluated diverged"),
        ([REFUND, REFUND], "not-evaluated diverged"),
    ):
        new = {"calls": [diverged("find"), *calls]}
        assert word(hold({"decisions": "right"}, stored, new, EFFECTS)) == verdict


def test_after_a_divergence_another_order_is_not_evaluated() -> None:
    said = should(call("look"), REFUND, callsOrder="as-listed")
    assert word(decided(said, diverged("find"), REFUND, call("look"))) == "not-evaluated diverged"
    assert word(decided(said, diverged("find"), call("look"), REFUND)) == "right"


def test_an_intercepted_write_counts_as_a_success() -> None:
    intercepted = {**REFUND, "result": {"intercepted": True}}
    assert word(decided(should(REFUND), intercepted)) == "right"
    assert word(decided(should(callsMatch="exactly"), intercepted, effects=EFFECTS)) == "wrong other-write"


def test_the_details_name_everything() -> None:
    said = should(REFUND, call("look"), mustNotCall=["cancel"], callsMatch="exactly")
    found = only(
        decided(said, call("look"), failing("cancel", id=9), call("other", id="b-2"), effects=EFFECTS)
    )
    assert found.reason == "forbidden-call"
    assert found.details == {
        "forbidden": [{"position": 1, "tool": "cancel", "error": "no"}],
        "missing": [
            {
                "index": 0,
                "tool": "refund",
                "nearest": {
                    "position": 2,
                    "tool": "other",
                    "differs": [
                        {"place": "/id", "expected": "b-1", "actual": "b-2"},
                        {"place": "/amount", "expected": 5},
                    ],
                },
            }
        ],
        "others": [{"position": 2, "tool": "other"}],
    }


def test_the_third_call_out_of_order_follows_the_second() -> None:
    said = should(call("a"), call("b"), call("c"), call("d"), callsOrder="as-listed")
    found = only(decided(said, call("c"), call("a"), call("b"), call("d")))
    assert "no c as needed follows the b before it" in found.explanation


def test_a_tool_is_known_by_its_name() -> None:
    assert fits({"tool": str(fresh("refund"))}, "refund", {})
