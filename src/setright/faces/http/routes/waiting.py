"""Routes of corrections that wait for their run."""

from typing import Any

from pydantic import Field

from setright.app.catalog import OPERATIONS, QUERIES
from setright.corrections import WaitingFilters, WaitingState
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One
from setright.faces.http.wire import waiting
from setright.kernel.fields import Id, optional


class WaitingQuery(PageQuery):
    """What a list of held corrections can be narrowed to."""

    project_id: Id | None = optional("Only those held in this project.")
    run_id: Id | None = optional("Only those held for this run.")
    state: list[WaitingState] = Field(
        default=[],
        max_length=20,
        description="Only those in this state; repeat it for several. Left out: waiting and refused.",
    )
    made_by: Id | None = optional(
        "Only those by this user, or by the service with this token, whose id then keeps its tok_."
    )


def _listed(asked: Asked) -> dict[str, Any]:
    query: WaitingQuery = asked.query
    states = tuple(dict.fromkeys(query.state))
    filters = WaitingFilters(query.project_id, query.run_id, states, query.made_by)
    return {"filters": filters, **asked.page}


def _one(asked: Asked) -> dict[str, Any]:
    return {"correction_id": asked.path["waitingCorrectionId"]}


_PATH = {"waitingCorrectionId": waiting.WAITING["id"]}
_REFUSES = ("waiting-correction-not-found", "permission-denied")

ROUTES = (
    Route(
        method="GET",
        path="/v1/waiting-corrections",
        name="listWaitingCorrections",
        summary="List the corrections that wait for their run, or were refused when it finished; held last first.",
        does=QUERIES["list-waiting-corrections"],
        query=WaitingQuery,
        arguments=_listed,
        show=Listed(waiting.waiting),
        answers=waiting.WaitingCorrection,
        example=Example(query="state=waiting&limit=10", answer=waiting.WAITING),
        refuses=("project-not-found", "permission-denied"),
    ),
    Route(
        method="GET",
        path="/v1/waiting-corrections/{waitingCorrectionId}",
        name="getWaitingCorrection",
        summary="Read a correction that waits for its run, was refused when that finished, or was taken back.",
        does=QUERIES["get-waiting-correction"],
        more="Once it is recorded it is a correction with the same id, and 404 here with `details.recorded`.",
        arguments=_one,
        show=One(waiting.waiting),
        answers=waiting.WaitingCorrection,
        example=Example(path=_PATH, answer=waiting.WAITING),
        refuses=_REFUSES,
    ),
    Route(
        method="DELETE",
        path="/v1/waiting-corrections/{waitingCorrectionId}",
        name="withdrawCorrection",
        summary="Take back a correction before its run finishes; it stays readable, and again changes nothing.",
        does=OPERATIONS["withdraw-correction"],
        more="Its maker needs write in the project; anybody else must be a person with write there, or have the role "
        "admin. One that was refused can be put away like this, too.",
        arguments=_one,
        show=One(waiting.waiting, about=lambda found: (found.correction.id, found.correction.run_id)),
        answers=waiting.WaitingCorrection,
        example=Example(path=_PATH, answer=waiting.WITHDRAWN),
        refuses=_REFUSES,
    ),
)
