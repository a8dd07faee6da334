"""Asking for a job: in the caller's transaction, once for each name and key until a worker has begun."""

from collections.abc import Iterator

import pytest
from sqlalchemy import bindparam, delete

from setright import jobs
from setright.jobs import Job
from setright.jobs.tables import jobs as table
from setright.jobs.tables import recurring_jobs
from setright.kernel.clock import SECOND
from setright.kernel.errors import PermissionDenied, Refusal
from setright.storage import Sql, Tx
from tests.support.ledger import Ledger, Tenant

FORGET = [
    Sql(delete(one).where(one.c.tenant_id == bindparam("of_tenant"))) for one in (table, recurring_jobs)
]


@pytest.fixture
def tenant(ledger: Ledger) -> Iterator[Tenant]:
    """A tenant whose jobs are gone afterwards, so that no other test's worker finds them."""
    made = ledger.tenant()
    yield made
    for statement in FORGET:
        ledger.write(lambda tx, statement=statement: tx.run(statement, of_tenant=made.id))


def ask(ledger: Ledger, tenant: Tenant, key: str = "k", due: int | None = None, **arguments: int) -> None:
    ledger.write(lambda tx: jobs.ask(tx, "count", key, arguments, due), tenant.admin)


def those_of(ledger: Ledger, tenant: Tenant, state: str | None = None) -> list[Job]:
    return list(ledger.read(lambda at: jobs.list_jobs(at, state, None, None, 100).data, tenant.admin))


def test_what_was_asked_for_waits(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant, amount=3)
    (job,) = those_of(ledger, tenant)
    assert (job.name, job.key, job.state, job.arguments, job.attempt) == (
        "count",
        "k",
        "waiting",
        {"amount": 3},
        0,
    )
    assert (job.asked_by_kind, job.asked_by_id) == ("user", tenant.admin.id)


def test_it_goes_with_the_transaction_that_asked(ledger: Ledger, tenant: Tenant) -> None:
    def refused(tx: Tx) -> None:
        jobs.ask(tx, "count", "k", {})
        raise Refusal("no")

    with pytest.raises(Refusal):
        ledger.write(refused, tenant.admin)
    assert those_of(ledger, tenant) == []


def test_the_same_key_again_moves_what_nobody_has_begun(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant, amount=1)
    later = ledger.clock.now() + 3600 * SECOND
    ask(ledger, tenant, due=later, amount=2)
    (job,) = those_of(ledger, tenant)
    assert (job.due_at, job.arguments) == (later, {"amount": 2})
    ask(ledger, tenant)


def test_once_begun_the_same_key_is_a_second_job(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant)
    assert ledger.write(jobs.take) is not None
    ask(ledger, tenant)
    assert [job.state for job in those_of(ledger, tenant)] == ["waiting", "running"]


def test_what_is_due_later_is_not_taken_now(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant, due=ledger.clock.now() + 3600 * SECOND)
    assert ledger.write(jobs.take) is None
    ask(ledger, tenant)


def test_the_longest_due_is_taken_first(ledger: Ledger, tenant: Tenant) -> None:
    for key, ago in (("b", 2), ("a", 3), ("c", 1)):
        ask(ledger, tenant, key, due=ledger.clock.now() - ago * SECOND)
    taken = [ledger.write(jobs.take) for _ in range(3)]
    assert [found[0].key for found in taken if found] == ["a", "b", "c"]


def test_only_admins_of_the_tenant_see_its_jobs(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant)
    other = ledger.tenant()
    assert those_of(ledger, other) == []
    (job,) = those_of(ledger, tenant)
    with pytest.raises(jobs.JobNotFound):
        ledger.read(lambda at: jobs.get_job(at, job.id), other.admin)
    with pytest.raises(PermissionDenied):
        ledger.read(lambda at: jobs.list_jobs(at, None, None, None, 10), ledger.actor(tenant))
