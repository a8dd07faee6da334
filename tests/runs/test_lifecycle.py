"""The whole life of a run, move by move."""

from setright.runs.lifecycle import RUN_LIFE, VERB_TO
from tests.support.lives import told

RUN = """\
run: running, completed, failed
final: completed, failed
start: run.started
    nothing > running
complete: run.finished
    nothing > completed, running > completed
fail: run.finished
    nothing > failed, running > failed
append-calls: run.calls-appended
    running"""


def test_every_move_of_a_run() -> None:
    assert told(RUN_LIFE) == RUN


def test_one_verb_leads_to_each_status() -> None:
    assert VERB_TO == {"running": "start", "completed": "complete", "failed": "fail"}
