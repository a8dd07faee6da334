"""How a test run ends: by itself with its last result, or because somebody says so."""

from dataclasses import replace

from setright.kernel.events import Event
from setright.proof import settling, store
from setright.proof.lifecycle import TEST_RUN_LIFE, VerbWord, ending_verb
from setright.proof.model import TestRun
from setright.storage import Tx


def kept(tx: Tx, now: TestRun) -> TestRun:
    """Store how a running test run stands now; with nothing left to do, it has ended."""
    if now.is_whole and now.done_count == now.case_count:
        return ended(tx, now, ending_verb(now.right_count, now.wrong_count))
    store.move(tx, replace(now, updated_at=tx.now))
    return now


def ended(tx: Tx, now: TestRun, verb: VerbWord) -> TestRun:
    """End a running test run and say so; one that is finished is followed by the moves of corrections."""
    move = TEST_RUN_LIFE.find(verb, now.status)
    if move is None:
        return now
    gone = replace(now, status=move.end, updated_at=tx.now, ended_at=tx.now)
    store.move(tx, gone)
    if verb == "finish":
        settling.ask_for_test_run(tx, gone)
    tx.announce(Event(move.event, "test-run", gone.id, gone.project_id, ("status",)))
    return gone
