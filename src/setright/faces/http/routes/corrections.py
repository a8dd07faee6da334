"""Routes of corrections."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field

from setright.app.catalog import OPERATIONS, QUERIES
from setright.corrections import (
    CorrectionChange,
    CorrectionFilters,
    DeskWord,
    NewCorrection,
    StatusWord,
    VerdictWord,
    WaitingCorrection,
)
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import FeedQuery, Moment, PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Either, Fed, Listed, One, path_to
from setright.faces.http.wire import waiting
from setright.kernel.errors import fault_at, invalid
from setright.kernel.fields import Id, Input, Name, optional


def subject_faults(query: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """What cannot stand together in a list that is narrowed to an agent or a flow."""
    if "agentVersion" in query and "agentId" not in query:
        yield fault_at("/agentVersion", "needs agentId beside it")
    if "agentId" in query and "flowId" in query:
        yield fault_at("/flowId", "cannot stand beside agentId: a run is an agent's or a flow's")


class CorrectionQuery(PageQuery):
    """What a list of corrections can be narrowed to."""

    project_id: Id | None = optional("Only corrections in this project.")
    run_id: Id | None = optional("Only corrections of this run.")
    agent_id: Name | None = optional("Only corrections of runs of this agent.")
    agent_version: Name | None = optional("Beside agentId: only of runs of this version.")
    flow_id: Name | None = optional("Only corrections of runs of this flow.")
    status: list[StatusWord] = Field(
        default=[], max_length=20, description="Only corrections in this status; repeat it for several."
    )
    sorted_to: DeskWord | None = optional("Only corrections that this desk works on.")
    decisions: VerdictWord | None = optional("Only corrections that say this of the tool calls.")
    answer: VerdictWord | None = optional("Only corrections that say this of the answer.")
    corrector_group_id: Id | None = optional("Only corrections under this corrector group.")
    participant_id: Id | None = optional("Only corrections of this end user.")
    made_by: Id | None = optional(
        "Only corrections by this user, or by the service with this token, whose id then keeps its tok_."
    )
    expert: bool | None = optional("Only corrections under a group that was restricted, or only the others.")
    since: Moment | None = optional("Only corrections that were made at this time or later.")
    until: Moment | None = optional("Only corrections that were made before this time.")
    include_unregistered: bool = Field(default=False, description="Also those superseded or removed.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An agent's version needs the agent."""
        yield from subject_faults(body)


class HoldQuery(Input):
    """Whether a correction may wait for its run."""

    when_run_missing: Literal["hold"] | None = optional(
        "hold: wait for a run that is missing or not finished, and record the correction when it finishes."
    )
    project_id: Id | None = optional(
        "With whenRunMissing, and needed there: the project in which the run is awaited."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """One needs the other."""
        if "whenRunMissing" in body and "projectId" not in body:
            yield fault_at("/projectId", "is required with whenRunMissing")
        if "projectId" in body and "whenRunMissing" not in body:
            yield fault_at("/projectId", "goes only with whenRunMissing=hold")


def _recorded(asked: Asked) -> dict[str, Any]:
    query: HoldQuery = asked.query
    if query.when_run_missing is not None and asked.body.run is not None:
        raise invalid("/run", "comes along, so there is nothing to wait for", "runId, or no whenRunMissing")
    return {"wanted": asked.body, "hold_in": query.project_id}


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
    return {"filters": filters, **asked.page}


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
        more="It is sorted when it is saved: what an app says for its end user stays `open` and unsorted; wrong "
        "decisions wait with the agent's owner (`with-owner`); a wrong answer or item is `open`, sorted to improve; "
        "where nothing is wrong it is `fixed` as recorded-right. The first correction of a run keeps a copy of the "
        "run's content. A second one by the same caller for the same run and participantId supersedes the earlier "
        "one. Who made it is the authenticated caller, never a field. Needs write on the run's project. "
        "With whenRunMissing=hold a correction waits for a run that is missing or not finished (202): when that run "
        "finishes in that project it is recorded with the same id, by the same caller, whose rights count then.",
        body=NewCorrection,
        query=HoldQuery,
        arguments=_recorded,
        show=Either(
            One(
                shapes.correction,
                status=201,
                location=lambda made: path_to("corrections", made.id),
                stamp=lambda made: made.updated_at,
                about=lambda made: (made.id, made.run_id),
            ),
            WaitingCorrection,
            One(
                waiting.held,
                status=202,
                location=lambda made: path_to("waiting-corrections", made.id),
                about=lambda made: (made.id, made.run_id),
            ),
            waiting.HeldCorrection,
            waiting.HELD,
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
            "corrector-group-not-allowed",
            "item-not-found",
            "already-adjudicated",
            "quota-exceeded",
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
        summary="Read what happened to a correction, oldest first: who, when, what it changed, and why.",
        does=QUERIES["correction-history"],
        query=FeedQuery,
        arguments=_history,
        show=Fed(shapes.correction_event),
        answers=schemas.CorrectionEvent,
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
            "already-adjudicated",
            "correction-erased",
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
            "correction-erased",
            "already-superseded",
            "already-adjudicated",
        ),
    ),
)
