"""What tenants use of their quotas: counted exactly, once for each commit, and never beyond a limit."""

import threading
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from setright.kernel.clock import Clock, from_wire
from setright.kernel.errors import Refusal, StorageUnavailable
from setright.kernel.ids import Ids
from setright.kernel.limits import DAY, NOTHING, Limits, QuotaExceeded, Use
from setright.storage import Store, Tx
from setright.storage.open import open_store
from setright.storage.usage import drop_old_usage, used_today
from tests.storage import notes
from tests.support.ledger import Ledger, Tenant

ONE = Use(runs=1)
Work = Callable[[Tx], Any]


class No(Refusal):
    """A refusal of some room."""


@pytest.fixture
def tenant(ledger: Ledger) -> Tenant:
    return ledger.tenant()


@pytest.fixture
def other_process(ledger: Ledger) -> Iterator[Store]:
    """The same ledger, opened as another process would."""
    store = open_store(ledger.url, Clock(), Ids())
    yield store
    store.close()


def using(tenant: Tenant, *uses: Use, a_day: Use = NOTHING, at: int | None = None) -> Work:
    """Work that uses this and that, in a tenant that may use so much a day."""

    def work(tx: Tx) -> None:
        tx.actor, tx.limits = tenant.admin, Limits(a_day=a_day)
        tx.now = tx.now if at is None else at
        for use in uses:
            tx.use(use)

    return work


def used(ledger: Ledger, tenant: Tenant, at: int | None = None) -> Use:
    def read(snapshot: Any) -> Use:
        snapshot.now = snapshot.now if at is None else at
        return used_today(snapshot)

    return ledger.read(read, tenant.admin)


def outcomes(futures: list[Any]) -> list[str]:
    return sorted(type(future.exception(30)).__name__ for future in futures)


def test_what_is_used_adds_up_with_and_without_a_limit(ledger: Ledger, tenant: Tenant) -> None:
    assert used(ledger, tenant) == Use()
    ledger.write(using(tenant, ONE, Use(run_bytes=2**40), Use(corrections=3)))
    ledger.write(using(tenant, ONE, a_day=Use(runs=10)))
    ledger.write(using(tenant, Use(1, 1, 1), a_day=Use(10, 2**50, 10)))
    assert used(ledger, tenant) == Use(3, 2**40 + 1, 4)


def test_who_wants_more_is_told_what_there_is_and_when_it_begins_again(
    ledger: Ledger, tenant: Tenant
) -> None:
    now = from_wire("2031-05-06T23:59:58.5Z")
    ledger.write(using(tenant, Use(run_bytes=90), at=now))
    with pytest.raises(QuotaExceeded) as caught:
        ledger.write(using(tenant, Use(1, 11), a_day=Use(0, 100), at=now))
    told = {"quota": "run-bytes-per-day", "limit": 100, "used": 90, "resetsAt": "2031-05-07T00:00:00.000000Z"}
    assert caught.value.details == told
    assert caught.value.retry_after == 2
    ledger.write(using(tenant, Use(1, 10), a_day=Use(0, 100), at=now))
    assert used(ledger, tenant, now) == Use(1, 100)


def test_every_day_begins_with_nothing_at_midnight_in_utc(ledger: Ledger, tenant: Tenant) -> None:
    midnight = from_wire("2031-05-07T00:00:00Z")
    ledger.write(using(tenant, ONE, a_day=ONE, at=midnight - 1))
    ledger.write(using(tenant, ONE, a_day=ONE, at=midnight))
    with pytest.raises(QuotaExceeded):
        ledger.write(using(tenant, ONE, a_day=ONE, at=midnight + DAY - 1))
    assert used(ledger, tenant, midnight - 1) == used(ledger, tenant, midnight) == ONE


