"""What the corrections room refuses."""

from collections.abc import Sequence

from setright.corrections.group_model import AssertableBy, CorrectorGroup
from setright.kernel.clock import to_wire
from setright.kernel.errors import Kind, Refusal


class RunNotFinished(Refusal):
    """The run has no output to correct yet."""

    kind, code = Kind.CONFLICT, "run-not-finished"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"Run {run_id} is not finished; only a finished run is corrected.", {"runId": run_id}
        )


class CorrectorGroupNotApplicable(Refusal):
    """The corrector group does not exist, does not cover the run's project and agent, or is retired."""

    kind, code = Kind.INVALID, "corrector-group-not-applicable"

    def __init__(self, group_id: str, retired_at: int | None = None) -> None:
        if retired_at is None:
            told = f"there is no corrector group {group_id} that covers this run"
        else:
            told = f"corrector group {group_id} was retired at {to_wire(retired_at)}; nobody corrects under it any more"
        retired = {} if retired_at is None else {"retiredAt": to_wire(retired_at)}
        super().__init__(f"correctorGroupId: {told}.", {"correctorGroupId": group_id, **retired})


class CorrectorGroupNotAllowed(Refusal):
    """The corrector group is restricted, and the caller may not assert it; `details.notHeld` names the parts."""

    kind, code = Kind.FORBIDDEN, "corrector-group-not-allowed"

    def __init__(
        self,
        group_id: str,
        project_id: str,
        by: AssertableBy,
        not_held: Sequence[str],
        reviewer_role: str | None,
    ) -> None:
        kinds = " and ".join(f"{kind}s" for kind in by.principal_kinds or ())
        told = {
            "minReviewerRole": f"it needs the reviewer role {by.min_reviewer_role} or higher in project {project_id}, "
            f"where you have {'none' if reviewer_role is None else reviewer_role}",
            "principalKinds": f"it is for {kinds} only",
            "principalIds": "it is for certain users or services, and you are none of them",
        }
        why = "; ".join(f"{part}: {told[part]}" for part in not_held)
        super().__init__(
            f"You may not correct under corrector group {group_id}. {why}. "
            "Correct without a group, or ask an admin of the project.",
            {"correctorGroupId": group_id, "projectId": project_id, "notHeld": list(not_held)},
        )


class CorrectorGroupNotFound(Refusal):
    """There is no such corrector group in the caller's tenant."""

    kind, code = Kind.MISSING, "corrector-group-not-found"

    def __init__(self, group_id: str) -> None:
        super().__init__(f"There is no corrector group {group_id}.", {"correctorGroupId": group_id})


class CorrectorGroupExists(Refusal):
    """Another corrector group of the same scope has this name; a retired one keeps its name."""

    kind, code = Kind.CONFLICT, "corrector-group-exists"

    def __init__(self, other: CorrectorGroup) -> None:
        retired = "" if other.retired_at is None else ", which is retired and can be given another name"
        super().__init__(
            f"name: corrector group {other.id} of this scope has the name {other.name!r} already{retired}.",
            {"correctorGroupId": other.id, "name": other.name, "status": other.status},
        )


class ItemNotFound(Refusal):
    """An item's pointer leads to nothing in the run's output."""

    kind, code = Kind.INVALID, "item-not-found"

    def __init__(self, faults: list[dict[str, str]]) -> None:
        super().__init__(f"{faults[0]['pointer']}: leads to nothing in the run's output.", {"faults": faults})


class MoveRefused(Refusal):
    """The correction cannot go to that status; `details.open` lists the moves that are open."""

    kind, code = Kind.CONFLICT, "move-refused"

    def __init__(self, status: str, wanted: str, moves: Sequence[str], why: str) -> None:
        super().__init__(
            f"status: {wanted} is never set by hand; {why}. Open from {status} are: {', '.join(moves)}.",
            {"status": status, "wanted": wanted, "open": list(moves)},
        )


class AlreadyRemoved(Refusal):
    """The correction was removed, and removed is final."""

    kind, code = Kind.CONFLICT, "already-removed"

    def __init__(self, correction_id: str) -> None:
        super().__init__(
            f"Correction {correction_id} was removed, and removed is final; no move is open. Correct the run anew.",
            {"correctionId": correction_id, "open": []},
        )


class AlreadySuperseded(Refusal):
    """A newer correction took this one's place, so it moves no more."""

    kind, code = Kind.CONFLICT, "already-superseded"

    def __init__(self, correction_id: str, superseded_by: str) -> None:
        super().__init__(
            f"Correction {correction_id} was superseded by {superseded_by} and moves no more; change that one.",
            {"correctionId": correction_id, "supersededBy": superseded_by, "open": []},
        )


class AlreadyAdjudicated(Refusal):
    """An admin decided between this correction and others of its run, so it moves no more and takes no newer one."""

    kind, code = Kind.CONFLICT, "already-adjudicated"

    def __init__(self, correction_id: str, adjudicated_by: str) -> None:
        super().__init__(
            f"Correction {correction_id} was adjudicated by {adjudicated_by} and moves no more; that one says what "
            f"counts. An admin who removes it (POST /v1/corrections/{adjudicated_by}/unregister) frees this one.",
            {"correctionId": correction_id, "adjudicatedBy": adjudicated_by, "open": []},
        )


class IfMatchMissing(Refusal):
    """A change must say, in If-Match, which state of the correction it is meant for."""

    kind, code = Kind.INVALID, "invalid-parameter"

    def __init__(self, current: int) -> None:
        etag = f'"{current}"'
        super().__init__(
            f"If-Match is needed, so that nobody's change is lost: send the ETag of the correction as you read it "
            f"(now {etag}).",
            {"parameter": "If-Match", "etag": etag},
        )


class CorrectionNotFound(Refusal):
    """There is no such correction in the caller's tenant; `details.waiting` is true for one that waits for its run."""

    kind, code = Kind.MISSING, "correction-not-found"

    def __init__(self, correction_id: str, held: str | None = None) -> None:
        became = {
            "waiting": "it is held, and waits for its run to finish",
            "refused": "it was held, and refused when its run finished",
            "withdrawn": "it was held, and withdrawn before its run finished",
        }
        why = "" if held is None else f": {became[held]}. See /v1/waiting-corrections/{correction_id}"
        told = {} if held is None else {"waiting": held == "waiting", "state": held}
        super().__init__(
            f"There is no correction {correction_id}{why}.", {"correctionId": correction_id, **told}
        )


class WaitingCorrectionNotFound(Refusal):
    """No such correction is held in the caller's tenant; `details.recorded` is true for one that is recorded by now."""

    kind, code = Kind.MISSING, "waiting-correction-not-found"

    def __init__(self, correction_id: str, *, recorded: bool = False) -> None:
        why = f": it is recorded. See /v1/corrections/{correction_id}" if recorded else ""
        told = {"recorded": True} if recorded else {}
        super().__init__(
            f"No correction {correction_id} is held{why}.", {"correctionId": correction_id, **told}
        )


class CorrectionErased(Refusal):
    """An erasure took out what the correction said; it moves no more."""

    kind, code = Kind.GONE, "correction-erased"

    def __init__(self, correction_id: str) -> None:
        super().__init__(
            f"What correction {correction_id} said was erased; it can be read, and moves no more.",
            {"correctionId": correction_id},
        )
