"""What the runs room refuses."""

from collections.abc import Sequence

from setright.kernel.errors import Kind, Refusal


class RunNotFound(Refusal):
    """The tenant has no such run."""

    kind, code = Kind.MISSING, "run-not-found"

    def __init__(self, run_id: str) -> None:
        super().__init__(f"There is no run {run_id!r}.", {"runId": run_id})


class RunErased(Refusal):
    """An erasure took out what the run said: there is nothing to correct or to go on with, and its id stays taken."""

    kind, code = Kind.GONE, "run-erased"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"The content of run {run_id} was erased; there is nothing to correct or to continue.",
            {"runId": run_id},
        )


class RunContentExpired(Refusal):
    """Retention removed the run's content before any correction kept a copy of it."""

    kind, code = Kind.GONE, "run-content-expired"

    def __init__(self, run_id: str) -> None:
        super().__init__(f"The content of run {run_id} has expired, and no copy was kept.", {"runId": run_id})


class RunExists(Refusal):
    """The caller's id belongs to a run with other content; details name the fields, if the caller may read it."""

    kind, code = Kind.CONFLICT, "run-exists"

    def __init__(self, run_id: str, fields: Sequence[str] | None) -> None:
        words = f"There is already a run {run_id!r} with other content"
        if fields is None:
            super().__init__(f"{words}; choose another id.")
        else:
            super().__init__(
                f"{words} in {', '.join(fields)}; send the first content again, or choose another id.",
                {"runId": run_id, "fields": list(fields)},
            )


class RunFinished(Refusal):
    """The run is over, and what is sent now is not what ended it."""

    kind, code = Kind.CONFLICT, "run-finished"

    def __init__(self, run_id: str, status: str) -> None:
        super().__init__(
            f"The run {run_id!r} is already {status}; a finished run never changes.",
            {"runId": run_id, "status": status},
        )


class CallPositionGap(Refusal):
    """The calls would leave a gap; `details.expected` is the number of calls that are there."""

    kind, code = Kind.CONFLICT, "call-position-gap"

    def __init__(self, position: int, expected: int) -> None:
        super().__init__(
            f"position {position} would leave a gap: the run has {expected} calls, so the next position is {expected}.",
            {"position": position, "expected": expected},
        )


class CallExists(Refusal):
    """Another call stands at the position already."""

    kind, code = Kind.CONFLICT, "call-exists"

    def __init__(self, position: int) -> None:
        super().__init__(
            f"Another call stands at position {position} already; what was recorded never changes.",
            {"position": position},
        )


class RunTooLarge(Refusal):
    """A call, or the whole run, is over its limit; `details.maxBytes` says how much is allowed."""

    kind, code = Kind.TOO_LARGE, "request-too-large"

    def __init__(self, what: str, most: int) -> None:
        super().__init__(f"{what} may have at most {most} bytes as compact JSON.", {"maxBytes": most})
