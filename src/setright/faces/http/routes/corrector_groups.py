"""Routes of corrector groups."""

from typing import Any

from pydantic import Field

from setright.app.catalog import OPERATIONS, QUERIES
from setright.corrections import CorrectorGroupChange, GroupFilters, NewCorrectorGroup, ScopeKind
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One, path_to
from setright.faces.http.wire.corrector_groups import (
    CHANGE,
    NEW,
    SAMPLE,
    CorrectorGroup,
    corrector_group,
)
from setright.kernel.fields import Id, Name, optional


class CorrectorGroupQuery(PageQuery):
    """What a list of corrector groups can be narrowed to."""

    project_id: Id | None = optional("Only groups of this project, and of agents in it; not the tenant's.")
    agent_id: Name | None = optional("Only groups of this agent.")
    scope: ScopeKind | None = optional("Only groups whose scope is of this kind.")
    include_retired: bool = Field(default=False, description="Also those that are retired.")


def _listed(asked: Asked) -> dict[str, Any]:
    query: CorrectorGroupQuery = asked.query
    filters = GroupFilters(query.project_id, query.agent_id, query.scope, query.include_retired)
    return {"filters": filters, **asked.page}


def _one(asked: Asked) -> dict[str, Any]:
    return {"group_id": asked.path["correctorGroupId"]}


_PATH = {"correctorGroupId": SAMPLE["id"]}
_KEPT = One(corrector_group, stamp=lambda kept: kept.updated_at, about=lambda kept: (kept.id,))

ROUTES = (
    Route(
        method="POST",
        path="/v1/corrector-groups",
        name="createCorrectorGroup",
        summary="Make a corrector group: a name to correct under, and how much that counts.",
        does=OPERATIONS["create-corrector-group"],
        more="Needs the role admin in the scope's project, or in the tenant for a group of the tenant. A name stands "
        "once in a scope. A correction recorded under a group that is restricted then is an `expert`'s for good.",
        body=NewCorrectorGroup,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            corrector_group,
            status=201,
            location=lambda made: path_to("corrector-groups", made.id),
            stamp=lambda made: made.updated_at,
            about=lambda made: (made.id,),
        ),
        answers=CorrectorGroup,
        example=Example(body=NEW, answer=SAMPLE),
        refuses=("project-not-found", "permission-denied", "corrector-group-exists"),
    ),
    Route(
        method="GET",
        path="/v1/corrector-groups",
        name="listCorrectorGroups",
        summary="List the corrector groups of the tenant and of the projects that you may read, newest first.",
        does=QUERIES["list-corrector-groups"],
        query=CorrectorGroupQuery,
        arguments=_listed,
        show=Listed(corrector_group),
        answers=CorrectorGroup,
        example=Example(query="scope=agent&limit=10", answer=SAMPLE),
        refuses=("project-not-found", "permission-denied"),
    ),
    Route(
        method="GET",
        path="/v1/corrector-groups/{correctorGroupId}",
        name="getCorrectorGroup",
        summary="Read a corrector group.",
        does=QUERIES["get-corrector-group"],
        arguments=_one,
        show=One(corrector_group, stamp=lambda found: found.updated_at),
        answers=CorrectorGroup,
        example=Example(path=_PATH, answer=SAMPLE),
        refuses=("corrector-group-not-found", "permission-denied"),
    ),
    Route(
        method="PATCH",
        path="/v1/corrector-groups/{correctorGroupId}",
        name="changeCorrectorGroup",
        summary="Give a corrector group another name, weight or restriction; its scope never changes.",
        does=OPERATIONS["change-corrector-group"],
        more="A weight counts from now on for every correction under the group. What was recorded keeps its `expert`. "
        "A retired group can be changed too, because what was recorded under it still counts.",
        body=CorrectorGroupChange,
        arguments=lambda asked: {**_one(asked), "change": asked.body, "known": asked.known},
        show=_KEPT,
        answers=CorrectorGroup,
        example=Example(path=_PATH, body=CHANGE, answer={**SAMPLE, **CHANGE}),
        refuses=(
            "corrector-group-not-found",
            "permission-denied",
            "changed-meanwhile",
            "corrector-group-exists",
        ),
    ),
    Route(
        method="POST",
        path="/v1/corrector-groups/{correctorGroupId}/retire",
        name="retireCorrectorGroup",
        summary="End a corrector group: nobody corrects under it any more. Again changes nothing.",
        does=OPERATIONS["retire-corrector-group"],
        more="It stays readable, and what was recorded under it still counts.",
        arguments=_one,
        show=_KEPT,
        answers=CorrectorGroup,
        example=Example(path=_PATH, answer={**SAMPLE, "status": "retired", "retiredAt": SAMPLE["updatedAt"]}),
        refuses=("corrector-group-not-found", "permission-denied"),
    ),
)
