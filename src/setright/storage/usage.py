"""What each tenant used of its quotas: sums that are kept for every day (UTC), and never beyond a quota."""

from operator import mul
from typing import Any, Protocol

from sqlalchemy import Table, and_, bindparam, delete, select

from setright.kernel.actor import Actor
from setright.kernel.limits import NOTHING, QUOTAS, Limits, QuotaExceeded, Use, day_of, over_quota
from setright.storage.sql import Sql
from setright.storage.sums import Counted, Sums
from setright.storage.types import metadata, number, text

KEPT_DAYS = 7

usage = Table(
    "usage",
    metadata,
    text("tenant_id", primary_key=True),
    number("day", primary_key=True, autoincrement=False),
    *(number(name) for name in Use._fields),
)
USAGE = Sums(usage)

_U = usage.c
USED = Sql(
    select(*(_U[name] for name in Use._fields)).where(
        and_(_U.tenant_id == bindparam("tenant_id"), _U.day == bindparam("day"))
    )
)
DROP_OLD = Sql(delete(usage).where(_U.day < bindparam("before")))


class Reading(Protocol):
    """A snapshot of the database, as somebody uses it."""

    now: int
    actor: Actor
    limits: Limits

    def one(self, sql: Sql, **values: Any) -> dict[str, Any] | None:
        """The first row of a select, or None."""
        ...


class Using(Reading, Protocol):
    """A transaction that uses something of its tenant's quotas."""

    used: Use

    def run(self, sql: Sql, **values: Any) -> int:
        """Run a delete; the number of rows it changed."""
        ...


class Meter:
    """What the transactions of one commit use together, so that each is held against what is left by the others."""

    def __init__(self) -> None:
        self._before: dict[tuple[str, int], Use] = {}
        self._added: dict[tuple[str, int], Use] = {}

    def refusal(self, tx: Using, wanted: Use) -> QuotaExceeded | None:
        """Why the tenant may not use so much more today; None when it may."""
        a_day = tx.limits.a_day
        if a_day == NOTHING or not any(map(mul, a_day, wanted)):
            return None
        for word, most, there, more in zip(QUOTAS, a_day, self._used(tx), wanted, strict=True):
            if most and more and there + more > most:
                return over_quota(word, most, there, tx.now)
        return None

    def counted(self, tx: Using) -> list[Counted]:
        """What a transaction used that will be committed, to be added to the sums within the quotas."""
        if tx.used == NOTHING:
            return []
        place = _place(tx)
        there = self._added.get(place)
        self._added[place] = tx.used if there is None else there.plus(tx.used)
        within = None if tx.limits.a_day == NOTHING else tx.limits.a_day
        return [Counted(USAGE, place, tx.used, within)]

    def _used(self, tx: Using) -> Use:
        """What the tenant used today: before this commit, in it, and in this transaction."""
        place = _place(tx)
        if place not in self._before:
            self._before[place] = used_today(tx)
        return self._before[place].plus(self._added.get(place, NOTHING)).plus(tx.used)


def used_today(at: Reading) -> Use:
    """What the tenant of the caller used on the day of `now`, as far as it is committed."""
    row = at.one(USED, tenant_id=at.actor.tenant_id, day=day_of(at.now))
    return NOTHING if row is None else Use(**row)


def drop_old_usage(tx: Using) -> int:
    """Drop the rows of days that are over for a week; how many went."""
    return tx.run(DROP_OLD, before=day_of(tx.now) - KEPT_DAYS)


def _place(at: Reading) -> tuple[str, int]:
    return at.actor.tenant_id, day_of(at.now)