def test_a_limit_below_what_is_used_stops_that_quota_and_no_other(ledger: Ledger, tenant: Tenant) -> None:
    ledger.write(using(tenant, Use(runs=5)))
    ledger.write(using(tenant, Use(corrections=1), a_day=Use(2, 2, 2)))
    with pytest.raises(QuotaExceeded):
        ledger.write(using(tenant, ONE, a_day=Use(2, 2, 2)))
    assert used(ledger, tenant) == Use(runs=5, corrections=1)


def test_what_is_refused_or_undone_does_not_count(ledger: Ledger, tenant: Tenant) -> None:
    def refused_at_last(tx: Tx) -> None:
        using(tenant, ONE)(tx)
        notes.add("refused-at-last")(tx)
        raise No("at last")

    def undone(tx: Tx) -> None:
        using(tenant, Use(corrections=1))(tx)
        assert isinstance(tx.attempt(lambda: refused_at_last(tx)), No)

    with pytest.raises(No):
        ledger.write(refused_at_last)
    ledger.write(undone)
    assert used(ledger, tenant) == Use(corrections=1)


def test_of_many_who_wait_together_exactly_as_many_as_are_allowed_get_through(
    ledger: Ledger, tenant: Tenant
) -> None:
    other, gate = ledger.tenant(), threading.Event()
    held = [ledger.store.write(lambda tx: gate.wait(20)) for _ in range(4)]
    limited = [ledger.store.write(using(tenant, ONE, a_day=Use(runs=7))) for _ in range(50)]
    free = [ledger.store.write(using(other, ONE)) for _ in range(50)]
    gate.set()
    assert [one.result(30) for one in held] == [True] * 4
    assert outcomes(limited) == ["NoneType"] * 7 + ["QuotaExceeded"] * 43
    assert outcomes(free) == ["NoneType"] * 50
    assert (used(ledger, tenant), used(ledger, other)) == (Use(runs=7), Use(runs=50))


def test_of_two_at_once_only_one_gets_the_last_unit(
    ledger: Ledger, tenant: Tenant, other_process: Store
) -> None:
    """On PostgreSQL both are let through before either commits; on SQLite the second one waits for the first."""
    met, runs = threading.Barrier(2), count()

    def last_unit(tx: Tx) -> None:
        using(tenant, ONE, a_day=Use(runs=4))(tx)
        if tx.engine == "postgresql" and next(runs) < 2:
            met.wait(10)

    ledger.write(using(tenant, Use(runs=3)))
    futures = [store.write(last_unit) for store in (ledger.store, other_process)]
    assert outcomes(futures) == ["NoneType", "QuotaExceeded"]
    assert used(ledger, tenant) == Use(runs=4)


def test_processes_that_use_much_at_once_count_all_of_it(
    ledger: Ledger, tenant: Tenant, other_process: Store
) -> None:
    futures = [
        store.write(using(tenant, ONE, a_day=Use(runs=150)))
        for _ in range(100)
        for store in (ledger.store, other_process)
    ]
    told = outcomes(futures)
    through = told.count("NoneType")
    assert set(told) <= {"NoneType", "QuotaExceeded", StorageUnavailable.__name__}
    assert used(ledger, tenant) == Use(runs=through)
    assert through <= 150


def test_what_was_used_is_known_to_who_opens_the_ledger_again(
    ledger: Ledger, tenant: Tenant, other_process: Store
) -> None:
    ledger.write(using(tenant, ONE))

    def read(at: Any) -> Use:
        at.actor = tenant.admin
        return used_today(at)

    assert other_process.read(read).result(30) == ONE


def test_days_that_are_over_for_a_week_are_dropped(ledger: Ledger, tenant: Tenant) -> None:
    today = from_wire("2032-01-10T12:00:00Z")
    for days in (0, 6, 7, 8):
        ledger.write(using(tenant, ONE, at=today - days * DAY))

    def drop(tx: Tx) -> int:
        tx.now = today
        return drop_old_usage(tx)

    assert ledger.write(drop) >= 1
    kept = [used(ledger, tenant, today - days * DAY) for days in (0, 6, 7, 8)]
    assert kept == [ONE, ONE, ONE, Use()]
    assert ledger.write(drop) == 0
