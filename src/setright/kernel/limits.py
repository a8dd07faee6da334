"""How much a caller and its tenant may use, and the refusal for who wants more."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import add
from typing import NamedTuple

from setright.kernel.clock import SECOND, to_wire
from setright.kernel.errors import Kind, Refusal

DAY = 24 * 3600 * SECOND


class Use(NamedTuple):
    """Amounts that count against the quotas of a day (UTC), in the order of `QUOTAS`."""

    runs: int = 0
    run_bytes: int = 0
    corrections: int = 0

    def plus(self, more: "Use") -> "Use":
        """Both together."""
        return Use(*map(add, self, more))


NOTHING = Use()

QUOTAS = ("runs-per-day", "run-bytes-per-day", "corrections-per-day")
"""The words for quotas: how much a tenant may add in one day (UTC)."""

CAPS = ("tokens", "users", "projects", "corrector-groups")
"""The words for caps: how many of a thing a tenant may have at once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may hold, how often one token may call, and what one tenant may use; 0 is no limit.

    `a_day` is how much a tenant may add in one day (UTC); after it come the caps, by the words of `CAPS`.
    """

    body_bytes: int = 0
    requests_per_second: int = 0
    requests_at_once: int = 0
    a_day: Use = NOTHING
    tokens: int = 0
    users: int = 0
    projects: int = 0
    corrector_groups: int = 0

    def cap(self, word: str) -> int:
        """The cap that a word of `CAPS` names."""
        return int(getattr(self, word.replace("-", "_")))

    def with_own(self, own: Mapping[str, int]) -> "Limits":
        """The same, but for what a tenant has of its own, by the words of `QUOTAS` and `CAPS`."""
        if not own:
            return self
        a_day = Use(*(own.get(word, most) for word, most in zip(QUOTAS, self.a_day, strict=True)))
        caps = {word.replace("-", "_"): own[word] for word in CAPS if word in own}
        return replace(self, a_day=a_day, **caps)


NO_LIMITS = Limits()


class QuotaExceeded(Refusal):
    """The tenant has, or has added today, as much as it may; `details` tell which limit it was.

    A quota says when it begins again, and Retry-After says so too; a cap has no such time.
    """

    kind, code = Kind.TOO_MANY, "quota-exceeded"


def day_of(moment: int) -> int:
    """The number of the day (UTC) in which a moment (microseconds) lies."""
    return moment // DAY


def end_of_day(moment: int) -> int:
    """The first moment of the day (UTC) after that of `moment`."""
    return (moment // DAY + 1) * DAY


def over_quota(word: str, limit: int, used: int, now: int) -> QuotaExceeded:
    """The refusal of what would be more than a quota allows for the day of `now`."""
    resets_at = end_of_day(now)
    says = to_wire(resets_at)
    return QuotaExceeded(
        f"The quota {word} of this tenant is {limit}, of which {used} are used: it begins again at {says}. "
        "The server's operator can raise it.",
        {"quota": word, "limit": limit, "used": used, "resetsAt": says},
        retry_after=-(-(resets_at - now) // SECOND),
    )


def over_cap(word: str, limit: int, used: int, way_out: str) -> QuotaExceeded:
    """The refusal of one more than a cap allows; `way_out` says how room is made."""
    return QuotaExceeded(
        f"This tenant may have {limit} {word.replace('-', ' ')}, and has {used}. {way_out} "
        "The server's operator can allow more.",
        {"quota": word, "limit": limit, "used": used},
    )
