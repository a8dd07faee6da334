"""Which runs a corrector group covers, and who may assert it: pure rules."""

from setright.corrections.group_model import AssertableBy, Scope
from setright.identity import reaches


def covers(scope: Scope, project_id: str, subject_kind: str, subject_key: str) -> bool:
    """Whether a group of this scope covers the runs of a subject in a project; flows are no agents."""
    if scope.kind == "tenant":
        return True
    if scope.project_id != project_id:
        return False
    return scope.kind == "project" or (subject_kind == "agent" and subject_key == scope.agent_key)


def parts_not_held(by: AssertableBy, kind: str, principal_id: str, reviewer_role: str | None) -> list[str]:
    """The parts of a restriction that do not hold for a caller, by their wire names; none: it may assert the group.

    `reviewer_role` is the caller's in the run's project; without one no least reviewer role holds.
    """
    held = {
        "minReviewerRole": by.min_reviewer_role is None or reaches(reviewer_role, by.min_reviewer_role),
        "principalKinds": by.principal_kinds is None or kind in by.principal_kinds,
        "principalIds": by.principal_ids is None or principal_id in by.principal_ids,
    }
    return [name for name, holds in held.items() if not holds]
