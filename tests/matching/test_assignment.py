"""The assignment of calls to entries is a maximum matching, and what follows from that holds for all calls."""

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from setright.matching.calls import assign, assign_in_order, fits_of
from tests.matching.saying import EFFECTS, call, decided, should, word

TOOLS = st.sampled_from(["refund", "cancel"])
FIELDS = st.dictionaries(st.sampled_from(["a", "b"]), st.integers(0, 2))
CALLS = st.lists(st.builds(lambda tool, args: call(tool, **args), TOOLS, FIELDS), max_size=6)
READS = st.builds(lambda tool, args: call(tool, **args), st.sampled_from(["look", "find"]), FIELDS)


def table(entries: list[Any], calls: list[Any]) -> list[list[bool]]:
    """Which call will do for which entry."""
    return [
        [one["tool"] == other["tool"] and fits_of(one)(other["args"]) for other in calls] for one in entries
    ]


def most_by_trying_all(will_do: list[list[bool]], columns: int) -> int:
    """The size of the largest matching, by brute force."""
    rows = len(will_do)
    if rows > columns:
        will_do, rows, columns = (
            [[row[column] for row in will_do] for column in range(columns)],
            columns,
            rows,
        )
    orders = permutations(range(columns), rows)
    return max(sum(will_do[row][column] for row, column in enumerate(order)) for order in orders)


@given(st.lists(st.builds(lambda tool, args: call(tool, **args), TOOLS, FIELDS), max_size=5), CALLS)
def test_as_many_entries_as_possible_have_a_call_of_their_own(entries: list[Any], calls: list[Any]) -> None:
    will_do = table(entries, calls)
    found = assign(entries, calls)
    taken = [index for index in found if index is not None]
    assert len(found) == len(entries)
    assert len(set(taken)) == len(taken) == most_by_trying_all(will_do, len(calls))
    assert all(index is None or will_do[row][index] for row, index in enumerate(found))


@given(st.lists(st.builds(lambda tool, args: call(tool, **args), TOOLS, FIELDS), max_size=4), CALLS)
def test_in_order_finds_an_order_where_there_is_one(entries: list[Any], calls: list[Any]) -> None:
    will_do = table(entries, calls)
    found = assign_in_order(entries, calls)
    possible = any(
        all(will_do[row][column] for row, column in enumerate(order))
        for order in permutations(range(len(calls)), len(entries))
        if list(order) == sorted(order)
    )
    assert (None not in found) is possible
    assert len(found) == len(entries)
    placed = [index for index in found if index is not None]
    assert placed == sorted(set(placed))
    assert all(index is not None and will_do[row][index] for row, index in enumerate(found[: len(placed)]))


def test_a_chain_of_calls_is_handed_over() -> None:
    entries = [call("t"), call("t", a=1), call("t", a=1, b=1), call("t", a=1, b=1, c=1)]
    calls = [call("t", a=1, b=1, c=1), call("t", a=1, b=1), call("t", a=1), call("t")]
    assert assign(entries, calls) == [3, 2, 1, 0]


def test_fifty_entries_are_assigned_among_thousands_of_calls() -> None:
    entries = [call("t", **({"n": n} if n % 2 else {})) for n in range(50)]
    calls = [call("t", n=n % 60) for n in range(4_000)]
    assert None not in assign(list(reversed(entries)), calls)
    tight = [call("t", n=n) for n in range(50)]
    assert sorted(index for index in assign(entries, tight) if index is not None) == list(range(50))


SOME = st.lists(st.builds(lambda tool, args: call(tool, **args), TOOLS, FIELDS), min_size=1, max_size=4)


@given(SOME, CALLS, st.sampled_from(["at-least", "exactly"]), st.data())
def test_the_order_of_entries_and_calls_never_changes_a_verdict(
    entries: list[Any], calls: list[Any], how: str, draw: st.DataObject
) -> None:
    said = should(*entries, callsMatch=how)
    shuffled = should(*draw.draw(st.permutations(entries)), callsMatch=how)
    verdict = decided(said, *calls, effects=EFFECTS)
    assert word(decided(shuffled, *draw.draw(st.permutations(calls)), effects=EFFECTS)) == word(verdict)


@given(
    SOME,
    CALLS,
    READS,
    st.sampled_from(["at-least", "exactly"]),
    st.sampled_from(["any", "as-listed"]),
    st.data(),
)
def test_an_unrelated_read_never_turns_right_into_wrong(
    entries: list[Any], calls: list[Any], read: Any, how: str, order: str, draw: st.DataObject
) -> None:
    said = should(*entries, callsMatch=how, callsOrder=order)
    place = draw.draw(st.integers(0, len(calls)))
    verdict = decided(said, *calls, effects=EFFECTS)
    assert word(decided(said, *calls[:place], read, *calls[place:], effects=EFFECTS)) == word(verdict)


@given(SOME, st.sampled_from(["at-least", "exactly"]), st.data())
def test_without_a_needed_call_right_is_wrong(entries: list[Any], how: str, draw: st.DataObject) -> None:
    said = should(*entries, callsMatch=how)
    calls = draw.draw(st.permutations(entries))
    assert word(decided(said, *calls, effects=EFFECTS)) == "right"
    gone = draw.draw(st.integers(0, len(calls) - 1))
    assert word(decided(said, *calls[:gone], *calls[gone + 1 :], effects=EFFECTS)) == "wrong missing-call"
