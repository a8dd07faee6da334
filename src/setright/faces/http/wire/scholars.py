"""How scholars look on the wire, and the claims to speak as one."""

from typing import Literal

from setright.faces.http.samples import AT, LATER, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import Wire, present, time, who
from setright.identity import Scholar as ScholarRecord
from setright.identity import ScholarClaim as ClaimRecord
from setright.kernel.clock import to_wire


class Scholar(Shape):
    """Somebody to whom readings are attributed."""

    id: int
    name: str
    orcid: str = absent("The scholar's ORCID.")
    institution: str = absent("Where the scholar works.")
    created_by: Principal
    created_at: Time
    updated_at: Time


class ScholarClaim(Shape):
    """That a user or a service may speak as a scholar: asked for, and what was decided."""

    id: str
    scholar_id: int
    principal: Principal
    status: Literal["asked", "approved", "rejected", "withdrawn"]
    note: str = absent("Why it was asked for.")
    reason: str = absent("Why it was decided so.")
    decided_by: Principal = absent("Who approved, rejected or withdrew it.")
    decided_at: Time = absent("When.")
    created_at: Time
    updated_at: Time


def scholar(made: ScholarRecord) -> Wire:
    """A scholar as the contract orders it."""
    return present(
        {
            "id": made.number,
            "name": made.name,
            "orcid": made.orcid,
            "institution": made.institution,
            "createdBy": who(made.created_by_kind, made.created_by_id),
            "createdAt": to_wire(made.created_at),
            "updatedAt": to_wire(made.updated_at),
        }
    )


def claim(made: ClaimRecord) -> Wire:
    """A claim as the contract orders it."""
    decided = made.decided_by_kind
    return present(
        {
            "id": made.id,
            "scholarId": made.scholar,
            "principal": who(made.principal_kind, made.principal_id),
            "status": made.status,
            "note": made.note,
            "reason": made.reason,
            "decidedBy": None if decided is None else who(decided, made.decided_by_id or ""),
            "decidedAt": time(made.decided_at),
            "createdAt": to_wire(made.created_at),
            "updatedAt": to_wire(made.updated_at),
        }
    )


NEW_SCHOLAR: Sample = {
    "name": "Josiah Carberry",
    "orcid": "0000-0002-1825-0097",
    "institution": "Brown University",
}
SCHOLAR: Sample = {"id": 1, **NEW_SCHOLAR, "createdBy": WHO, "createdAt": AT, "updatedAt": AT}
CLAIM: Sample = {
    "id": "scl_01KE5MCQ800000000000000050",
    "scholarId": 1,
    "principal": WHO,
    "status": "asked",
    "note": "That is me.",
    "createdAt": AT,
    "updatedAt": AT,
}
APPROVED: Sample = {
    **CLAIM,
    "status": "approved",
    "decidedBy": WHO,
    "decidedAt": LATER,
    "updatedAt": LATER,
}
WITHDRAWN: Sample = {**APPROVED, "status": "withdrawn"}
EXAMPLE_PATH = {"scholarId": "1"}
CLAIM_PATH = {**EXAMPLE_PATH, "scholarClaimId": CLAIM["id"]}
