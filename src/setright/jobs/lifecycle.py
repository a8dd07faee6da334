"""The whole life of a job: asked for, taken by a worker for as long as its lease lasts, done or given up."""

from typing import Literal, get_args

from setright.kernel.clock import SECOND
from setright.kernel.lifecycle import Lifecycle, Move

StateWord = Literal["waiting", "running", "done", "failed", "cancelled"]
STATES: tuple[str, ...] = get_args(StateWord)

LEASE = 30 * SECOND
MOST_ATTEMPTS = 8
_FIRST_PAUSE = 1 * SECOND
_LONGEST_PAUSE = 600 * SECOND

_WORKER = "a worker"
_ADMIN = "an admin of the tenant"

JOB_LIFE = Lifecycle(
    thing="job",
    statuses=STATES,
    moves=(
        Move("ask", None, "waiting", "what the product does, in the same transaction", "nothing"),
        Move("take", "waiting", "running", _WORKER, "nothing"),
        Move("take", "running", "running", f"{_WORKER}, once the lease of another has ended", "nothing"),
        Move("go on", "running", "running", _WORKER, "nothing"),
        Move("finish", "running", "done", _WORKER, "nothing"),
        Move("put off", "running", "waiting", f"{_WORKER}, while attempts are left", "nothing"),
        Move("give up", "running", "failed", f"{_WORKER}, after the last attempt", "job.failed"),
        Move("cancel", "waiting", "cancelled", _ADMIN, "job.cancelled"),
        Move("cancel", "running", "cancelled", _ADMIN, "job.cancelled"),
        Move("retry", "failed", "waiting", _ADMIN, "job.retried"),
        Move("retry", "cancelled", "waiting", _ADMIN, "job.retried"),
    ),
    final=("done",),
)


def pause_after(attempt: int) -> int:
    """How long a job waits after its failed attempt number `attempt` (1 first), in microseconds: twice as long each time."""
    return min(_FIRST_PAUSE << (attempt - 1), _LONGEST_PAUSE)


def is_last(attempt: int) -> bool:
    """Whether a job that fails at this attempt is given up."""
    return attempt >= MOST_ATTEMPTS
