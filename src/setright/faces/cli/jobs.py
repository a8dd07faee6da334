"""The commands about jobs."""

from typing import Annotated

import typer

from setright.client import Job
from setright.faces.cli import lists
from setright.faces.cli.desk import Desk
from setright.faces.cli.out import compact, moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Work that goes on in batches after the request that asked for it.")

JOBS = lists.Looks(
    ("ID", "NAME", "STATE", "DONE", "ATTEMPT", "DUE", "FAILURE"),
    lambda job: (
        job.id,
        job.name,
        job.state,
        job.done,
        job.attempt,
        moment(job.due_at),
        job.failure.code if job.failure else None,
    ),
    "There are no such jobs.",
)
JobId = Annotated[str, typer.Argument(metavar="JOB", help="Id of the job.")]


@command(app, "list", OF_LEDGER)
def list_jobs(
    desk: Desk,
    wanted: lists.Wanted,
    state: Annotated[
        str | None,
        typer.Option(metavar="STATE", help="waiting, running, done, failed (given up) or cancelled."),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Only jobs of this kind.")] = None,
) -> None:
    """List the jobs of the tenant, newest first."""
    lists.show(desk.out, desk.client.jobs.page, JOBS, wanted, state=state, name=name)


@command(app, "show", OF_LEDGER)
def show(desk: Desk, job: JobId) -> None:
    """Show one job: how far it is, and why its last attempt failed."""
    _show(desk, desk.client.jobs.get(job))


@command(app, "cancel", OF_LEDGER)
def cancel(desk: Desk, job: JobId) -> None:
    """Stop a job after the batch that runs; what its batches did stays."""
    _show(desk, desk.client.jobs.cancel(job))


@command(app, "retry", OF_LEDGER)
def retry(desk: Desk, job: JobId) -> None:
    """Have a job that was given up or cancelled go on where it stopped."""
    _show(desk, desk.client.jobs.retry(job))


def _show(desk: Desk, job: Job) -> None:
    if desk.out.as_json:
        desk.out.document(job.raw)
        return
    failure = job.failure
    desk.out.fields(
        {
            "id": job.id,
            "name": job.name,
            "key": job.key or None,
            "state": job.state,
            "done": job.done,
            "attempt": job.attempt,
            "due": moment(job.due_at),
            "failure": None if failure is None else f"{failure.code}: {failure.message}",
            "arguments": compact(job.arguments) if job.arguments else None,
            "asked": moment(job.created_at),
            "ended": moment(job.finished_at) or None,
        }
    )
