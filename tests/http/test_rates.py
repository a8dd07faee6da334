"""The rate of one token: a bucket that fills steadily."""

import pytest

from setright.app import rates
from setright.app.rates import Mistakes, RateLimited, Rates, TooManyMistakes


class Seconds:
    """A clock that stands until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def taken(bucket: Rates, token: str, times: int) -> int:
    """How many of so many requests were taken."""
    count = 0
    for _ in range(times):
        try:
            bucket.take(token)
            count += 1
        except RateLimited:
            pass
    return count


def test_a_burst_then_the_steady_rate() -> None:
    seconds = Seconds()
    bucket = Rates(10, 5, seconds)
    assert taken(bucket, "a", 8) == 5
    seconds.now += 0.35
    assert taken(bucket, "a", 8) == 3
    seconds.now += 1_000
    assert taken(bucket, "a", 8) == 5


def test_tokens_do_not_share() -> None:
    bucket = Rates(1, 2, Seconds())
    assert (taken(bucket, "a", 3), taken(bucket, "b", 3)) == (2, 2)


def test_refusals_take_nothing_and_say_when_to_come_again() -> None:
    seconds = Seconds()
    bucket = Rates(1, 1, seconds)
    assert taken(bucket, "a", 50) == 1
    with pytest.raises(RateLimited) as refused:
        bucket.take("a")
    assert refused.value.retry_after == 1
    assert refused.value.details == {"perSecond": 1, "burst": 1}
    seconds.now += 1
    assert taken(bucket, "a", 2) == 1


def test_no_limit() -> None:
    assert taken(Rates(0, 1, Seconds()), "a", 1_000) == 1_000


def test_only_so_many_tokens_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "REMEMBERED", 2)
    bucket = Rates(1, 1, Seconds())
    assert [taken(bucket, token, 1) for token in "abc"] == [1, 1, 1]
    assert len(bucket._buckets._known) == 2
    assert taken(bucket, "c", 1) == 0


def test_an_address_that_is_mistaken_too_often_waits() -> None:
    seconds = Seconds()
    mistakes = Mistakes(seconds)
    for _ in range(200):
        mistakes.check("a")
        mistakes.count("a")
    with pytest.raises(TooManyMistakes) as caught:
        mistakes.check("a")
    assert caught.value.retry_after == 1
    mistakes.check("b")
    seconds.now += 0.11
    mistakes.check("a")
    mistakes.count("a")
    with pytest.raises(TooManyMistakes):
        mistakes.check("a")
