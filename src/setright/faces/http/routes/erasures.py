"""Routes of erasures and legal holds."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.erasure import NewErasure, NewLegalHold
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One, path_to
from setright.faces.http.wire import erasures as wire


def _erasure(asked: Asked) -> dict[str, Any]:
    return {"erasure_id": asked.path["erasureId"]}


def _hold(asked: Asked) -> dict[str, Any]:
    return {"hold_id": asked.path["legalHoldId"]}


_DENIED = ("permission-denied",)

ROUTES = (
    Route(
        method="POST",
        path="/v1/erasures",
        name="createErasure",
        summary="Have somebody's words leave every room: of an end user, of a run, or of a user of Setright.",
        does=OPERATIONS["ask-for-erasure"],
        more="For admins of the tenant. It is carried out in the background, and cannot be stopped or undone; what "
        "stays of a run or correction is a shell with contentErasedAt. With dryRun it is only counted (200).",
        body=NewErasure,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            wire.asked,
            status=lambda made: 202 if made.id else 200,
            statuses=(200, 202),
            location=lambda made: path_to("erasures", made.id),
            about=lambda made: (made.id,),
        ),
        answers=wire.Erasure,
        example=Example(body=wire.NEW_ERASURE, answer=wire.ERASURE),
        refuses=(*_DENIED, "run-not-found", "user-not-found", "last-admin", "legal-hold"),
    ),
    Route(
        method="GET",
        path="/v1/erasures",
        name="listErasures",
        summary="List the erasures of the tenant, newest first, for its admins.",
        does=QUERIES["list-erasures"],
        query=PageQuery,
        arguments=lambda asked: asked.page,
        show=Listed(wire.erasure),
        answers=wire.Erasure,
        example=Example(answer=wire.ERASURE),
        refuses=_DENIED,
    ),
    Route(
        method="GET",
        path="/v1/erasures/{erasureId}",
        name="getErasure",
        summary="Read how far an erasure is, and how much it took out.",
        does=QUERIES["get-erasure"],
        arguments=_erasure,
        show=One(wire.erasure),
        answers=wire.Erasure,
        example=Example(path={"erasureId": wire.ERASURE["id"]}, answer=wire.ERASURE),
        refuses=("erasure-not-found", *_DENIED),
    ),
    Route(
        method="POST",
        path="/v1/legal-holds",
        name="createLegalHold",
        summary="Keep an end user, a run, a user or a project from being erased.",
        does=OPERATIONS["place-legal-hold"],
        more="For admins of the tenant. An erasure that runs stops before its next batch, and is asked for again later.",
        body=NewLegalHold,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            wire.legal_hold,
            status=201,
            about=lambda made: (made.id,),
        ),
        answers=wire.LegalHold,
        example=Example(body=wire.NEW_HOLD, answer=wire.HOLD),
        refuses=_DENIED,
    ),
    Route(
        method="GET",
        path="/v1/legal-holds",
        name="listLegalHolds",
        summary="List the legal holds of the tenant, newest first, released ones too.",
        does=QUERIES["list-legal-holds"],
        query=PageQuery,
        arguments=lambda asked: asked.page,
        show=Listed(wire.legal_hold),
        answers=wire.LegalHold,
        example=Example(answer=wire.HOLD),
        refuses=_DENIED,
    ),
    Route(
        method="POST",
        path="/v1/legal-holds/{legalHoldId}/release",
        name="releaseLegalHold",
        summary="Let what a hold kept be erased again; again changes nothing.",
        does=OPERATIONS["release-legal-hold"],
        arguments=_hold,
        show=One(wire.legal_hold, about=lambda now: (now.id,)),
        answers=wire.LegalHold,
        example=Example(path={"legalHoldId": wire.HOLD["id"]}, answer=wire.HOLD),
        refuses=("legal-hold-not-found", *_DENIED),
    ),
)
