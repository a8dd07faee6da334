"""The life of a trace: its spans are gathered until its agent has ended, then it is a run, or is none."""

from typing import Literal

from setright.kernel.lifecycle import Lifecycle, Move

TraceState = Literal["gathering", "finished", "passed-over", "refused"]
_WHO, _LEDGER = "anyone with write on its project", "the ledger itself"

TRACE_LIFE = Lifecycle(
    thing="trace",
    statuses=("gathering", "finished", "passed-over", "refused"),
    moves=(
        Move("gather", None, "gathering", _WHO, "trace.begun"),
        Move("finish", "gathering", "finished", _LEDGER, "trace.finished"),
        Move("pass-over", "gathering", "passed-over", _LEDGER, "trace.passed-over"),
        Move("refuse", "gathering", "refused", _LEDGER, "trace.refused"),
    ),
    final=("finished", "passed-over", "refused"),
)
"""A passed-over trace has nothing of an agent, a model or a tool; a refused one cannot be recorded as a run."""
