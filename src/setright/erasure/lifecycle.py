"""The life of an erasure, and of a legal hold."""

from typing import Literal

from setright.kernel.lifecycle import Lifecycle, Move

ErasureState = Literal["running", "done", "blocked"]
_ADMIN = "an admin of the tenant"
_JOB = "the erasure itself"

ERASURE_LIFE = Lifecycle(
    thing="erasure",
    statuses=("running", "done", "blocked"),
    moves=(
        Move("ask", None, "running", _ADMIN, "erasure.asked"),
        Move("finish", "running", "done", _JOB, "erasure.done"),
        Move("block", "running", "blocked", "a legal hold that came meanwhile", "erasure.blocked"),
    ),
    final=("done", "blocked"),
)
"""Nobody stops an erasure; what is blocked is asked for again once the hold is released."""

HOLD_LIFE = Lifecycle(
    thing="legal hold",
    statuses=("placed", "released"),
    moves=(
        Move("place", None, "placed", _ADMIN, "legal-hold.placed"),
        Move("release", "placed", "released", _ADMIN, "legal-hold.released"),
    ),
    final=("released",),
)
