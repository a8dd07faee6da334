"""Routes of projects and their members."""

from typing import Any, Literal

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Done, Listed, One, path_to
from setright.identity import NewMember, NewProject, ProjectChange
from setright.kernel.fields import Input, optional, required, validate

PrincipalKind = Literal["user", "service"]


class MemberRole(Input):
    """A member's role; without a kind an id that begins with `tok_` is a service token's, any other a user's."""

    kind: PrincipalKind | None = optional(
        "Whose id the path has; left out, a service token's if it begins with tok_, else a user's."
    )
    role: Literal["read", "write", "admin"] = required("What the member may do in the project.")
    reviewer_role: Literal["standard", "senior", "admin"] | None = optional(
        "What the member is among the reviewers of the project."
    )


class MemberQuery(Input):
    """Whose membership: as in `MemberRole`."""

    kind: PrincipalKind | None = optional(
        "Whose id the path has; left out, a service token's if it begins with tok_, else a user's."
    )


def _kind(given: PrincipalKind | None, principal_id: str) -> PrincipalKind:
    return given or ("service" if principal_id.startswith("tok_") else "user")


def _put(asked: Asked) -> dict[str, Any]:
    body: MemberRole = asked.body
    principal_id = asked.path["principalId"]
    kind = _kind(body.kind, principal_id)
    new = {"kind": kind, "id": principal_id, "role": body.role, "reviewerRole": body.reviewer_role}
    return {"project_id": asked.path["projectId"], "new": validate(NewMember, new)}


def _remove(asked: Asked) -> dict[str, Any]:
    principal_id = asked.path["principalId"]
    kind = _kind(asked.query.kind, principal_id)
    return {"project_id": asked.path["projectId"], "kind": kind, "principal_id": principal_id}


def _project(asked: Asked) -> dict[str, Any]:
    return {"project_id": asked.path["projectId"]}


PROJECT = {"projectId": samples.PROJECT["id"]}
MEMBER = {**PROJECT, "principalId": samples.USER["id"]}

ROUTES = (
    Route(
        method="POST",
        path="/v1/projects",
        name="createProject",
        summary="Make a project; the same id with the same name again is the project that is there.",
        does=OPERATIONS["create-project"],
        body=NewProject,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            lambda made: shapes.project(made[0]),
            status=lambda made: 201 if made[1] else 200,
            location=lambda made: path_to("projects", made[0].id),
            stamp=lambda made: made[0].updated_at,
            about=lambda made: (made[0].id,),
        ),
        answers=schemas.Project,
        example=Example(body=samples.NEW_PROJECT, answer=samples.PROJECT),
        refuses=(
            "quota-exceeded",
            "permission-denied",
            "project-exists",
        ),
    ),
    Route(
        method="GET",
        path="/v1/projects",
        name="listProjects",
        summary="List the projects that you may read, newest first.",
        does=QUERIES["list-projects"],
        query=PageQuery,
        arguments=lambda asked: asked.page,
        show=Listed(shapes.project),
        answers=schemas.Project,
        example=Example(answer=samples.PROJECT),
    ),
    Route(
        method="GET",
        path="/v1/projects/{projectId}",
        name="getProject",
        summary="Read a project.",
        does=QUERIES["get-project"],
        arguments=_project,
        show=One(shapes.project, stamp=lambda found: found.updated_at),
        answers=schemas.Project,
        example=Example(path=PROJECT, answer=samples.PROJECT),
        refuses=(
            "project-not-found",
            "permission-denied",
        ),
    ),
    Route(
        method="PATCH",
        path="/v1/projects/{projectId}",
        name="renameProject",
        summary="Give a project another name.",
        does=OPERATIONS["rename-project"],
        body=ProjectChange,
        arguments=lambda asked: {**_project(asked), "change": asked.body, "known": asked.known},
        show=One(shapes.project, stamp=lambda found: found.updated_at, about=lambda found: (found.id,)),
        answers=schemas.Project,
        example=Example(path=PROJECT, body={"name": "Support"}, answer=samples.PROJECT),
        refuses=("project-not-found", "permission-denied", "changed-meanwhile"),
    ),
    Route(
        method="GET",
        path="/v1/projects/{projectId}/members",
        name="listMembers",
        summary="List a project's members; admins of the tenant are not among them.",
        does=QUERIES["list-members"],
        query=PageQuery,
        arguments=lambda asked: {**_project(asked), **asked.page},
        show=Listed(shapes.member),
        answers=schemas.Member,
        example=Example(path=PROJECT, answer=samples.MEMBER),
        refuses=(
            "project-not-found",
            "permission-denied",
        ),
    ),
    Route(
        method="PUT",
        path="/v1/projects/{projectId}/members/{principalId}",
        name="putMember",
        summary="Give a user or a service token a role in a project, whatever it had before.",
        does=OPERATIONS["put-member"],
        body=MemberRole,
        arguments=_put,
        show=One(shapes.member, about=lambda made: (made.principal_id,)),
        answers=schemas.Member,
        example=Example(path=MEMBER, body=samples.MEMBER_ROLE, answer=samples.MEMBER),
        refuses=(
            "project-not-found",
            "user-not-found",
            "token-not-found",
            "permission-denied",
            "user-disabled",
            "token-revoked",
        ),
    ),
    Route(
        method="DELETE",
        path="/v1/projects/{projectId}/members/{principalId}",
        name="removeMember",
        summary="Take a member's role in a project away.",
        does=OPERATIONS["remove-member"],
        query=MemberQuery,
        arguments=_remove,
        show=Done(),
        answers=None,
        example=Example(path=MEMBER),
        refuses=(
            "project-not-found",
            "member-not-found",
            "permission-denied",
        ),
    ),
)
