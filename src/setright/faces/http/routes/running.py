"""Routes of versions that run: deploys of agents and flows, pins of projects, and what the tools of a project do."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Done, Listed, One
from setright.faces.http.wire import running as wire
from setright.subjects import Kind, NewDeploy, NewPin, NewToolEffect, Unpin

_PROJECT = {"projectId": "support"}
_IN_PROJECT = ("project-not-found", "permission-denied")
_CHANGED = One(
    wire.changed,
    status=lambda made: 201 if made.created else 200,
    about=lambda made: (made.change.id,),
)


def _in_project(asked: Asked) -> dict[str, Any]:
    return {"project_id": asked.path["projectId"]}


def _deploy(kind: Kind) -> Route:
    return Route(
        method="POST",
        path=f"/v1/{kind}s/{{{kind}Id}}/versions",
        name=f"deploy{kind.capitalize()}",
        summary="Deploy a version: it becomes Latest, and every project without a pin runs it.",
        does=OPERATIONS["deploy-version"],
        more="What it got right in a test run becomes fixed there, what it got wrong is open again. The Latest again "
        "changes nothing. Needs write in each project that follows Latest; a person, or a token with the scope admin.",
        body=NewDeploy,
        arguments=lambda asked: {
            "kind": kind,
            "subject_id": asked.path[f"{kind}Id"],
            "deploy": asked.body,
        },
        show=_CHANGED,
        answers=wire.VersionChange,
        example=Example(
            path={f"{kind}Id": "refunds"},
            body=wire.NEW_DEPLOY,
            answer={**wire.DEPLOY, "subject": {"kind": kind, "id": "refunds"}},
        ),
        refuses=(f"{kind}-not-found", "permission-denied"),
    )


def _deploys(kind: Kind) -> Route:
    return Route(
        method="GET",
        path=f"/v1/{kind}s/{{{kind}Id}}/deploys",
        name=f"list{kind.capitalize()}Deploys",
        summary="List the deploys, newest first: what became Latest, who did it, and why.",
        does=QUERIES["list-deploys"],
        query=PageQuery,
        arguments=lambda asked: {"kind": kind, "subject_id": asked.path[f"{kind}Id"], **asked.page},
        show=Listed(wire.change),
        answers=wire.VersionChange,
        example=Example(
            path={f"{kind}Id": "refunds"}, answer={**wire.DEPLOY, "subject": {"kind": kind, "id": "refunds"}}
        ),
        refuses=(f"{kind}-not-found",),
    )


_PINS = (
    Route(
        method="POST",
        path="/v1/projects/{projectId}/pins",
        name="pinVersion",
        summary="Pin a version: the project runs it, whatever is deployed, until another is pinned or it is unpinned.",
        does=OPERATIONS["pin-version"],
        body=NewPin,
        arguments=lambda asked: {**_in_project(asked), "pin": asked.body},
        show=_CHANGED,
        answers=wire.VersionChange,
        example=Example(path=_PROJECT, body=wire.NEW_PIN, answer=wire.PIN),
        refuses=(*_IN_PROJECT, "agent-not-found", "flow-not-found", "version-not-found"),
    ),
    Route(
        method="GET",
        path="/v1/projects/{projectId}/pins",
        name="listPins",
        summary="List the pins and unpins of a project, newest first: who, when and why.",
        does=QUERIES["list-pins"],
        query=PageQuery,
        arguments=lambda asked: {**_in_project(asked), **asked.page},
        show=Listed(wire.change),
        answers=wire.VersionChange,
        example=Example(path=_PROJECT, answer=wire.PIN),
        refuses=_IN_PROJECT,
    ),
    Route(
        method="POST",
        path="/v1/projects/{projectId}/pins/{pinId}/unpin",
        name="unpinVersion",
        summary="Lift the pin that holds: the project follows Latest again.",
        does=OPERATIONS["unpin-version"],
        body=Unpin,
        optional_body=True,
        arguments=lambda asked: {**_in_project(asked), "pin_id": asked.path["pinId"], "unpin": asked.body},
        show=_CHANGED,
        answers=wire.VersionChange,
        example=Example(
            path={**_PROJECT, "pinId": wire.PIN["id"]}, body={"why": "v2 is fast now."}, answer=wire.UNPIN
        ),
        refuses=(*_IN_PROJECT, "pin-not-found", "pin-ended"),
    ),
    Route(
        method="GET",
        path="/v1/projects/{projectId}/running",
        name="listRunning",
        summary="List which version of each agent and flow a project runs, and why.",
        does=QUERIES["list-running"],
        query=PageQuery,
        arguments=lambda asked: {**_in_project(asked), **asked.page},
        show=Listed(wire.running),
        answers=wire.Running,
        example=Example(path=_PROJECT, answer=wire.RUNNING),
        refuses=_IN_PROJECT,
    ),
)

_TOOL = {**_PROJECT, "tool": "refund_payment"}
_TOOLS = (
    Route(
        method="GET",
        path="/v1/projects/{projectId}/tools",
        name="listToolEffects",
        summary="List what was declared of the tools of a project; once any is declared, all others count as write.",
        does=QUERIES["list-tool-effects"],
        query=PageQuery,
        arguments=lambda asked: {**_in_project(asked), **asked.page},
        show=Listed(wire.tool_effect),
        answers=wire.ToolEffect,
        example=Example(path=_PROJECT, answer=wire.TOOL_EFFECT),
        refuses=_IN_PROJECT,
    ),
    Route(
        method="PUT",
        path="/v1/projects/{projectId}/tools/{tool}",
        name="setToolEffect",
        summary="Declare what a tool does in a project: read leaves everything as it is, write changes something.",
        does=OPERATIONS["set-tool-effect"],
        body=NewToolEffect,
        arguments=lambda asked: {**_in_project(asked), "tool": asked.path["tool"], "wanted": asked.body},
        show=One(wire.tool_effect),
        answers=wire.ToolEffect,
        example=Example(path=_TOOL, body={"effect": "write"}, answer=wire.TOOL_EFFECT),
        refuses=_IN_PROJECT,
    ),
    Route(
        method="DELETE",
        path="/v1/projects/{projectId}/tools/{tool}",
        name="dropToolEffect",
        summary="Take back what was declared of a tool.",
        does=OPERATIONS["drop-tool-effect"],
        arguments=lambda asked: {**_in_project(asked), "tool": asked.path["tool"]},
        show=Done(),
        answers=None,
        example=Example(path=_TOOL),
        refuses=(*_IN_PROJECT, "effect-not-found"),
    ),
)

ROUTES = (
    *(make(kind) for kind in ("agent", "flow") for make in (_deploy, _deploys)),
    *_PINS,
    *_TOOLS,
)
