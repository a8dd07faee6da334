"""The life of a test run: its cases are answered, and then it is finished, failed or cancelled for good."""

from typing import Literal, get_args

from setright.kernel.clock import SECOND
from setright.kernel.lifecycle import Lifecycle, Move

VerbWord = Literal["create", "finish", "fail", "cancel"]
StatusWord = Literal["running", "finished", "failed", "cancelled"]
STATUSES: tuple[str, ...] = get_args(StatusWord)

_WHO = "anyone with write on its project"
_WHO_ENDS = f"{_WHO}, or by itself with the last result"

TEST_RUN_LIFE = Lifecycle(
    thing="test run",
    statuses=STATUSES,
    moves=(
        Move("create", None, "running", _WHO, "test-run.created"),
        Move("finish", "running", "finished", _WHO_ENDS, "test-run.finished"),
        Move("fail", "running", "failed", f"{_WHO_ENDS}, when nothing was evaluated", "test-run.failed"),
        Move("cancel", "running", "cancelled", _WHO, "test-run.cancelled"),
    ),
    final=("finished", "failed", "cancelled"),
)

CaseWord = Literal["open", "done", "erased"]
"""Where a case stands: it waits for its result (claimed or not), has it, or its corrected run was erased before."""

LEASE_SECONDS = 60
MOST_LEASE_SECONDS = 3600


def ending_verb(right: int, wrong: int) -> VerbWord:
    """The verb by which a test run with so many verdicts ends: where nothing was evaluated, it fails."""
    return "finish" if right + wrong else "fail"


def until(now: int, seconds: int) -> int:
    """When a lease of so many seconds ends (microseconds)."""
    return now + seconds * SECOND
