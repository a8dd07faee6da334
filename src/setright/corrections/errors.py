"""What the corrections room refuses."""

from collections.abc import Sequence

from setright.kernel.errors import Kind, Refusal


class RunNotFinished(Refusal):
    """The run has no output to correct yet."""

    kind, code = Kind.CONFLICT, "run-not-finished"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"Run {run_id} is not finished; only a finished run is corrected.", {"runId": run_id}
        )


class RunErased(Refusal):
    """An erasure cleared the run's content, so there is nothing to correct."""

    kind, code = Kind.GONE, "run-erased"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"The content of run {run_id} was erased; there is nothing to correct.", {"runId": run_id}
        )


class RunContentExpired(Refusal):
    """Retention removed the run's content before any correction kept a copy of it."""

    kind, code = Kind.GONE, "run-content-expired"

    def __init__(self, run_id: str) -> None:
        super().__init__(f"The content of run {run_id} has expired, and no copy was kept.", {"runId": run_id})


class CorrectorGroupNotApplicable(Refusal):
    """The corrector group does not exist or does not cover the run's project and agent."""

    kind, code = Kind.INVALID, "corrector-group-not-applicable"

    def __init__(self, group_id: str) -> None:
        super().__init__(
            f"correctorGroupId: there is no corrector group {group_id} that covers this run.",
            {"correctorGroupId": group_id},
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
    """There is no such correction in the caller's tenant."""

    kind, code = Kind.MISSING, "correction-not-found"

    def __init__(self, correction_id: str) -> None:
        super().__init__(f"There is no correction {correction_id}.", {"correctionId": correction_id})
