"""Settling corrections: a version that a project runs fixes what it got right and reopens what it got wrong."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from setright import corrections, jobs, subjects
from setright.corrections import Correction, Evidence
from setright.jobs import Batch
from setright.proof import outcomes, settling_store, store
from setright.proof.errors import TestRunNotFound
from setright.proof.model import TestRun
from setright.proof.settling_store import NewestVerdict
from setright.storage import Tx
from setright.subjects import SubjectRef, VersionChange

SETTLE_CHANGE = "settle-change"
SETTLE_TEST_RUN = "settle-test-run"
AT_ONCE = 200


def ask_for_change(tx: Tx, change_id: str) -> None:
    """Have what a deploy, pin or unpin brings about done after this transaction."""
    jobs.ask(tx, SETTLE_CHANGE, change_id, {"changeId": change_id})


def ask_for_test_run(tx: Tx, ended: TestRun) -> None:
    """Have what a finished test run brings about done after this transaction."""
    jobs.ask(tx, SETTLE_TEST_RUN, ended.id, {"testRunId": ended.id})


def settle_change(tx: Tx, arguments: Mapping[str, Any], cursor: Any) -> Batch:
    """Move some more corrections by what was found of the version that a change brought; the cursor is the last one.

    In a project that runs something else by now, or by another change, that one answers for it.
    """
    change = subjects.get_change(tx, arguments["changeId"])
    if change.version is None:
        return Batch(0)
    subjects.hold_what_runs(tx, change.kind, change.key)
    version = SubjectRef(change.kind, change.key, change.subject_id, change.version)
    found = settling_store.judged(tx, version, change.project_id, cursor or ("", ""), AT_ONCE)
    moved = 0
    for project_id, of_project in groupby(found, lambda pair: pair[0]):
        through = subjects.change_that_runs(tx, project_id, version.kind, version.key)
        if through is not None and through.id == change.id:
            held = corrections.hold_corrections(tx, [correction_id for _, correction_id in of_project])
            moved += _moved(tx, change.id, through, version, project_id, held)
    return Batch(moved, cursor=found[-1] if len(found) == AT_ONCE else None)


def settle_test_run(tx: Tx, arguments: Mapping[str, Any], cursor: Any) -> Batch:
    """Remember some more of what a finished test run found, and move corrections where its project runs the version."""
    test_run = store.find(tx, arguments["testRunId"])
    if test_run is None:
        raise TestRunNotFound(arguments["testRunId"])
    version, project_id = test_run.subject, test_run.project_id
    subjects.hold_what_runs(tx, version.kind, version.key)
    found = outcomes.outcomes(tx, test_run.id, cursor or "", AT_ONCE)
    told = [one for one in found if one.verdict != "not-evaluated"]
    held = corrections.hold_corrections(tx, [one.correction_id for one in told])
    ended_at = test_run.ended_at or test_run.updated_at
    for one in told:
        word = NewestVerdict(one.correction_id, one.verdict, one.wrong_aspect, test_run.id, ended_at)
        settling_store.keep(tx, version, project_id, word)
    through = subjects.change_that_runs(tx, project_id, version.kind, version.key)
    moved = 0
    if through is not None and through.version == version.version:
        moved = _moved(tx, test_run.id, through, version, project_id, held)
    return Batch(moved, cursor=found[-1].correction_id if len(found) == AT_ONCE else None)


def _moved(
    tx: Tx,
    cause_id: str,
    through: VersionChange,
    version: SubjectRef,
    project_id: str,
    held: Sequence[Correction],
) -> int:
    """How many held corrections a cause moves now; each at most once, by the newest word on the version that runs.

    That word is read once they are held, so that of two test runs the newer one counts, whichever is settled last.
    """
    ids = [one.id for one in held]
    words = settling_store.newest(tx, version, project_id, ids)
    done = settling_store.moved_already(tx, cause_id, ids)
    moved = 0
    for one in held:
        word = words.get(one.id)
        if word is None or one.id in done:
            continue
        since = max(through.at, word.ended_at)
        tx.happens_after(since)
        then = corrections.move_by_evidence(
            tx, one, Evidence(word.verdict, word.wrong_aspect, through, since)
        )
        if then is not None:
            settling_store.add_move(tx, cause_id, version.version, word, then.status)
            moved += 1
    return moved
