"""How often one token may call: a bucket of requests for each, filled at a steady rate."""

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


class Rates:
    """The buckets of up to 10,000 tokens; `per_second` 0 means no limit. For one thread."""

    def __init__(self, per_second: int, burst: int, seconds: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._burst = burst
        self._seconds = seconds
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, token_id: str) -> None:
        """Count one request of a token; refuses (`rate-limited`) when its bucket is empty."""
        if not self._per_second:
            return
        now = self._seconds()
        left, since = self._buckets.get(token_id, (float(self._burst), now))
        left = min(float(self._burst), left + (now - since) * self._per_second)
        if left < 1:
            raise RateLimited(self._per_second, self._burst, (1 - left) / self._per_second)
        self._buckets[token_id] = (left - 1, now)
        self._buckets.move_to_end(token_id)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
