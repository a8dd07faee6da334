"""Kappa and alpha: published examples, values of reference implementations, and the definitions by brute force."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.corrections.coefficients import Coefficient, Judged, alpha, kappa, share

REFERENCE = json.loads((Path(__file__).parent / "reference_agreement.json").read_text())
UNITS = st.lists(st.lists(st.booleans(), max_size=5), max_size=12)


def judged(units: list[list[bool]]) -> list[Judged]:
    """What is kept of units, from the verdicts on each."""
    return [Judged(len(unit), 1, sum(unit), sum(unit) * (len(unit) - sum(unit))) for unit in units]


def units_of(raters: list[str]) -> list[list[bool]]:
    """The verdicts on each unit, from one text a rater with a dot where nothing was said."""
    return [[mark == "1" for mark in unit if mark != "."] for unit in zip(*raters, strict=True)]


@pytest.mark.parametrize(
    ("table", "expected"),
    [((20, 5, 10, 15), 0.4), ((45, 15, 25, 15), 0.1304), ((25, 35, 5, 35), 0.2593)],
)
def test_kappa_is_that_of_the_examples_that_everybody_cites(
    table: tuple[int, int, int, int], expected: float
) -> None:
    """Wikipedia, "Cohen's kappa": the grant proposals, and two tables of the same agreement."""
    assert kappa(*table).value == pytest.approx(expected, abs=0.00005)


def test_alpha_is_that_of_krippendorffs_own_example() -> None:
    """K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example A: Meg and Owen, 0.095."""
    found = alpha(judged(units_of(["0100000010", "1110010000"])))
    assert found.value == pytest.approx(0.095, abs=0.0005)


def test_kappa_is_that_of_the_reference_implementation() -> None:
    for case in REFERENCE["kappa"]:
        assert kappa(*case["table"]).value == pytest.approx(case["kappa"], abs=1e-12)
    assert len(REFERENCE["kappa"]) == 40


def test_alpha_is_that_of_the_reference_implementation() -> None:
    for case in REFERENCE["alpha"]:
        assert alpha(judged(units_of(case["raters"]))).value == pytest.approx(case["alpha"], abs=1e-12)
    assert len(REFERENCE["alpha"]) == 40


def test_without_a_value_there_is_a_reason() -> None:
    assert kappa(0, 0, 0, 0) == Coefficient(None, "no-overlap")
    assert kappa(9, 0, 0, 0) == kappa(0, 0, 0, 3) == Coefficient(None, "no-variation")
    assert kappa(9, 0, 1, 0) == Coefficient(0.0)
    assert alpha([]) == alpha(judged([[True], [False], []])) == Coefficient(None, "no-overlap")
    assert alpha(judged([[True, True], [True, True, True], [False]])) == Coefficient(None, "no-variation")
    assert (share(0, 0), share(1, 4)) == (None, 0.25)


@given(UNITS)
def test_alpha_is_one_less_the_disagreement_seen_in_that_expected(units: list[list[bool]]) -> None:
    """Over every ordered pair of verdicts of a unit, and over every ordered pair of verdicts at all."""
    several = [unit for unit in units if len(unit) > 1]
    every = [verdict for unit in several for verdict in unit]
    found = alpha(judged(units))
    if len(set(every)) < 2:
        assert found.value is None
        return
    seen = sum(
        sum(one != other for one, other in permutations(unit, 2)) / (len(unit) - 1) for unit in several
    ) / len(every)
    expected = sum(one != other for one, other in permutations(every, 2)) / (len(every) * (len(every) - 1))
    assert found.value == pytest.approx(1 - seen / expected, abs=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_kappa_is_the_agreement_beyond_chance_in_what_chance_leaves(said: list[tuple[bool, bool]]) -> None:
    table = [
        said.count(verdicts) for verdicts in ((True, True), (True, False), (False, True), (False, False))
    ]
    found = kappa(*table)
    by_chance = [one == other for one, _ in said for _, other in said]
    if all(by_chance):
        assert found.value is None
        return
    seen, chance = (
        sum(one == other for one, other in said) / len(said),
        sum(by_chance) / len(by_chance),
    )
    assert found.value == pytest.approx((seen - chance) / (1 - chance), abs=1e-9)


@given(UNITS)
def test_units_of_the_same_number_of_raters_may_be_added_up(units: list[list[bool]]) -> None:
    one_by_one = judged(units)
    together = [
        Judged(
            raters,
            sum(some.units for some in one_by_one if some.raters == raters),
            sum(some.rights for some in one_by_one if some.raters == raters),
            sum(some.apart for some in one_by_one if some.raters == raters),
        )
        for raters in {some.raters for some in one_by_one}
    ]
    assert alpha(together) == alpha(one_by_one)
