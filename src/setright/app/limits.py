"""What a tenant may use and what it has used, as far as numbers of the settings, of its own and of its day go."""

from collections.abc import Sequence
from dataclasses import dataclass

from setright import corrections, identity
from setright.app.settings import Settings
from setright.kernel.limits import CAPS, QUOTAS, Limits, Use, end_of_day
from setright.storage import Snapshot, used_today


@dataclass(frozen=True, slots=True)
class Held:
    """A quota or a cap: its word, how much of it is used, and its limit, 0 for none.

    A quota begins again at `resets_at` (microseconds); a cap never does.
    """

    word: str
    limit: int
    used: int
    resets_at: int | None = None

    @property
    def is_near(self) -> bool:
        """Whether nine tenths of it are used, or more."""
        return 0 < self.limit * 9 <= self.used * 10


@dataclass(frozen=True, slots=True)
class LimitsNow:
    """What limits the caller's tenant, and how much of that is used now."""

    limits: Limits
    quotas: Sequence[Held]
    caps: Sequence[Held]


def limits_of(settings: Settings) -> Limits:
    """The limits that a server with these settings has for a tenant without its own."""
    return Limits(
        body_bytes=settings.max_body_bytes,
        requests_per_second=settings.rate_per_second,
        requests_at_once=settings.rate_burst,
        a_day=Use(settings.runs_per_day, settings.run_bytes_per_day, settings.corrections_per_day),
        tokens=settings.most_tokens,
        users=settings.most_users,
        projects=settings.most_projects,
        corrector_groups=settings.most_corrector_groups,
    )


def read_limits(at: Snapshot) -> LimitsNow:
    """What limits the caller's tenant, and how much of that is used; for everybody in it."""
    resets_at = end_of_day(at.now)
    each = zip(QUOTAS, at.limits.a_day, used_today(at), strict=True)
    quotas = [Held(word, limit, used, resets_at) for word, limit, used in each]
    there = {**identity.count_capped(at), "corrector-groups": corrections.count_groups(at)}
    return LimitsNow(at.limits, quotas, [Held(word, at.limits.cap(word), there[word]) for word in CAPS])
