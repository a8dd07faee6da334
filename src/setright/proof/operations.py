"""What can be done to test runs: each verb in one transaction."""

from dataclasses import replace

from setright import jobs
from setright.identity import find_project
from setright.kernel.actor import Role
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.proof import choosing, ending, store
from setright.proof.choosing import Chosen
from setright.proof.errors import CasesLeft, TestRunMoveRefused, TestRunNotFound, TestRunWithoutCases
from setright.proof.lifecycle import TEST_RUN_LIFE, ending_verb
from setright.proof.model import Finished, FinishTestRun, NewTestRun, TestRun
from setright.proof.queries import what_it_means
from setright.storage import Tx
from setright.subjects import SubjectRef, fold, see

MAKE_CASES = "make-cases"
LOOKS_AT_ONCE = 20


def create_test_run(tx: Tx, new: NewTestRun) -> TestRun:
    """Begin a test run: its first cases are made at once, and where there are many more a job makes them.

    The version need not have been seen; it is known from now on.
    """
    project_id = find_project(tx, new.project_id).id
    tx.actor.require(Role.WRITE, project_id)
    test_run = _new(tx, new, project_id)
    choosing.check_ids(tx, test_run)
    test_run, chosen = _first_cases(tx, test_run)
    of = new.subject
    subject = see(tx, project_id, of.kind, of.id, of.version)
    test_run = replace(test_run, subject=subject)
    store.add(tx, test_run)
    made = choosing.keep(tx, test_run, chosen)
    store.move(tx, made)
    if not made.is_whole:
        jobs.ask(tx, MAKE_CASES, made.id, {"testRunId": made.id})
    tx.announce(Event("test-run.created", "test-run", made.id, project_id, ("status",)))
    return made


def make_cases(tx: Tx, test_run_id: str) -> TestRun:
    """Make the next cases of a test run; one that has ended or has all of them stays as it is."""
    test_run = held(tx, test_run_id)
    if test_run.status != "running" or test_run.is_whole:
        return test_run
    return ending.kept(tx, choosing.keep(tx, test_run, choosing.choose(tx, test_run)))


def finish_test_run(tx: Tx, test_run_id: str, finish: FinishTestRun) -> Finished:
    """End a test run once its cases have results, or without those that are missing; again is the same answer."""
    test_run = to_change(tx, test_run_id)
    left = test_run.case_count - test_run.done_count
    if test_run.status == "running":
        if not finish.partial and (left or not test_run.is_whole):
            raise CasesLeft(test_run.id, left, preparing=not test_run.is_whole)
        verb = ending_verb(test_run.right_count, test_run.wrong_count)
        test_run = ending.ended(tx, replace(test_run, next_place=None), verb)
    elif test_run.status == "cancelled":
        raise TestRunMoveRefused(test_run.id, "finish", test_run.status)
    return what_it_means(tx, test_run)


def cancel_test_run(tx: Tx, test_run_id: str) -> TestRun:
    """End a test run so that it counts for nothing; again changes nothing."""
    test_run = to_change(tx, test_run_id)
    if test_run.status == "cancelled":
        return test_run
    if TEST_RUN_LIFE.find("cancel", test_run.status) is None:
        raise TestRunMoveRefused(test_run.id, "cancel", test_run.status)
    return ending.ended(tx, test_run, "cancel")


def to_change(tx: Tx, test_run_id: str) -> TestRun:
    """The test run, held until the end of the transaction, if the caller may change it."""
    test_run = held(tx, test_run_id)
    tx.actor.require(Role.WRITE, test_run.project_id)
    return test_run


def held(tx: Tx, test_run_id: str) -> TestRun:
    """The test run, held until the end of the transaction; whose rights are not checked."""
    test_run = store.hold(tx, with_prefix("tst", test_run_id))
    if test_run is None:
        raise TestRunNotFound(test_run_id)
    return test_run


def _new(tx: Tx, new: NewTestRun, project_id: str) -> TestRun:
    filtered = {} if new.filter is None else new.filter.on_wire()
    of = new.subject
    return TestRun(
        id=tx.new_id("tst"),
        tenant_id=tx.actor.tenant_id,
        project_id=project_id,
        subject=SubjectRef(of.kind, fold(of.id), of.id, of.version),
        filter=filtered,
        repeat=new.repeat or 1,
        status="running",
        next_place=choosing.begin(filtered, tx.now),
        case_count=0,
        done_count=0,
        erased_count=0,
        correction_count=0,
        right_count=0,
        wrong_count=0,
        not_evaluated_count=0,
        made_by_kind=tx.actor.kind,
        made_by_id=tx.actor.id,
        created_at=tx.now,
        updated_at=tx.now,
        ended_at=None,
    )


def _first_cases(tx: Tx, test_run: TestRun) -> tuple[TestRun, Chosen]:
    """The first cases of a test run that is not stored yet, looked for far enough; refused when it has none at all."""
    for _ in range(LOOKS_AT_ONCE):
        chosen = choosing.choose(tx, test_run)
        if chosen.cases:
            return test_run, chosen
        erased = test_run.erased_count + chosen.erased * test_run.repeat
        test_run = replace(test_run, erased_count=erased, next_place=chosen.next_place)
        if test_run.is_whole:
            subject = f"the {test_run.subject.kind} {test_run.subject.id!r}"
            raise TestRunWithoutCases(
                test_run.project_id, subject, erased // test_run.repeat, test_run.filter
            )
    return test_run, Chosen({}, 0, test_run.next_place)
