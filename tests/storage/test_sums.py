"""Sums that are kept: added up over a whole group, written once, and undone with what counted them."""

from concurrent.futures import Future
from typing import Any

import pytest
from sqlalchemy import bindparam, select

from setright.corrections.tables import correction_counts
from setright.kernel.errors import Refusal
from setright.storage import Snapshot, Sql, SumKey, Sums, Tx
from tests.storage.notes import Held
from tests.support.ledger import Ledger

SUMS = Sums(correction_counts)
_C = correction_counts.c
ALL = Sql(
    select(_C.status, _C.corrections, _C.to_owner)
    .where(_C.tenant_id == bindparam("tenant_id"))
    .order_by(_C.status)
)


class No(Refusal):
    """A refusal of some room."""


@pytest.fixture
def tenant(ledger: Ledger) -> str:
    return ledger.tenant().id


def key(tenant: str, status: str) -> SumKey:
    return (tenant, "p", "agent", "a", "1", status, "", 0)


def amounts(corrections: int, to_owner: int = 0) -> list[int]:
    return [corrections, 0, 0, 0, 0, 0, 0, 0, 0, to_owner]


def count(tx: Tx, tenant: str, status: str, corrections: int, to_owner: int = 0) -> None:
    tx.count(SUMS, key(tenant, status), amounts(corrections, to_owner))


def kept(ledger: Ledger, tenant: str) -> dict[str, tuple[int, int]]:
    def read(at: Snapshot) -> dict[str, tuple[int, int]]:
        rows = at.all(ALL, tenant_id=tenant)
        return {row["status"]: (row["corrections"], row["to_owner"]) for row in rows}

    return ledger.read(read)


def test_what_is_counted_is_added_to_what_is_there(ledger: Ledger, tenant: str) -> None:
    for number in (2, 3):
        ledger.write(lambda tx, more=number: count(tx, tenant, "open", more, 1))
    assert kept(ledger, tenant) == {"open": (5, 2)}


def test_a_row_that_counts_nothing_any_more_is_taken_away(ledger: Ledger, tenant: str) -> None:
    ledger.write(lambda tx: count(tx, tenant, "open", 1))
    ledger.write(lambda tx: (count(tx, tenant, "open", -1), count(tx, tenant, "fixed", 1)))
    assert kept(ledger, tenant) == {"fixed": (1, 0)}


def test_what_comes_and_goes_in_one_transaction_is_never_written(ledger: Ledger, tenant: str) -> None:
    ledger.write(lambda tx: (count(tx, tenant, "open", 1), count(tx, tenant, "open", -1)))
    assert kept(ledger, tenant) == {}


def test_what_a_refused_part_counted_is_undone_with_it(ledger: Ledger, tenant: str) -> None:
    def part(tx: Tx) -> None:
        count(tx, tenant, "open", 7)
        raise No("no")

    def work(tx: Tx) -> None:
        count(tx, tenant, "open", 1)
        assert isinstance(tx.attempt(lambda: part(tx)), No)
        tx.attempt(lambda: count(tx, tenant, "fixed", 1))

    ledger.write(work)
    assert kept(ledger, tenant) == {"open": (1, 0), "fixed": (1, 0)}


def test_of_a_group_only_what_was_not_refused_is_counted(ledger: Ledger, tenant: str) -> None:
    def work(tx: Tx, number: int) -> None:
        count(tx, tenant, f"status-{number % 3}", 1)
        if number % 4 == 0:
            raise No("no")
        if number % 5 == 0:
            raise ValueError

    held = Held(ledger.store)
    waiting: list[Future[Any]] = [
        ledger.store.write(lambda tx, number=number: work(tx, number)) for number in range(40)
    ]
    held.let_go()
    outcomes = [ticket.exception(30) for ticket in waiting]
    expected = {
        f"status-{rest}": sum(1 for number in range(rest, 40, 3) if number % 4 and number % 5)
        for rest in range(3)
    }
    assert {status: there for status, (there, _) in kept(ledger, tenant).items()} == expected
    assert sum(outcome is None for outcome in outcomes) == sum(expected.values())


def test_many_writers_who_count_the_same_rows_in_any_order_lose_nothing(ledger: Ledger, tenant: str) -> None:
    statuses = [f"status-{number}" for number in range(6)]

    def work(tx: Tx, begin: int) -> None:
        for place in range(6):
            count(tx, tenant, statuses[(begin + place) % 6], 1)

    for ticket in [ledger.store.write(lambda tx, begin=begin: work(tx, begin)) for begin in range(300)]:
        ticket.result(30)
    assert kept(ledger, tenant) == dict.fromkeys(statuses, (300, 0))
