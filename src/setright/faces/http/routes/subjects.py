"""Routes of agents and flows, which are alike but for their path."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One
from setright.subjects import Kind, SubjectChanges


def _shown(kind: Kind) -> dict[str, Any]:
    return {**samples.SUBJECT, "kind": kind}


def _this(kind: Kind) -> dict[str, str]:
    return {f"{kind}Id": samples.SUBJECT["id"]}


def _asked_for(kind: Kind, asked: Asked) -> dict[str, Any]:
    return {"kind": kind, "subject_id": asked.path[f"{kind}Id"]}


def _list(kind: Kind) -> Route:
    return Route(
        method="GET",
        path=f"/v1/{kind}s",
        name=f"list{kind.capitalize()}s",
        summary=f"List the {kind}s that were seen in the projects you may read, newest first.",
        does=QUERIES["list-subjects"],
        query=PageQuery,
        arguments=lambda asked: {"kind": kind, **asked.page},
        show=Listed(shapes.subject),
        answers=schemas.Subject,
        example=Example(answer=_shown(kind)),
    )


def _get(kind: Kind) -> Route:
    return Route(
        method="GET",
        path=f"/v1/{kind}s/{{{kind}Id}}",
        name=f"get{kind.capitalize()}",
        summary=f"Read one {kind} with its versions.",
        does=QUERIES["get-subject"],
        arguments=lambda asked: _asked_for(kind, asked),
        show=One(shapes.subject_in_full, stamp=lambda found: found.subject.updated_at),
        answers=schemas.SubjectInFull,
        example=Example(path=_this(kind), answer={**_shown(kind), "versions": samples.VERSIONS}),
        refuses=(f"{kind}-not-found",),
    )


def _patch(kind: Kind) -> Route:
    return Route(
        method="PATCH",
        path=f"/v1/{kind}s/{{{kind}Id}}",
        name=f"patch{kind.capitalize()}",
        summary="Change a name, a description or an owner; null lifts what was there.",
        does=OPERATIONS["patch-subject"],
        body=SubjectChanges,
        arguments=lambda asked: {**_asked_for(kind, asked), "changes": asked.body, "known": asked.known},
        show=One(shapes.subject, stamp=lambda found: found.updated_at),
        answers=schemas.Subject,
        example=Example(
            path=_this(kind),
            body=samples.SUBJECT_CHANGES,
            answer={**_shown(kind), **samples.SUBJECT_CHANGES},
        ),
        refuses=(f"{kind}-not-found", "permission-denied", "changed-meanwhile"),
    )


ROUTES = tuple(make(kind) for kind in ("agent", "flow") for make in (_list, _get, _patch))
