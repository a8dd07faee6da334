"""Routes of jobs: what works on, what failed for good, and having it stop or go on."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One
from setright.faces.http.wire import jobs as wire
from setright.jobs import StateWord
from setright.kernel.fields import Name, optional


class JobQuery(PageQuery):
    """Which jobs."""

    state: StateWord | None = optional("Only jobs in this state; `failed` are those that were given up.")
    name: Name | None = optional("Only jobs of this kind.")


def _listed(asked: Asked) -> dict[str, Any]:
    query: JobQuery = asked.query
    return {"state": query.state, "name": query.name, **asked.page}


def _one(asked: Asked) -> dict[str, Any]:
    return {"job_id": asked.path["jobId"]}


def _move(verb: str, summary: str) -> Route:
    return Route(
        method="POST",
        path=f"/v1/jobs/{{jobId}}/{verb}",
        name=f"{verb}Job",
        summary=summary,
        does=OPERATIONS[f"{verb}-job"],
        arguments=_one,
        show=One(wire.job, about=lambda moved: (moved.id,)),
        answers=wire.Job,
        example=Example(path={"jobId": wire.JOB["id"]}, answer=wire.JOB),
        refuses=("job-not-found", "permission-denied", "job-move-refused"),
    )


ROUTES = (
    Route(
        method="GET",
        path="/v1/jobs",
        name="listJobs",
        summary="List the jobs of the tenant, newest first, for its admins; those that failed for good are kept.",
        does=QUERIES["list-jobs"],
        query=JobQuery,
        arguments=_listed,
        show=Listed(wire.job),
        answers=wire.Job,
        example=Example(query="state=failed", answer=wire.JOB),
        refuses=("permission-denied",),
    ),
    Route(
        method="GET",
        path="/v1/jobs/{jobId}",
        name="getJob",
        summary="Read one job: how far it is, and why its last attempt failed.",
        does=QUERIES["get-job"],
        arguments=_one,
        show=One(wire.job),
        answers=wire.Job,
        example=Example(path={"jobId": wire.JOB["id"]}, answer=wire.JOB),
        refuses=("job-not-found", "permission-denied"),
    ),
    _move(
        "cancel", "Stop a job after the batch that runs; what its batches did stays. Again changes nothing."
    ),
    _move("retry", "Have a job that was given up or cancelled go on where it stopped."),
)
