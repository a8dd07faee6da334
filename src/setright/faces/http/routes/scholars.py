"""Routes of scholars, and of the claims to speak as one."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import PageQuery, number_in
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One, path_to
from setright.faces.http.wire import scholars as wire
from setright.identity import ClaimDecision, NewScholar, NewScholarClaim, Orcid, ScholarChange
from setright.kernel.fields import optional


class ScholarQuery(PageQuery):
    """What a list of scholars can be narrowed to: the one with an ORCID."""

    orcid: Orcid | None = optional("Only the scholar with this ORCID.")


def _scholar(asked: Asked) -> dict[str, Any]:
    return {"number": number_in(asked.path, "scholarId")}


def _claim(asked: Asked) -> dict[str, Any]:
    return {**_scholar(asked), "claim_id": asked.path["scholarClaimId"]}


_NUMBERS = ("scholarId",)
_MOVES = ("scholar-not-found", "scholar-claim-not-found", "permission-denied", "scholar-claim-move-refused")

ROUTES = (
    Route(
        method="POST",
        path="/v1/scholars",
        name="createScholar",
        summary="Make a scholar, to whom readings can be attributed.",
        does=OPERATIONS["create-scholar"],
        more="Who may speak as the scholar is asked for by a claim, and approved by an admin of the tenant.",
        body=NewScholar,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            wire.scholar,
            status=201,
            location=lambda made: path_to("scholars", str(made.number)),
            stamp=lambda made: made.updated_at,
            about=lambda made: (str(made.number),),
        ),
        answers=wire.Scholar,
        example=Example(body=wire.NEW_SCHOLAR, answer=wire.SCHOLAR),
        refuses=("orcid-taken",),
    ),
    Route(
        method="GET",
        path="/v1/scholars",
        name="listScholars",
        summary="List scholars, newest first.",
        does=QUERIES["list-scholars"],
        query=ScholarQuery,
        arguments=lambda asked: {"orcid": asked.query.orcid, **asked.page},
        show=Listed(wire.scholar),
        answers=wire.Scholar,
        example=Example(query="orcid=0000-0002-1825-0097", answer=wire.SCHOLAR),
    ),
    Route(
        method="GET",
        path="/v1/scholars/{scholarId}",
        name="getScholar",
        summary="Read a scholar.",
        does=QUERIES["get-scholar"],
        arguments=_scholar,
        show=One(wire.scholar, stamp=lambda found: found.updated_at),
        answers=wire.Scholar,
        example=Example(path=wire.EXAMPLE_PATH, answer=wire.SCHOLAR),
        refuses=("scholar-not-found",),
        numbers=_NUMBERS,
    ),
    Route(
        method="PATCH",
        path="/v1/scholars/{scholarId}",
        name="changeScholar",
        summary="Give a scholar another name, ORCID or institution; null lifts the latter two.",
        does=OPERATIONS["change-scholar"],
        more="By who may speak as the scholar, or an admin of the tenant.",
        body=ScholarChange,
        arguments=lambda asked: {**_scholar(asked), "change": asked.body, "known": asked.known},
        show=One(wire.scholar, stamp=lambda found: found.updated_at, about=lambda made: (str(made.number),)),
        answers=wire.Scholar,
        example=Example(
            path=wire.EXAMPLE_PATH,
            body={"institution": "Another university"},
            answer={**wire.SCHOLAR, "institution": "Another university"},
        ),
        refuses=("scholar-not-found", "permission-denied", "changed-meanwhile", "orcid-taken"),
        numbers=_NUMBERS,
    ),
    Route(
        method="POST",
        path="/v1/scholars/{scholarId}/claims",
        name="claimScholar",
        summary="Ask to speak as a scholar; an admin may name another user or service, and approves with it.",
        does=OPERATIONS["ask-to-speak"],
        more="A claim that is asked or approved already is the answer (200).",
        body=NewScholarClaim,
        optional_body=True,
        arguments=lambda asked: {**_scholar(asked), "new": asked.body},
        show=One(
            lambda made: wire.claim(made[0]),
            status=lambda made: 201 if made[1] else 200,
            location=lambda made: path_to("scholars", str(made[0].scholar), "claims"),
            about=lambda made: (made[0].id,),
        ),
        answers=wire.ScholarClaim,
        example=Example(path=wire.EXAMPLE_PATH, body={"note": "That is me."}, answer=wire.CLAIM),
        refuses=("scholar-not-found", "permission-denied", "user-not-found", "token-not-found"),
        numbers=_NUMBERS,
    ),
    Route(
        method="GET",
        path="/v1/scholars/{scholarId}/claims",
        name="listScholarClaims",
        summary="List the claims to speak as a scholar, newest first: all of them for an admin of the tenant, your own else.",
        does=QUERIES["list-scholar-claims"],
        query=PageQuery,
        arguments=lambda asked: {**_scholar(asked), **asked.page},
        show=Listed(wire.claim),
        answers=wire.ScholarClaim,
        example=Example(path=wire.EXAMPLE_PATH, answer=wire.CLAIM),
        refuses=("scholar-not-found",),
        numbers=_NUMBERS,
    ),
    *(
        Route(
            method="POST",
            path=f"/v1/scholars/{{scholarId}}/claims/{{scholarClaimId}}/{verb}",
            name=f"{verb}ScholarClaim",
            summary=summary,
            does=OPERATIONS[f"{verb}-scholar-claim"],
            more="Needs the role admin in the tenant. Again changes nothing.",
            body=ClaimDecision,
            optional_body=True,
            arguments=lambda asked: {**_claim(asked), "decision": asked.body},
            show=One(wire.claim, about=lambda made: (made.id,)),
            answers=wire.ScholarClaim,
            example=Example(
                path=wire.CLAIM_PATH, body={"reason": "We know each other."}, answer=wire.APPROVED
            ),
            refuses=_MOVES,
            numbers=_NUMBERS,
        )
        for verb, summary in (
            ("approve", "Let who asked speak as the scholar from now on."),
            ("reject", "Do not, or no longer, let somebody speak as the scholar."),
        )
    ),
    Route(
        method="POST",
        path="/v1/scholars/{scholarId}/claims/{scholarClaimId}/withdraw",
        name="withdrawScholarClaim",
        summary="Give up a claim of yours to speak as the scholar; again changes nothing.",
        does=OPERATIONS["withdraw-scholar-claim"],
        arguments=_claim,
        show=One(wire.claim, about=lambda made: (made.id,)),
        answers=wire.ScholarClaim,
        example=Example(path=wire.CLAIM_PATH, answer=wire.WITHDRAWN),
        refuses=_MOVES,
        numbers=_NUMBERS,
    ),
)
