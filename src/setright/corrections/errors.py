"""What the corrections room refuses."""

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


class CorrectionNotFound(Refusal):
    """There is no such correction in the caller's tenant."""

    kind, code = Kind.MISSING, "correction-not-found"

    def __init__(self, correction_id: str) -> None:
        super().__init__(f"There is no correction {correction_id}.", {"correctionId": correction_id})
