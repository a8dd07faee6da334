"""How often one token may call, and one address be mistaken about its tokens: buckets, filled at a steady rate."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from setright.kernel.errors import Kind, Refusal

REMEMBERED = 10_000


class RateLimited(Refusal):
    """The token sent more requests than it may; Retry-After says when the next one is taken."""

    kind, code = Kind.TOO_MANY, "rate-limited"

    def __init__(self, per_second: int, burst: int, wait: float) -> None:
        super().__init__(
            f"This token may send {per_second} requests a second, {burst} at once. Send the rest later.",
            {"perSecond": per_second, "burst": burst},
            retry_after=max(1, math.ceil(wait)),
        )


class TooManyMistakes(Refusal):
    """From one address came too many tokens that let nobody in; Retry-After says when the next one is looked up."""

    kind, code = Kind.TOO_MANY, "rate-limited"

    def __init__(self, wait: float) -> None:
        super().__init__(
            "From your address came too many tokens that let nobody in. Send the next one later; a token that let you "
            "in a moment ago still does.",
            retry_after=max(1, math.ceil(wait)),
        )


class _Buckets:
    """Up to 10,000 buckets, each full at first; for one thread."""

    def __init__(self, per_second: int, burst: int, seconds: Callable[[], float]) -> None:
        self._per_second = per_second
        self._burst = burst
        self._seconds = seconds
        self._known: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, name: str) -> float:
        """How long until something can be taken out of a bucket; 0 when it can."""
        left, _ = self._look(name)
        return 0 if left >= 1 else (1 - left) / self._per_second

    def take(self, name: str) -> None:
        """Take one out of a bucket that has some."""
        left, now = self._look(name)
        self._known[name] = (left - 1, now)
        self._known.move_to_end(name)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def _look(self, name: str) -> tuple[float, float]:
        now = self._seconds()
        left, since = self._known.get(name, (float(self._burst), now))
        return min(float(self._burst), left + (now - since) * self._per_second), now


class Rates:
    """The buckets of tokens; `per_second` 0 means no limit. For one thread."""

    def __init__(self, per_second: int, burst: int, seconds: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets = _Buckets(per_second, burst, seconds)

    def take(self, token_id: str) -> None:
        """Count one request of a token; refuses (`rate-limited`) when its bucket is empty."""
        if not self._per_second:
            return
        wait = self._buckets.wait(token_id)
        if wait:
            raise RateLimited(self._per_second, self._burst, wait)
        self._buckets.take(token_id)


class Mistakes:
    """The buckets of addresses from which come tokens that let nobody in: 200 at once, 10 a second in the long run.

    It keeps strangers from having the ledger look up one token after the other. That none is found by trying, its 256
    random bits see to. For one thread.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._buckets = _Buckets(10, 200, seconds)

    def check(self, address: str) -> None:
        """Refuse (`rate-limited`) to look at a token from an address that was mistaken too often."""
        wait = self._buckets.wait(address)
        if wait:
            raise TooManyMistakes(wait)

    def count(self, address: str) -> None:
        """Count a token that let nobody in."""
        self._buckets.take(address)
