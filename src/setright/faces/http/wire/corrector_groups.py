"""How a corrector group looks on the wire."""

from typing import Literal

from setright import corrections
from setright.corrections import ScopeKind
from setright.faces.http import samples
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import Wire, present, time, who
from setright.kernel.clock import to_wire


class CorrectorGroupScope(Shape):
    """Which runs a group covers: all of the tenant, those of a project, or those of an agent in a project."""

    kind: ScopeKind
    project_id: str = absent("With project and agent: which project.")
    agent_id: str = absent("With agent: which agent.")


class AssertableBy(Shape):
    """Who may correct under a group: every part that is there must hold."""

    min_reviewer_role: Literal["standard", "senior", "admin"] = absent(
        "The least reviewer role, as a member of the run's project."
    )
    principal_kinds: list[Literal["user", "service"]] = absent("Whether people, services or both.")
    principal_ids: list[str] = absent("Which users and service tokens.")


class CorrectorGroup(Shape):
    """A name under which people or services correct, and how much what they say counts."""

    id: str
    tenant_id: str
    name: str
    scope: CorrectorGroupScope
    weight: float
    assertable_by: AssertableBy = absent("Absent where everybody may who may correct the run.")
    status: Literal["active", "retired"]
    created_by: Principal
    created_at: Time
    updated_at: Time
    retired_at: Time = absent("Since when nobody corrects under it any more.")


def corrector_group(found: corrections.CorrectorGroup) -> Wire:
    """A corrector group; a whole weight is written without a fraction."""
    scope, weight = found.scope, found.weight
    return present(
        {
            "id": found.id,
            "tenantId": found.tenant_id,
            "name": found.name,
            "scope": present({"kind": scope.kind, "projectId": scope.project_id, "agentId": scope.agent_id}),
            "weight": int(weight) if weight.is_integer() else weight,
            "assertableBy": None if found.assertable_by is None else found.assertable_by.on_wire(),
            "status": found.status,
            "createdBy": who(found.created_by_kind, found.created_by_id),
            "createdAt": to_wire(found.created_at),
            "updatedAt": to_wire(found.updated_at),
            "retiredAt": time(found.retired_at),
        }
    )


NEW: samples.Sample = {
    "name": "Refund lawyers",
    "weight": 3,
    "scope": {"kind": "agent", "projectId": samples.PROJECT["id"], "agentId": samples.WHAT_RAN["id"]},
    "assertableBy": {"minReviewerRole": "senior", "principalKinds": ["user"]},
}
CHANGE: samples.Sample = {"weight": 2.5, "assertableBy": {"minReviewerRole": "standard"}}
SAMPLE: samples.Sample = {
    "id": "grp_01KE5MCQ800000000000000006",
    "tenantId": samples.TENANT,
    "name": NEW["name"],
    "scope": NEW["scope"],
    "weight": NEW["weight"],
    "assertableBy": NEW["assertableBy"],
    "status": "active",
    "createdBy": samples.WHO,
    "createdAt": samples.AT,
    "updatedAt": samples.AT,
}
