"""Routes of agents and flows, which are alike but for their path."""

from collections.abc import Callable
from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One
from setright.subjects import Kind, SubjectChanges


def _routes(kind: Kind) -> tuple[Route, ...]:
    many, word = f"{kind}s", kind.capitalize()
    path = f"/v1/{many}/{{{kind}Id}}"
    this = {f"{kind}Id": samples.SUBJECT["id"]}
    shown = {**samples.SUBJECT, "kind": kind}

    def with_id(rest: Callable[[Asked], dict[str, Any]]) -> Callable[[Asked], dict[str, Any]]:
        return lambda asked: {"kind": kind, "subject_id": asked.path[f"{kind}Id"], **rest(asked)}

    return (
        Route(
            method="GET",
            path=f"/v1/{many}",
            name=f"list{word}s",
            summary=f"List the {many} that were seen in the projects you may read, newest first.",
            does=QUERIES["list-subjects"],
            query=PageQuery,
            arguments=lambda asked: {"kind": kind, "after": asked.after, "limit": asked.query.limit},
            show=Listed(shapes.subject),
            answers=schemas.Subject,
            example=Example(answer=shown),
        ),
        Route(
            method="GET",
            path=path,
            name=f"get{word}",
            summary=f"Read a {kind} with its versions."
            if kind == "flow"
            else "Read an agent with its versions.",
            does=QUERIES["get-subject"],
            arguments=with_id(lambda _: {}),
            show=One(shapes.subject_in_full, stamp=lambda found: found.subject.updated_at),
            answers=schemas.SubjectInFull,
            example=Example(path=this, answer={**shown, "versions": samples.VERSIONS}),
            refuses=(f"{kind}-not-found",),
        ),
        Route(
            method="PATCH",
            path=path,
            name=f"patch{word}",
            summary="Change a name, a description or an owner; null lifts what was there.",
            does=OPERATIONS["patch-subject"],
            body=SubjectChanges,
            arguments=with_id(lambda asked: {"changes": asked.body}),
            show=One(shapes.subject, stamp=lambda found: found.updated_at),
            answers=schemas.Subject,
            example=Example(
                path=this, body=samples.SUBJECT_CHANGES, answer={**shown, **samples.SUBJECT_CHANGES}
            ),
            refuses=(f"{kind}-not-found", "permission-denied"),
        ),
    )


ROUTES = (*_routes("agent"), *_routes("flow"))
