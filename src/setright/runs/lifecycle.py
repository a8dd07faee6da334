"""The life of a run: it runs, is continued, and ends once."""

from setright.kernel.lifecycle import Lifecycle, Move

_WHO = "anyone with write on its project"

RUN_LIFE = Lifecycle(
    thing="run",
    statuses=("running", "completed", "failed"),
    moves=(
        Move("start", None, "running", _WHO, "run.started"),
        Move("complete", None, "completed", _WHO, "run.finished"),
        Move("fail", None, "failed", _WHO, "run.finished"),
        Move("append-calls", "running", "running", _WHO, "run.calls-appended"),
        Move("complete", "running", "completed", _WHO, "run.finished"),
        Move("fail", "running", "failed", _WHO, "run.finished"),
    ),
    final=("completed", "failed"),
)

VERB_TO = {"running": "start", "completed": "complete", "failed": "fail"}
"""The verb that leads to a status."""
