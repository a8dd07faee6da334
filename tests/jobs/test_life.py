"""The life of a job: leases, attempts, giving up, and what an admin may do; every state with every verb."""

from typing import Any

import pytest
from sqlalchemy import bindparam, update

from setright import jobs
from setright.jobs import JOB_LIFE, MOST_ATTEMPTS, Batch, Job
from setright.jobs.lifecycle import STATES, pause_after
from setright.jobs.tables import jobs as table
from setright.kernel.clock import SECOND
from setright.storage import Sql, Tx
from tests.jobs.test_asking import ask, tenant, those_of
from tests.support.ledger import Ledger, Tenant

__all__ = ["tenant"]
FAILURE = {"code": "fault", "message": "ValueError"}
SET = Sql(
    update(table)
    .where(table.c.id == bindparam("of_id"))
    .values(next_at=bindparam("new_next"), attempt=bindparam("new_attempt"))
)


def take(ledger: Ledger) -> tuple[Job, str]:
    taken = ledger.write(jobs.take)
    assert taken is not None
    return taken


def say(ledger: Ledger, verb: Any, *arguments: Any) -> Any:
    return ledger.write(lambda tx: verb(tx, *arguments))


def forget(ledger: Ledger, job: Job, attempt: int = 1) -> None:
    """Let the lease or the pause of a job end now, as if time had passed."""
    ledger.write(lambda tx: tx.run(SET, of_id=job.id, new_next=tx.now - SECOND, new_attempt=attempt))


def test_a_job_goes_on_where_its_last_batch_ended(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant)
    job, lease = take(ledger)
    say(ledger, jobs.carry_on, job, lease, Batch(200, cursor={"after": "x"}))
    forget(ledger, job)
    again, other = take(ledger)
    assert (again.cursor, again.done_count, other != lease) == ({"after": "x"}, 200, True)


def test_what_has_a_lease_is_taken_by_nobody_else(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant)
    take(ledger)
    assert ledger.write(jobs.take) is None


def test_whose_lease_has_gone_to_another_is_told_so_and_changes_nothing(
    ledger: Ledger, tenant: Tenant
) -> None:
    ask(ledger, tenant)
    job, lease = take(ledger)
    forget(ledger, job)
    _, other = take(ledger)
    for late in (Batch(1), Batch(1, cursor=2)):
        with pytest.raises(jobs.LeaseLost):
            say(ledger, jobs.carry_on, job, lease, late)
    say(ledger, jobs.carry_on, job, other, Batch(5))
    (ended,) = those_of(ledger, tenant)
    assert (ended.state, ended.done_count) == ("done", 5)


def test_a_failed_attempt_is_made_again_after_ever_longer_pauses(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant)
    for attempt in range(1, MOST_ATTEMPTS):
        job, lease = take(ledger)
        assert job.attempt == attempt
        assert say(ledger, jobs.fail, job, lease, FAILURE) is False
        (waiting,) = those_of(ledger, tenant)
        assert waiting.state == "waiting"
        assert waiting.due_at > ledger.clock.now() + pause_after(attempt) // 2
        forget(ledger, job, attempt)
    job, lease = take(ledger)
    assert say(ledger, jobs.fail, job, lease, FAILURE) is True
    (given_up,) = those_of(ledger, tenant, "failed")
    assert given_up.failure == FAILURE


def test_what_was_given_up_goes_on_when_an_admin_says_so(ledger: Ledger, tenant: Tenant) -> None:
    job = brought_to(ledger, tenant, "failed")
    moved = ledger.write(lambda tx: jobs.retry_job(tx, job.id), tenant.admin)
    assert (moved.state, moved.attempt) == ("waiting", 0)
    assert take(ledger)[0].id == job.id


def test_a_cancelled_job_undoes_the_batch_that_ran(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant)
    job, lease = take(ledger)
    ledger.write(lambda tx: jobs.cancel_job(tx, job.id), tenant.admin)
    with pytest.raises(jobs.LeaseLost):
        say(ledger, jobs.carry_on, job, lease, Batch(1))


def brought_to(ledger: Ledger, tenant: Tenant, state: str) -> Job:
    """A job of the tenant that is in this state."""
    ask(ledger, tenant)
    if state in ("running", "done", "failed"):
        job, lease = take(ledger)
        if state == "done":
            say(ledger, jobs.carry_on, job, lease, Batch(1))
        if state == "failed":
            forget(ledger, job, MOST_ATTEMPTS - 1)
            job, lease = take(ledger)
            say(ledger, jobs.fail, job, lease, FAILURE)
    (job,) = those_of(ledger, tenant)
    if state == "cancelled":
        job = ledger.write(lambda tx: jobs.cancel_job(tx, job.id), tenant.admin)
    assert job.state == state
    return job


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("verb", ["cancel", "retry"])
def test_every_state_with_every_verb(ledger: Ledger, tenant: Tenant, state: str, verb: str) -> None:
    job = brought_to(ledger, tenant, state)
    move = JOB_LIFE.find(verb, state)
    operation = {"cancel": jobs.cancel_job, "retry": jobs.retry_job}[verb]

    def work(tx: Tx) -> Job:
        return operation(tx, job.id)

    if move is not None:
        assert ledger.write(work, tenant.admin).state == move.end
    elif (verb, state) == ("cancel", "cancelled"):
        assert ledger.write(work, tenant.admin) == job
    else:
        with pytest.raises(jobs.JobMoveRefused) as refused:
            ledger.write(work, tenant.admin)
        assert state in refused.value.message
