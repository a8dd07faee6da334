"""Routes of corrections."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field

from setright.app.catalog import OPERATIONS, QUERIES
from setright.corrections import CorrectionChange, CorrectionFilters, NewCorrection
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import FeedQuery, Moment, PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Fed, Listed, One, path_to
from setright.kernel.errors import fault_at
from setright.kernel.fields import Id, Name

Verdict = Literal["right", "wrong"]
Status = Literal["open", "being-fixed", "with-owner", "fixed", "wont-fix", "removed"]
SortedTo = Literal["improve", "developer", "owner"]


def subject_faults(query: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """What cannot stand together in a list that is narrowed to an agent or a flow."""
    if "agentVersion" in query and "agentId" not in query:
        yield fault_at("/agentVersion", "needs agentId beside it")
    if "agentId" in query and "flowId" in query:
        yield fault_at("/flowId", "cannot stand beside agentId: a run is an agent's or a flow's")


class CorrectionQuery(PageQuery):
    """What a list of corrections can be narrowed to."""

    project_id: Id | None = None
    run_id: Id | None = None
    agent_id: Name | None = None
    agent_version: Name | None = None
    flow_id: Name | None = None
    status: list[Status] = Field(default=[], max_length=20)
    sorted_to: SortedTo | None = None
    decisions: Verdict | None = None
    answer: Verdict | None = None
    corrector_group_id: Id | None = None
    participant_id: Id | None = None
    made_by: Id | None = None
    expert: bool | None = None
    since: Moment | None = None
    until: Moment | None = None
    include_unregistered: bool = False

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An agent's version needs the agent."""
        yield from subject_faults(body)


def _listed(asked: Asked) -> dict[str, Any]:
    query: CorrectionQuery = asked.query
    filters = CorrectionFilters(
        project_id=query.project_id,
        run_id=query.run_id,
        agent_id=query.agent_id,
        agent_version=query.agent_version,
        flow_id=query.flow_id,
        status=tuple(dict.fromkeys(query.status)),
        sorted_to=query.sorted_to,
        decisions=query.decisions,
        answer=query.answer,
        corrector_group_id=query.corrector_group_id,
        participant_id=query.participant_id,
        made_by=query.made_by,
        expert=query.expert,
        since=query.since,
        until=query.until,
        include_unregistered=query.include_unregistered,
    )
    return {"filters": filters, "after": asked.after, "limit": query.limit}


def _one(asked: Asked) -> dict[str, Any]:
    return {"correction_id": asked.path["correctionId"]}


def _history(asked: Asked) -> dict[str, Any]:
    return {
        "correction_id": asked.path["correctionId"],
        "after": asked.query.after,
        "limit": asked.query.limit,
    }


_MOVED = One(
    shapes.correction,
    stamp=lambda moved: moved.updated_at,
    about=lambda moved: (moved.id, moved.run_id),
)

ROUTES = (
    Route(
        method="POST",
        path="/v1/corrections",
        name="recordCorrection",
        summary="Correct a finished run: say what was right or wrong, and what would have been right.",
        does=OPERATIONS["record-correction"],
        body=NewCorrection,
        arguments=lambda asked: {"wanted": asked.body},
        show=One(
            shapes.correction,
            status=201,
            location=lambda made: path_to("corrections", made.id),
            stamp=lambda made: made.updated_at,
            about=lambda made: (made.id, made.run_id),
        ),
        answers=schemas.Correction,
        example=Example(body=samples.NEW_CORRECTION, answer=samples.CORRECTION),
        refuses=(
            "permission-denied",
            "project-not-found",
            "run-not-found",
            "run-exists",
            "run-not-finished",
            "run-erased",
            "run-content-expired",
            "corrector-group-not-applicable",
            "item-not-found",
        ),
    ),
    Route(
        method="GET",
        path="/v1/corrections",
        name="listCorrections",
        summary="List corrections, newest first; superseded ones only when asked for.",
        does=QUERIES["list-corrections"],
        query=CorrectionQuery,
        arguments=_listed,
        show=Listed(shapes.correction),
        answers=schemas.Correction,
        example=Example(query="status=open&status=with-owner&limit=10", answer=samples.CORRECTION),
        refuses=(
            "project-not-found",
            "permission-denied",
        ),
    ),
    Route(
        method="GET",
        path="/v1/corrections/{correctionId}",
        name="getCorrection",
        summary="Read a correction with the copy of its run and the values of its items.",
        does=QUERIES["get-correction"],
        arguments=_one,
        show=One(shapes.correction_with_copy, stamp=lambda found: found.correction.updated_at),
        answers=schemas.CorrectionWithCopy,
        example=Example(
            path={"correctionId": samples.CORRECTION["id"]},
            answer={**samples.CORRECTION, "copy": samples.COPY},
        ),
        refuses=(
            "correction-not-found",
            "permission-denied",
        ),
    ),
    Route(
        method="GET",
        path="/v1/corrections/{correctionId}/history",
        name="correctionHistory",
        summary="Read what happened to a correction, oldest first.",
        does=QUERIES["correction-history"],
        query=FeedQuery,
        arguments=_history,
        show=Fed(shapes.event),
        answers=schemas.Event,
        example=Example(path={"correctionId": samples.CORRECTION["id"]}, answer=samples.EVENT),
        refuses=(
            "correction-not-found",
            "permission-denied",
        ),
    ),
    Route(
        method="PATCH",
        path="/v1/corrections/{correctionId}",
        name="changeCorrection",
        summary="Move a correction by hand: its status, its desk, its note. If-Match must name the state as you read it.",
        does=OPERATIONS["change-correction"],
        body=CorrectionChange,
        arguments=lambda asked: {**_one(asked), "change": asked.body, "known": asked.known},
        show=_MOVED,
        answers=schemas.Correction,
        example=Example(
            path={"correctionId": samples.CORRECTION["id"]}, body=samples.CHANGE, answer=samples.CORRECTION
        ),
        refuses=(
            "invalid-parameter",
            "correction-not-found",
            "permission-denied",
            "changed-meanwhile",
            "already-superseded",
            "already-removed",
            "move-refused",
        ),
    ),
    Route(
        method="POST",
        path="/v1/corrections/{correctionId}/unregister",
        name="unregisterCorrection",
        summary="Remove a correction for good; it stays readable. Again changes nothing.",
        does=OPERATIONS["unregister-correction"],
        arguments=_one,
        show=_MOVED,
        answers=schemas.Correction,
        example=Example(path={"correctionId": samples.CORRECTION["id"]}, answer=samples.CORRECTION),
        refuses=(
            "correction-not-found",
            "permission-denied",
            "already-superseded",
        ),
    ),
)
