"""Routes of runs."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import Moment, PageLimit, PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.routes.corrections import subject_faults
from setright.faces.http.show import Listed, One, path_to
from setright.kernel.fields import Id, Input, Name, optional
from setright.kernel.json import MAX_INTEGER
from setright.kernel.paging import DEFAULT_LIMIT
from setright.runs import Finish, NewCalls, NewRun, Run, RunBatch, RunFilters, RunStatus


class RunQuery(PageQuery):
    """What a list of runs can be narrowed to."""

    project_id: Id | None = optional("Only runs of this project.")
    agent_id: Name | None = optional("Only runs of this agent.")
    agent_version: Name | None = optional("Beside agentId: only runs of this version.")
    flow_id: Name | None = optional("Only runs of this flow.")
    status: list[RunStatus] = Field(
        default=[], max_length=20, description="Only runs in this status; repeat it for several."
    )
    participant_id: Id | None = optional("Only runs for this end user.")
    since: Moment | None = optional("Only runs that were recorded at this time or later.")
    until: Moment | None = optional("Only runs that were recorded before this time.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An agent's version needs the agent."""
        yield from subject_faults(body)


class CallsQuery(Input):
    """Which page of a run's calls: how many to pass over, and how many to show."""

    calls_after: Annotated[int, Field(ge=0, le=MAX_INTEGER)] = Field(
        default=0, description="How many calls to pass over: the callsNext of the page before."
    )
    calls_limit: PageLimit = Field(default=DEFAULT_LIMIT, description="How many calls to show at most.")


def _listed(asked: Asked) -> dict[str, Any]:
    query: RunQuery = asked.query
    filters = RunFilters(
        project_id=query.project_id,
        agent_id=query.agent_id,
        agent_version=query.agent_version,
        flow_id=query.flow_id,
        status=tuple(dict.fromkeys(query.status)),
        participant_id=query.participant_id,
        since=query.since,
        until=query.until,
    )
    return {"filters": filters, **asked.page}


def _one(asked: Asked) -> dict[str, Any]:
    query: CallsQuery = asked.query
    run_id = asked.path["runId"]
    return {"run_id": run_id, "calls_after": query.calls_after, "calls_limit": query.calls_limit}


def _calls(asked: Asked) -> dict[str, Any]:
    body: NewCalls = asked.body
    return {"run_id": asked.path["runId"], "position": body.position, "calls": body.calls}


def _ids(run: Run) -> tuple[str, ...]:
    return (run.id, run.participant_id) if run.participant_id else (run.id,)


RUN = {"runId": samples.RUN["id"]}

ROUTES = (
    Route(
        method="POST",
        path="/v1/runs",
        name="recordRun",
        summary="Record a run, started or finished; the same content under the same id again is the run that is there.",
        does=OPERATIONS["record-run"],
        more="A run is at most 64 MiB, one request at most what the server's limit says: send a longer one started, "
        "then its calls, then its end. An agent, flow or version that is new becomes known. Needs write on the project.",
        body=NewRun,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            lambda made: shapes.run(made.run),
            status=lambda made: 201 if made.created else 200,
            location=lambda made: path_to("runs", made.run.id),
            about=lambda made: _ids(made.run),
        ),
        answers=schemas.Run,
        example=Example(body=samples.NEW_RUN, answer=samples.RUN),
        refuses=(
            "project-not-found",
            "permission-denied",
            "run-exists",
            "run-erased",
            "quota-exceeded",
        ),
    ),
    Route(
        method="POST",
        path="/v1/runs/batch",
        name="recordRuns",
        summary="Record many runs; each is told by itself, and a refused one stops no other.",
        does=OPERATIONS["record-batch"],
        more="Each result has the status that the run alone would have had. Needs write on each run's project.",
        body=RunBatch,
        arguments=lambda asked: {"runs": asked.body.checked()},
        show=One(
            shapes.batch,
            about=lambda outcomes: tuple(one for made in outcomes if made.run for one in _ids(made.run)),
        ),
        answers=schemas.BatchResults,
        example=Example(
            body={"runs": [samples.NEW_RUN]},
            answer={"results": [{"index": 0, "status": 200, "run": samples.RUN}]},
        ),
    ),
    Route(
        method="GET",
        path="/v1/runs",
        name="listRuns",
        summary="List runs without their content, newest first.",
        does=QUERIES["list-runs"],
        query=RunQuery,
        arguments=_listed,
        show=Listed(shapes.run),
        answers=schemas.Run,
        example=Example(query="agentId=refunds&status=completed", answer=samples.RUN),
        refuses=(
            "project-not-found",
            "permission-denied",
        ),
    ),
    Route(
        method="GET",
        path="/v1/runs/{runId}",
        name="getRun",
        summary="Read a run with its content; its calls come in pages.",
        does=QUERIES["get-run"],
        query=CallsQuery,
        arguments=_one,
        show=One(shapes.run_in_full),
        answers=schemas.RunInFull,
        example=Example(path=RUN, query="callsLimit=50", answer=samples.RUN_IN_FULL),
        refuses=(
            "run-not-found",
            "permission-denied",
        ),
    ),
    Route(
        method="POST",
        path="/v1/runs/{runId}/calls",
        name="appendCalls",
        summary="Add calls to a running run; those that stand at their position already, the same, are passed over.",
        does=OPERATIONS["append-calls"],
        more="A position beyond the next one is refused, and so is another call where one stands already. "
        "Needs write on the run's project.",
        body=NewCalls,
        arguments=_calls,
        show=One(shapes.run, about=_ids),
        answers=schemas.Run,
        example=Example(path={"runId": "refund-1043"}, body=samples.NEW_CALLS, answer=samples.RUNNING),
        refuses=(
            "run-not-found",
            "permission-denied",
            "run-finished",
            "run-erased",
            "run-content-expired",
            "call-position-gap",
            "call-exists",
            "quota-exceeded",
        ),
    ),
    Route(
        method="POST",
        path="/v1/runs/{runId}/finish",
        name="finishRun",
        summary="Say how a running run ended; the same end again is the run as it is.",
        does=OPERATIONS["finish-run"],
        more="A finished run never changes. Needs write on the run's project.",
        body=Finish,
        arguments=lambda asked: {"run_id": asked.path["runId"], "finish": asked.body},
        show=One(shapes.run, about=_ids),
        answers=schemas.Run,
        example=Example(path={"runId": "refund-1043"}, body=samples.FINISH, answer=samples.FINISHED),
        refuses=(
            "run-not-found",
            "permission-denied",
            "run-finished",
            "run-erased",
            "quota-exceeded",
        ),
    ),
)
