"""What can be done to jobs: they are asked for, taken, carried on, ended, and moved by an admin."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from setright.jobs import store
from setright.jobs.errors import JobMoveRefused, JobNotFound, LeaseLost
from setright.jobs.lifecycle import JOB_LIFE, LEASE, is_last, pause_after
from setright.jobs.model import Batch, Job
from setright.kernel.actor import Actor
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.storage import Tx
from setright.storage.moments import database_now

DROPPED_AT_ONCE = 500


def ask(tx: Tx, name: str, key: str, arguments: Mapping[str, Any], due: int | None = None) -> None:
    """Have a worker do something after this transaction commits, at the moment `due` or at once.

    The same name and key again, while no worker has begun it, moves what was asked for: its due and its arguments.
    Once it has begun, a second job stands beside it, so that news which came meanwhile is not lost.
    """
    moment = tx.now if due is None else due
    tx.run(
        store.ASK,
        id=tx.new_id("job"),
        tenant_id=tx.actor.tenant_id,
        name=name,
        key=key,
        place="",
        arguments=store.text_of(arguments),
        state="waiting",
        due_at=moment,
        next_at=moment,
        lease=None,
        attempt=0,
        cursor=None,
        done_count=0,
        failure=None,
        asked_by_kind=tx.actor.kind,
        asked_by_id=tx.actor.id,
        created_at=tx.now,
        updated_at=tx.now,
        finished_at=None,
    )


def take(tx: Tx) -> tuple[Job, str] | None:
    """The job of any tenant that has been due for longest, leased to who asks, with the lease's name; None when none is.

    A job whose lease has ended goes on at its cursor: its worker is gone or too slow, and its next batch is undone.
    """
    now = database_now(tx)
    row = tx.one(store.NEXT, now=now)
    if row is None:
        return None
    lease = tx.new_id("lse")
    tx.run(
        store.TAKE,
        id=row["id"],
        new_lease=lease,
        until=now + LEASE,
        new_attempt=row["attempt"] + 1,
        now=tx.now,
    )
    return store.job_in({**row, "state": "running", "attempt": row["attempt"] + 1}), lease


def carry_on(tx: Tx, job: Job, lease: str, batch: Batch) -> None:
    """Say in the batch's own transaction what it came to: its lease begins anew, or the job is done.

    Refuses (`lease-lost`) when the job is another's by now, so that nothing is done twice.
    """
    if batch.is_last:
        _end(tx, job, lease, "done", done=batch.done)
        return
    until = database_now(tx) + LEASE
    cursor = store.text_of(batch.cursor)
    went = tx.run(
        store.GO_ON, id=job.id, lease=lease, until=until, new_cursor=cursor, done=batch.done, now=tx.now
    )
    if not went:
        raise LeaseLost(job.id)


def fail(tx: Tx, job: Job, lease: str, failure: Mapping[str, Any]) -> bool:
    """Say that an attempt failed: it is tried again later, or given up after the last one; whether it was given up."""
    if not is_last(job.attempt):
        due = database_now(tx) + pause_after(job.attempt)
        _end(tx, job, lease, "waiting", due=due, failure=failure)
        return False
    _end(tx, job, lease, "failed", failure=failure)
    if job.tenant_id:
        tx.announce(Event("job.failed", "job", job.id, None, ("state",)))
    return True


def hand_back(tx: Tx, job: Job, lease: str) -> None:
    """Leave a job to another worker at once, where it stands; what was done of it stays."""
    _end(tx, job, lease, "waiting", due=job.due_at, failure=job.failure)


def cancel_job(tx: Tx, job_id: str) -> Job:
    """Stop a job for good after the batch that runs; what its batches did stays. Again changes nothing."""
    return _move(tx, job_id, "cancel")


def retry_job(tx: Tx, job_id: str) -> Job:
    """Have a job that was given up or cancelled go on where it stopped, at once, with its attempts counted anew."""
    return _move(tx, job_id, "retry")


def again_and_again(
    tx: Tx,
    name: str,
    every: int,
    key: str = "",
    arguments: Mapping[str, Any] | None = None,
    first: int | None = None,
) -> None:
    """Have a job asked for every `every` microseconds, for the first time at the moment `first` or at once.

    Said again, only what changed is changed; when it comes next is not.
    """
    tx.run(
        store.SAY_RECURRING,
        tenant_id=tx.actor.tenant_id,
        name=name,
        key=key,
        arguments=store.text_of(arguments or {}),
        every=every,
        next_at=tx.now if first is None else first,
    )


def ask_what_recurs(tx: Tx, as_tenant: Callable[[str], Actor]) -> int:
    """Ask for every recurring job whose time has come, as the actor that `as_tenant` makes of its tenant; how many."""
    now = database_now(tx)
    due = tx.all(store.RECURRING_DUE, now=now)
    for row in due:
        tx.actor = as_tenant(row["tenant_id"])
        ask(tx, row["name"], row["key"], store.job_arguments(row))
        missed = max(0, (now - row["next_at"]) // row["every"])
        tx.run(
            store.MOVE_RECURRING,
            tenant_id=row["tenant_id"],
            name=row["name"],
            key=row["key"],
            new_next=row["next_at"] + (missed + 1) * row["every"],
        )
    return len(due)


def drop_ended(tx: Tx, older_than: int) -> int:
    """Delete up to 500 jobs of any tenant that ended before a moment; how many went."""
    return tx.run(store.DROP_OLD, before_moment=older_than, batch=DROPPED_AT_ONCE)


def _end(
    tx: Tx,
    job: Job,
    lease: str,
    state: str,
    *,
    done: int = 0,
    due: int | None = None,
    failure: Mapping[str, Any] | None = None,
) -> None:
    ended = tx.run(
        store.END,
        id=job.id,
        lease=lease,
        new_state=state,
        new_next=due,
        new_due=job.due_at if due is None else due,
        new_failure=store.text_of(failure),
        done=done,
        new_finished=tx.now if state == "done" else None,
        now=tx.now,
    )
    if not ended:
        raise LeaseLost(job.id)


def _move(tx: Tx, job_id: str, verb: str) -> Job:
    tx.actor.require_admin()
    stored = with_prefix("job", job_id)
    row = tx.one(store.HOLD, tenant_id=tx.actor.tenant_id, id=stored)
    if row is None:
        raise JobNotFound(job_id)
    job = store.job_in(row)
    move = JOB_LIFE.find(verb, job.state)
    if move is None:
        if verb == "cancel" and job.state == "cancelled":
            return job
        raise JobMoveRefused(job.id, verb, job.state, _verbs_of_admins(job.state))
    tx.happens_after(job.updated_at)
    waits = move.end == "waiting"
    moved = replace(
        job,
        state=move.end,
        due_at=tx.now if waits else job.due_at,
        next_at=tx.now if waits else None,
        attempt=0,
        finished_at=None if waits else tx.now,
        updated_at=tx.now,
    )
    tx.run(
        store.SET_STATE,
        tenant_id=job.tenant_id,
        id=job.id,
        new_state=moved.state,
        new_place=job.id,
        new_due=moved.due_at,
        new_next=moved.next_at,
        new_finished=moved.finished_at,
        now=tx.now,
    )
    tx.announce(Event(move.event, "job", job.id, None, ("state",)))
    return moved


def _verbs_of_admins(state: str) -> Sequence[str]:
    return [move.verb for move in JOB_LIFE.open_from(state) if move.verb in ("cancel", "retry")]
