"""Whether a difference between two versions is more than noise, and how steady a version is; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, exp, fsum, lgamma, log, sqrt

EXACT_UP_TO = 1_000
NOISE = 0.05
_NEGLIGIBLE = 1e-18


def mcnemar(newly_right: int, newly_wrong: int) -> float:
    """The two-sided exact p-value of McNemar's test: how likely so uneven a change is if both versions are as good.

    What changed are tosses of a coin. Beyond a thousand of them the same sum begins with a logarithm, which leaves
    nine correct digits of it.
    """
    changed, fewer = newly_right + newly_wrong, min(newly_right, newly_wrong)
    if newly_right == newly_wrong:
        return 1.0
    if changed <= EXACT_UP_TO:
        return min(1.0, 2 * sum(comb(changed, few) for few in range(fewer + 1)) / 2**changed)
    return min(1.0, 2 * _tail(changed, fewer))


def _tail(tosses: int, fewer: int) -> float:
    """How likely a coin shows heads at most so often, from the largest term down to those that no longer count."""
    largest = lgamma(tosses + 1) - lgamma(fewer + 1) - lgamma(tosses - fewer + 1) - tosses * log(2)
    share, shares = 1.0, [1.0]
    for few in range(fewer, 0, -1):
        share *= few / (tosses - few + 1)
        if share < _NEGLIGIBLE:
            break
        shares.append(share)
    return exp(largest) * fsum(shares)


def pass_hat(tries: int, right: Sequence[tuple[int, int]]) -> list[float]:
    """For every k up to `tries`: how likely k of the tries, picked at random, are all right, over all corrections.

    `right` says how many corrections came out right in how many of their tries, as pairs (times right, corrections).
    """
    whole = sum(corrections for _, corrections in right)
    if not whole:
        return []
    return [
        fsum(corrections * comb(times, k) / comb(tries, k) for times, corrections in right) / whole
        for k in range(1, tries + 1)
    ]


@dataclass(frozen=True, slots=True)
class Spread:
    """How far the tries lie apart: the lowest and the highest share of right ones, the mean, the standard deviation."""

    lowest: float
    highest: float
    mean: float
    deviation: float


def spread(tries: Sequence[tuple[int, int]]) -> Spread | None:
    """The spread of tries given as (right, wrong); those in which nothing was evaluated say nothing.

    None without any. The deviation is that of a sample (n - 1), 0 for a single try.
    """
    shares = [right / (right + wrong) for right, wrong in tries if right + wrong]
    if not shares:
        return None
    mean = fsum(shares) / len(shares)
    apart = fsum((share - mean) ** 2 for share in shares)
    deviation = sqrt(apart / (len(shares) - 1)) if len(shares) > 1 else 0.0
    return Spread(min(shares), max(shares), mean, deviation)
