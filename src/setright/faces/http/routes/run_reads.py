"""Routes of the log of who was shown what runs said."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import Moment, PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.samples import PROJECT
from setright.faces.http.show import Listed, One
from setright.faces.http.wire import run_reads as wire
from setright.kernel.fields import Id, optional
from setright.runs import ReadFilters, ReadLogChange

_OF_PROJECT = {"projectId": PROJECT["id"]}
_REFUSES = ("project-not-found", "permission-denied")


class RunReadQuery(PageQuery):
    """What a list of reads can be narrowed to."""

    run_id: Id | None = optional("Only reads of this run.")
    user_id: Id | None = optional("Only reads by this user.")
    since: Moment | None = optional("Only reads at this time or later.")
    until: Moment | None = optional("Only reads before this time.")


def _project(asked: Asked) -> dict[str, Any]:
    return {"project_id": asked.path["projectId"]}


def _wanted(asked: Asked) -> dict[str, Any]:
    query: RunReadQuery = asked.query
    project_id = asked.path["projectId"]
    filters = ReadFilters(project_id, query.run_id, query.user_id, query.since, query.until)
    return {"filters": filters, **asked.page}


ROUTES = (
    Route(
        method="GET",
        path="/v1/projects/{projectId}/read-log",
        name="getReadLog",
        summary="Read whether reads of a project's runs are logged.",
        does=QUERIES["get-read-log"],
        arguments=_project,
        show=One(wire.read_log),
        answers=wire.ReadLog,
        example=Example(path=_OF_PROJECT, answer=wire.LOG),
        refuses=_REFUSES,
    ),
    Route(
        method="PUT",
        path="/v1/projects/{projectId}/read-log",
        name="keepReadLog",
        summary="Log reads of a project's runs by people from now on, or no more.",
        does=OPERATIONS["set-read-log"],
        more="For admins of the project. What is logged is that a user was shown what a run said: the run, the copy "
        "that a correction holds of it, a run that they claimed to review, a case of a test run. It is written before "
        "it is shown, and what cannot be logged is not shown (503). The feed tells when a log begins and ends; how "
        "long it is kept is said by the project's retention.",
        body=ReadLogChange,
        arguments=lambda asked: {**_project(asked), "change": asked.body},
        show=One(wire.read_log),
        answers=wire.ReadLog,
        example=Example(path=_OF_PROJECT, body={"kept": True}, answer=wire.LOG),
        refuses=_REFUSES,
    ),
    Route(
        method="GET",
        path="/v1/projects/{projectId}/run-reads",
        name="listRunReads",
        summary="List who was shown what runs of a project said, newest first, for its admins.",
        does=QUERIES["list-run-reads"],
        query=RunReadQuery,
        arguments=_wanted,
        show=Listed(wire.run_read),
        answers=wire.RunRead,
        example=Example(path=_OF_PROJECT, answer=wire.READ),
        refuses=_REFUSES,
    ),
)
