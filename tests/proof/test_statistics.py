"""McNemar, pass^k and spread: reference values, and the definitions by brute force."""

import json
from fractions import Fraction
from itertools import combinations, product
from math import comb
from pathlib import Path
from statistics import stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setright.proof import statistics
from setright.proof.statistics import Spread, mcnemar, pass_hat, spread

REFERENCE = json.loads((Path(__file__).parent / "reference_mcnemar.json").read_text())
FEW = st.integers(0, 8)


def test_the_p_value_is_that_of_the_reference_implementation() -> None:
    for one in REFERENCE["mcnemar"]:
        found = mcnemar(one["newlyRight"], one["newlyWrong"])
        assert found == pytest.approx(one["p"], rel=1e-8, abs=1e-300), one
    assert len(REFERENCE["mcnemar"]) == 40


@settings(deadline=None)
@given(FEW, FEW)
def test_the_p_value_counts_the_tosses_that_are_at_least_as_uneven(right: int, wrong: int) -> None:
    tosses = list(product((0, 1), repeat=min(right + wrong, 10)))
    if right + wrong <= 10:
        uneven = [one for one in tosses if abs(2 * sum(one) - len(one)) >= abs(right - wrong)]
        assert mcnemar(right, wrong) == pytest.approx(len(uneven) / len(tosses))
    assert mcnemar(right, wrong) == mcnemar(wrong, right)


@settings(deadline=None)
@given(st.integers(0, 400), st.integers(0, 400))
def test_both_ways_of_adding_up_say_the_same(right: int, wrong: int) -> None:
    fewer, changed = min(right, wrong), right + wrong
    exact = Fraction(sum(comb(changed, few) for few in range(fewer + 1)), 2**changed)
    found = statistics._tail(changed, fewer)
    assert found == pytest.approx(float(exact), rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), max_size=6))
def test_pass_hat_is_the_share_of_picks_that_are_all_right(corrections: list[list[bool]]) -> None:
    found = pass_hat(4, [(sum(tries), 1) for tries in corrections])
    if not corrections:
        assert found == []
        return
    for k, value in enumerate(found, 1):
        picks = [all(pick) for tries in corrections for pick in combinations(tries, k)]
        assert value == pytest.approx(sum(picks) / len(picks))
    assert len(found) == 4
    assert found == sorted(found, reverse=True)


def test_corrections_of_the_same_kind_may_be_counted_together() -> None:
    assert pass_hat(3, [(3, 2), (1, 1)]) == pass_hat(3, [(3, 1), (1, 1), (3, 1)])
    assert pass_hat(3, [(3, 2), (1, 1)]) == pytest.approx([7 / 9, 2 / 3, 2 / 3])


@settings(deadline=None)
@given(st.lists(st.tuples(FEW, FEW), max_size=6))
def test_the_spread_is_over_the_tries_in_which_something_was_evaluated(tries: list[tuple[int, int]]) -> None:
    shares = [right / (right + wrong) for right, wrong in tries if right + wrong]
    found = spread(tries)
    if not shares:
        assert found is None
        return
    assert found is not None
    assert (found.lowest, found.highest) == (min(shares), max(shares))
    assert found.mean == pytest.approx(sum(shares) / len(shares))
    assert found.deviation == pytest.approx(stdev(shares) if len(shares) > 1 else 0, abs=1e-9)


def test_a_single_try_has_no_spread() -> None:
    assert spread([(3, 1)]) == Spread(0.75, 0.75, 0.75, 0.0)
