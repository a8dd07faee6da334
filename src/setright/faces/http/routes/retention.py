"""Routes of how long content is kept, and of the passings that keep to it."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.samples import PROJECT
from setright.faces.http.show import Listed, One, path_to
from setright.faces.http.wire import retention as wire
from setright.retention import NewProjectRetention, NewTenantRetention, Retention

_DENIED = ("permission-denied",)
_OF_PROJECT = {"projectId": PROJECT["id"]}


def _project(asked: Asked) -> dict[str, Any]:
    return {"project_id": asked.path["projectId"]}


def _changed(asked: Asked) -> dict[str, Any]:
    return {"new": asked.body, "known": asked.known}


def _stamp(found: Retention) -> int:
    return found.updated_at


ROUTES = (
    Route(
        method="GET",
        path="/v1/projects/{projectId}/retention",
        name="getProjectRetention",
        summary="Read how many days content of a project is kept.",
        does=QUERIES["get-project-retention"],
        arguments=_project,
        show=One(wire.retention, stamp=_stamp),
        answers=wire.ProjectRetention,
        example=Example(path=_OF_PROJECT, answer=wire.OF_PROJECT),
        refuses=("project-not-found", *_DENIED),
    ),
    Route(
        method="PATCH",
        path="/v1/projects/{projectId}/retention",
        name="changeProjectRetention",
        summary="Say how many days content of a project is kept; null is for ever.",
        does=OPERATIONS["set-project-retention"],
        more="For admins of the project. The next daily passing keeps to it, the first a day after retention was set "
        "for the first time; /v1/retention/due tells before what that will cut. What a legal hold covers stays as "
        "long as that stands, and what corrections hold of a run stays for them.",
        body=NewProjectRetention,
        arguments=lambda asked: {**_project(asked), **_changed(asked)},
        show=One(wire.retention, stamp=_stamp),
        answers=wire.ProjectRetention,
        example=Example(path=_OF_PROJECT, body=wire.NEW_OF_PROJECT, answer=wire.OF_PROJECT),
        refuses=("project-not-found", *_DENIED, "changed-meanwhile"),
    ),
    Route(
        method="GET",
        path="/v1/retention",
        name="getRetention",
        summary="Read how many days content that belongs to no project is kept.",
        does=QUERIES["get-tenant-retention"],
        arguments=lambda _: {},
        show=One(wire.retention, stamp=_stamp),
        answers=wire.TenantRetention,
        example=Example(answer=wire.OF_TENANT),
        refuses=_DENIED,
    ),
    Route(
        method="PATCH",
        path="/v1/retention",
        name="changeRetention",
        summary="Say how many days content that belongs to no project is kept; null is for as long as can be.",
        does=OPERATIONS["set-tenant-retention"],
        more="For admins of the tenant. Kept answers to requests with an Idempotency-Key are always dropped after 24 "
        "hours.",
        body=NewTenantRetention,
        arguments=_changed,
        show=One(wire.retention, stamp=_stamp),
        answers=wire.TenantRetention,
        example=Example(body=wire.NEW_OF_TENANT, answer=wire.OF_TENANT),
        refuses=(*_DENIED, "changed-meanwhile"),
    ),
    Route(
        method="GET",
        path="/v1/retention/due",
        name="readDue",
        summary="Count what a passing of retention would cut now, and how much of it legal holds keep.",
        does=QUERIES["read-due"],
        arguments=lambda _: {},
        show=One(wire.passing),
        answers=wire.RetentionPassing,
        example=Example(answer=wire.DUE),
        refuses=_DENIED,
    ),
    Route(
        method="POST",
        path="/v1/retention-passings",
        name="beginPassing",
        summary="Keep to what is set now, and not at the next daily passing.",
        does=OPERATIONS["begin-passing"],
        more="For admins of the tenant. It is carried out in the background; nothing brings back what it cuts.",
        arguments=lambda _: {},
        show=One(
            wire.passing,
            status=202,
            location=lambda made: path_to("retention-passings", made.id),
        ),
        answers=wire.RetentionPassing,
        example=Example(answer=wire.BEGUN),
        refuses=_DENIED,
    ),
    Route(
        method="GET",
        path="/v1/retention-passings",
        name="listPassings",
        summary="List the passings of retention, newest first, with how much each cut.",
        does=QUERIES["list-passings"],
        query=PageQuery,
        arguments=lambda asked: asked.page,
        show=Listed(wire.passing),
        answers=wire.RetentionPassing,
        example=Example(answer=wire.LISTED),
        refuses=_DENIED,
    ),
    Route(
        method="GET",
        path="/v1/retention-passings/{passingId}",
        name="getPassing",
        summary="Read how far a passing is, and what it cut where.",
        does=QUERIES["get-passing"],
        arguments=lambda asked: {"passing_id": asked.path["passingId"]},
        show=One(wire.passing),
        answers=wire.RetentionPassing,
        example=Example(path={"passingId": wire.PASSING["id"]}, answer=wire.PASSING),
        refuses=("retention-passing-not-found", *_DENIED),
    ),
)
