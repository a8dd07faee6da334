"""The life of a passing of retention."""

from setright.kernel.lifecycle import Lifecycle, Move

PASSING_LIFE = Lifecycle(
    thing="retention passing",
    statuses=("running", "done"),
    moves=(
        Move("begin", None, "running", "the ledger every day, or an admin of the tenant", "retention.begun"),
        Move("finish", "running", "done", "the passing itself", "retention.done"),
    ),
    final=("done",),
)
"""What it has cut is cut; nothing brings it back."""
