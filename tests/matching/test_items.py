"""Items of ranked lists: carried over by id or by content, and measured."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.matching import MISSING, Judgement, hold, measure
from setright.matching.lists import Lists, id_of
from tests.matching.saying import only, word
from tests.support.lives import fresh


def judged(*items: tuple[str, str | None, str]) -> dict[str, Any]:
    """A correction of items, each `(key, pointer, verdict)`."""
    return {
        "items": [
            {"key": key, "verdict": verdict, **({} if pointer is None else {"pointer": pointer})}
            for key, pointer, verdict in items
        ]
    }


def held(said: dict[str, Any], stored: Any, new: Any) -> str:
    return word(hold(said, {"output": stored}, {"output": new}))


@pytest.mark.parametrize(
    ("element", "name"),
    [
        ({"id": "a", "key": "b", "_id": "c"}, "a"),
        ({"key": "b", "_id": "c"}, "b"),
        ({"_id": "c"}, "c"),
        ({"id": None, "key": "b"}, "b"),
        ({"id": {"x": 1}, "_id": 7}, "7"),
        ({"id": True}, None),
        ({"name": "a"}, None),
        ("a", "a"),
        (7, "7"),
        (7.0, "7"),
        (7.5, "7.5"),
        (-2.5, "-2.5"),
        (True, None),
        (None, None),
        ([1], None),
    ],
)
def test_an_elements_id(element: Any, name: str | None) -> None:
    assert id_of(element) == name


LIST = {"matches": [{"id": "a"}, {"id": "b"}, {"text": "c"}]}


def test_each_key_judged_right_is_there_and_none_judged_wrong() -> None:
    said = judged(("a", "/matches/0", "right"), ("b", "/matches/1", "wrong"))
    assert held(said, LIST, {"matches": [{"id": "x"}, {"id": "a", "score": 2}]}) == "right"
    assert held(said, LIST, {"matches": [{"id": "x"}]}) == "wrong missing-item"
    assert held(said, LIST, {"matches": []}) == "wrong missing-item"
    assert held(said, LIST, {"matches": [{"id": "b"}, {"id": "a"}]}) == "wrong unwanted-item"
    assert held(said, LIST, {"matches": [{"id": "b"}]}) == "wrong missing-item"


def test_an_element_without_id_is_known_by_its_content() -> None:
    said = judged(("mine", "/matches/2", "right"))
    assert held(said, LIST, {"matches": [1, {"text": "c"}]}) == "right"
    assert held(said, LIST, {"matches": [{"text": "c", "more": 1}]}) == "wrong missing-item"
    assert held(said, LIST, {"matches": [{"id": "mine"}]}) == "right"


def test_only_where_the_list_itself_is_missing_nothing_is_known() -> None:
    said = judged(("a", "/matches/0", "right"))
    for new in ({}, {"matches": None}, {"results": [{"id": "a"}]}, None, "text", {"matches": "a"}):
        assert held(said, LIST, new) == "not-evaluated no-list"
    assert word(hold(said, {"output": LIST}, {})) == "not-evaluated no-list"


def test_wrong_counts_more_than_a_missing_list() -> None:
    stored = {"one": ["a"], "two": ["b"]}
    said = judged(("a", "/one/0", "right"), ("b", "/two/0", "wrong"))
    assert held(said, stored, {"two": ["b"]}) == "wrong unwanted-item"
    assert held(said, stored, {"two": []}) == "not-evaluated no-list"


def test_an_item_without_pointer_is_looked_for_in_the_first_list_that_held_it() -> None:
    assert held(judged(("a", None, "right")), LIST, {"matches": ["a"]}) == "right"
    assert held(judged(("a", None, "right")), LIST, {"other": ["a"]}) == "not-evaluated no-list"
    assert held(judged(("b", None, "wrong")), ["a", "b"], ["b"]) == "wrong unwanted-item"
    nested = {"groups": [{"rows": ["x"]}, {"rows": ["y"]}]}
    assert held(judged(("y", None, "right")), nested, {"groups": [{}, {"rows": ["y"]}]}) == "right"
    assert (
        held(judged(("y", None, "right")), nested, {"groups": [{"rows": ["y"]}, {"rows": []}]})
        == "wrong missing-item"
    )


def test_an_item_that_was_nowhere_belongs_to_the_only_list_near_the_top() -> None:
    said = judged(("new", None, "right"))
    assert held(said, LIST, {"matches": ["new"]}) == "right"
    assert held(said, LIST, {"matches": []}) == "wrong missing-item"
    assert held(said, {"one": [], "two": []}, {"one": ["new"], "two": []}) == "not-evaluated no-list"
    assert held(said, {"one": [["deep"]]}, {"one": ["new"]}) == "right"
    assert held(said, {}, {"one": ["new"]}) == "not-evaluated no-list"
    assert held(said, [], ["new"]) == "right"


def test_the_list_of_an_item_is_the_nearest_array_on_its_way() -> None:
    stored = {"groups": [{"rows": [{"cell": {"v": 1}}]}]}
    said = judged(("mine", "/groups/0/rows/0/cell", "right"))
    assert held(said, stored, {"groups": [{"rows": [5, {"cell": {"v": 1.0}}]}]}) == "right"
    assert held(said, stored, {"groups": [{"rows": [{"cell": {"v": 2}}]}]}) == "wrong missing-item"


def test_without_an_array_the_list_is_the_object_that_holds_the_place() -> None:
    stored = {"best": {"id": "a"}, "next": {"id": "b"}}
    assert (
        held(judged(("a", "/best", "wrong")), stored, {"best": {"id": "c"}, "next": {"id": "d"}}) == "right"
    )
    assert (
        held(judged(("a", "/best", "wrong")), stored, {"best": {"id": "b"}, "next": {"id": "a"}})
        == "wrong unwanted-item"
    )
    assert held(judged(("a", "/best", "right")), stored, "text") == "not-evaluated no-list"


def test_an_item_may_be_the_whole_output() -> None:
    said = judged(("mine", "", "right"))
    assert held(said, {"a": 1}, {"a": 1.0}) == "right"
    assert held(said, {"a": 1}, {"a": 2}) == "wrong missing-item"
    assert held(said, [1], [1]) == "right"
    assert held(judged(("a", "", "wrong")), "a", "b") == "right"
    assert word(hold(said, {"output": 1}, {})) == "not-evaluated no-list"


def test_after_a_divergence_the_output_says_nothing() -> None:
    said = judged(("a", "/matches/0", "right"))
    calls = [{"tool": "find", "diverged": True, "error": "no recording"}]
    assert word(hold(said, {"output": LIST}, {"output": LIST, "calls": calls})) == "not-evaluated diverged"


def test_the_explanation_names_the_items() -> None:
    said = judged(("a", "/matches/0", "right"), ("b", "/matches/1", "wrong"))
    found = only(hold(said, {"output": LIST}, {"output": {"matches": ["x", "b"]}}))
    assert found.explanation == 'Judged right and not there: "a"; judged wrong and there: "b" (place 2).'
    assert found.details == {"missing": ["a"], "unwanted": [{"key": "b", "rank": 1}]}
    found = only(hold(said, {"output": LIST}, {"output": {}}))
    assert found.explanation == 'The list is not in the output that held "a" and "b".'
    assert found.details == {"unlisted": ["a", "b"]}
    found = only(hold(said, {"output": LIST}, {"output": {"matches": ["a"]}}))
    assert found.explanation == "Every item that was judged right is there, and none that was judged wrong."


def verdicts(**keys: str) -> list[dict[str, Any]]:
    return [{"key": key, "verdict": verdict} for key, verdict in keys.items()]


def test_metrics_weigh_each_judgement() -> None:
    output = ["a", "b", "c", "d"]
    found = measure(
        [
            Judgement(verdicts(a="right", b="wrong", z="right"), output, 3),
            Judgement(verdicts(a="wrong", d="right"), output),
        ],
        output,
        k=2,
    )
    assert found.precision == pytest.approx(3 / 7)
    assert found.right_share == pytest.approx(4 / 8)
    assert found.coverage == 1
    assert found.judged == 3


def test_metrics_of_another_output_count_what_is_carried_over() -> None:
    found = measure([Judgement(verdicts(a="right", b="wrong"), ["a", "b"])], ["x", "a", "y", "q"], k=4)
    assert found == (1, 1, 0.25, 1)


def test_metrics_of_experts_only() -> None:
    output = ["a", "b"]
    judgements = [Judgement(verdicts(a="right"), output), Judgement(verdicts(a="wrong"), output, expert=True)]
    assert measure(judgements, output, experts_only=True) == (0, 0, 0.5, 1)
    assert measure(judgements, output) == (0.5, 0.5, 0.5, 1)


@pytest.mark.parametrize(
    "judgements",
    [
        [],
        [Judgement(verdicts(z="right"), ["a"])],
        [Judgement(verdicts(a="right"), {"x": 1})],
        [Judgement([], ["a"])],
    ],
)
def test_metrics_are_null_when_nothing_was_judged(judgements: list[Judgement]) -> None:
    assert measure(judgements, ["a"]) == (None, None, None, 0)


def test_metrics_without_weight_or_output_are_null() -> None:
    assert measure([Judgement(verdicts(a="right"), ["a"], 0)], ["a"]) == (None, None, 1, 1)
    assert measure([Judgement(verdicts(a="right"), ["a"])], MISSING) == (None, None, None, 0)


def test_metrics_are_of_the_first_ten_if_nothing_else_is_said() -> None:
    output = list("abcdefghijkl")
    judgements = [Judgement(verdicts(a="wrong", j="right", k="right"), output)]
    assert measure(judgements, output) == (0.5, pytest.approx(2 / 3), 0.2, 3)


def test_several_judgements_of_one_item_add_up() -> None:
    said = Judgement(verdicts(a=str(fresh("right"))), ["a"])
    assert measure([said, said, Judgement(verdicts(a="wrong"), ["a"])], ["a"]).right_share == pytest.approx(
        2 / 3
    )


def test_an_item_of_no_list_leaves_the_others_in() -> None:
    output = {"one": ["a"], "two": ["b"]}
    said = Judgement(verdicts(z="right", a="right"), output)
    assert measure([said], output).judged == 1


def test_metrics_below_the_first_k_count_in_the_share_only() -> None:
    assert measure([Judgement(verdicts(c="right"), list("abc"))], list("abc"), k=2) == (None, 1, 0, 1)


KEYS = st.lists(st.sampled_from("abcdef"), unique=True)


@given(KEYS, KEYS, st.data())
def test_items_hold_what_sets_say(before: list[str], after: list[str], draw: st.DataObject) -> None:
    words = {key: draw.draw(st.sampled_from(["right", "wrong"])) for key in before}
    said = judged(*((key, f"/{index}", words[key]) for index, key in enumerate(before)))
    if not before:
        return
    good = all((key in after) is (verdict == "right") for key, verdict in words.items())
    assert hold(said, {"output": before}, {"output": after}).verdict == ("right" if good else "wrong")


def test_a_list_is_looked_through_once() -> None:
    lists = Lists({"rows": [{"id": str(n)} for n in range(1_000)]})
    assert lists.elements("/rows") is lists.elements("/rows")
    found = lists.judged({"key": "999"})
    assert found is not None
    assert found.pointer == "/rows"
    assert lists.place_of({"key": "5"}, found) == 5
