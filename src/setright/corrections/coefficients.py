"""How far raters agree beyond chance: Cohen's kappa of two, Krippendorff's alpha of many; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

WhyNot = Literal["no-overlap", "no-variation"]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A value of at most 1, where 0 is chance; without a value, why it has none.

    `no-overlap`: nothing was judged by two. `no-variation`: every verdict was the same, so that chance would have
    agreed as well.
    """

    value: float | None
    why_not: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """Units that `raters` raters judged each: how many verdicts on them say right, how many pairs of verdicts differ."""

    raters: int
    units: int
    rights: int
    apart: int


def alpha(judged: Iterable[Judged]) -> Coefficient:
    """Krippendorff's alpha for two values; units that only one rater judged tell nothing and are passed over.

    K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): nominal data with missing values.
    """
    several = [some for some in judged if some.raters > 1]
    verdicts = sum(some.raters * some.units for some in several)
    rights = sum(some.rights for some in several)
    if not verdicts:
        return Coefficient(None, "no-overlap")
    if rights in (0, verdicts):
        return Coefficient(None, "no-variation")
    observed = sum(Fraction(2 * some.apart, some.raters - 1) for some in several)
    expected = Fraction(2 * rights * (verdicts - rights), verdicts - 1)
    return Coefficient(float(1 - observed / expected))


def kappa(both_right: int, first_right: int, second_right: int, both_wrong: int) -> Coefficient:
    """Cohen's kappa of two raters, from what they said of the units that both judged.

    `first_right` counts where only the first says right, `second_right` where only the second does.
    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960), 37-46.
    """
    units = both_right + first_right + second_right + both_wrong
    if not units:
        return Coefficient(None, "no-overlap")
    one, other = both_right + first_right, both_right + second_right
    expected = Fraction(one * other + (units - one) * (units - other), units * units)
    if expected == 1:
        return Coefficient(None, "no-variation")
    observed = Fraction(both_right + both_wrong, units)
    return Coefficient(float((observed - expected) / (1 - expected)))


def share(agreeing: int, units: int) -> float | None:
    """The share of units on which everybody agrees; None without units."""
    return agreeing / units if units else None
