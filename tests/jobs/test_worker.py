"""The worker: batches of one transaction each, and what becomes of a job when the worker, or the job, fails."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from setright import jobs
from setright.app.work import KINDS, Kind
from setright.app.worker import Worker, of_ledger, worker_was_seen
from setright.jobs import Batch, Job
from setright.kernel.clock import SECOND
from setright.kernel.errors import invalid
from setright.storage import Tx
from setright.storage.kept import mark, read_mark, set_mark
from tests.jobs.test_asking import ask, tenant, those_of
from tests.support.ledger import Ledger, Tenant

__all__ = ["tenant"]


def count_to_three(tx: Tx, arguments: Mapping[str, Any], cursor: Any) -> Batch:
    """Count once for each batch, in a mark of the ledger."""
    name = f"count-{tx.actor.tenant_id}"
    set_mark(tx, name, str(int(mark(tx, name, "0")) + 1))
    step = (cursor or 0) + 1
    return Batch(1, cursor=step if step < 3 else None)


def counted(ledger: Ledger, tenant: Tenant) -> str | None:
    return ledger.read(lambda at: read_mark(at, f"count-{tenant.id}"))


def worker(ledger: Ledger, batch: Any) -> Worker:
    return Worker(ledger.store, {"count": Kind("count", batch)})


def only(ledger: Ledger, tenant: Tenant) -> Job:
    (job,) = those_of(ledger, tenant)
    return job


def test_it_does_a_job_batch_by_batch_as_who_asked(ledger: Ledger, tenant: Tenant) -> None:
    seen: list[tuple[str, str]] = []

    def batch(tx: Tx, arguments: Mapping[str, Any], cursor: Any) -> Batch:
        seen.append((tx.actor.tenant_id, tx.actor.id))
        return count_to_three(tx, arguments, cursor)

    ask(ledger, tenant)
    assert worker(ledger, batch).turn()
    assert (only(ledger, tenant).state, only(ledger, tenant).done_count, counted(ledger, tenant)) == (
        "done",
        3,
        "3",
    )
    assert seen == [(tenant.id, tenant.admin.id)] * 3


def test_a_batch_that_fails_leaves_nothing_behind_and_is_told(ledger: Ledger, tenant: Tenant) -> None:
    def batch(tx: Tx, arguments: Mapping[str, Any], cursor: Any) -> Batch:
        count_to_three(tx, arguments, cursor)
        if cursor:
            raise ValueError("somebody's words")
        return Batch(1, cursor=1)

    ask(ledger, tenant)
    worker(ledger, batch).turn()
    job = only(ledger, tenant)
    assert (job.state, job.done_count, counted(ledger, tenant)) == ("waiting", 1, "1")
    assert job.failure == {"code": "fault", "message": "ValueError"}


def test_a_refusal_is_the_reason_of_the_failure(ledger: Ledger, tenant: Tenant) -> None:
    def batch(_tx: Tx, _arguments: Mapping[str, Any], _cursor: Any) -> Batch:
        raise invalid("/version", "is not known")

    ask(ledger, tenant)
    worker(ledger, batch).turn()
    assert only(ledger, tenant).failure == {"code": "invalid-body", "message": "/version: is not known."}


def test_a_job_that_this_version_does_not_know_waits_for_one_that_does(
    ledger: Ledger, tenant: Tenant
) -> None:
    ask(ledger, tenant)
    Worker(ledger.store, {}).turn()
    job = only(ledger, tenant)
    assert (job.state, job.failure and job.failure["code"]) == ("waiting", "unknown-job")


def test_two_workers_do_each_batch_once(ledger: Ledger, tenant: Tenant) -> None:
    for number in range(10):
        ask(ledger, tenant, str(number))
    workers = [worker(ledger, count_to_three) for _ in range(2)]
    threads = [threading.Thread(target=_until_nothing_is_due, args=(one,)) for one in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted(ledger, tenant) == "30"
    assert {job.state for job in those_of(ledger, tenant)} == {"done"}


def _until_nothing_is_due(one: Worker) -> None:
    while one.turn():
        pass


def test_told_to_stop_it_hands_the_job_back_where_it_stands(ledger: Ledger, tenant: Tenant) -> None:
    def batch(tx: Tx, arguments: Mapping[str, Any], cursor: Any) -> Batch:
        stopping.end()
        return count_to_three(tx, arguments, cursor)

    stopping = worker(ledger, batch)
    ask(ledger, tenant)
    stopping.turn()
    job = only(ledger, tenant)
    assert (job.state, job.cursor, counted(ledger, tenant)) == ("waiting", 1, "1")
    worker(ledger, count_to_three).turn()
    assert (only(ledger, tenant).state, counted(ledger, tenant)) == ("done", "3")


def test_what_recurs_is_asked_for_once_each_time_however_late(ledger: Ledger, tenant: Tenant) -> None:
    def say(tx: Tx) -> None:
        jobs.again_and_again(tx, "count", 3600 * SECOND)
        jobs.again_and_again(tx, "count", 7200 * SECOND)

    ledger.write(say, tenant.admin)
    one = worker(ledger, count_to_three)
    _until_nothing_is_due(one)
    assert [job.asked_by_id for job in those_of(ledger, tenant)] == ["ledger"]
    assert counted(ledger, tenant) == "3"


def test_a_started_worker_shows_itself_and_ends_when_stopped(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant)
    one = worker(ledger, count_to_three)
    one.start()
    while only(ledger, tenant).state != "done":
        threading.Event().wait(0.02)
    one.stop()
    assert ledger.read(worker_was_seen)


def test_jobs_that_ended_are_dropped_after_seven_days(ledger: Ledger, tenant: Tenant) -> None:
    ask(ledger, tenant)
    worker(ledger, count_to_three).turn()
    in_a_week = ledger.clock.now() + 7 * 24 * 3600 * SECOND + SECOND

    def drop(tx: Tx) -> Batch:
        tx.actor, tx.now = of_ledger(), in_a_week
        return KINDS["drop-ended-jobs"].batch(tx, {}, None)

    assert ledger.write(drop).done >= 1
    assert those_of(ledger, tenant) == []


@pytest.mark.parametrize("name", list(KINDS))
def test_every_kind_is_known_by_its_own_name(name: str) -> None:
    assert KINDS[name].name == name
