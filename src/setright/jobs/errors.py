"""What the jobs room refuses."""

from collections.abc import Sequence

from setright.kernel.errors import Kind, Refusal


class JobNotFound(Refusal):
    """There is no such job in the caller's tenant."""

    kind, code = Kind.MISSING, "job-not-found"

    def __init__(self, job_id: str) -> None:
        super().__init__(f"There is no job {job_id}.", {"jobId": job_id})


class JobMoveRefused(Refusal):
    """The job is in a state from which this cannot be done; `details.open` lists what can."""

    kind, code = Kind.CONFLICT, "job-move-refused"

    def __init__(self, job_id: str, verb: str, state: str, moves: Sequence[str]) -> None:
        open_moves = f"Open are: {', '.join(moves)}" if moves else "Nothing is open from there"
        super().__init__(
            f"Job {job_id} is {state}; {verb} is not open from there. {open_moves}.",
            {"jobId": job_id, "state": state, "open": list(moves)},
        )


class LeaseLost(Refusal):
    """Another worker took the job, or somebody cancelled it; what this batch did is undone."""

    kind, code = Kind.CONFLICT, "lease-lost"

    def __init__(self, job_id: str) -> None:
        super().__init__(f"The lease on job {job_id} has ended; the batch was undone.", {"jobId": job_id})
