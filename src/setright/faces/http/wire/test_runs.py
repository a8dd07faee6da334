"""How test runs look on the wire."""

from typing import Any

from setright.faces.http.samples import AT, PROJECT, TENANT, WHAT_RAN, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, SubjectVersionRef, Time, absent
from setright.faces.http.shapes import present, time, who
from setright.kernel.clock import to_wire
from setright.proof import Finished, StatusWord
from setright.proof import TestRun as TestRunRecord


class CaseCounts(Shape):
    """How far a test run is: a case is one try of a corrected run."""

    total: int
    done: int
    erased: int = absent("Left out, because the corrected run was erased.")
    preparing: bool = absent("True while further cases are made.")


class VerdictCounts(Shape):
    """How many verdicts came out so far, one for each correction and try."""

    right: int
    wrong: int
    not_evaluated: int


class Failure(Shape):
    """Why a test run failed."""

    code: str
    message: str


class TestRun(Shape):
    """A version held against the corrections of its subject in a project."""

    id: str
    tenant_id: str
    project_id: str
    subject: SubjectVersionRef
    filter: dict[str, Any] = absent("Which corrections were chosen; absent when all were.")
    repeat: int
    status: StatusWord
    cases: CaseCounts
    corrections: int
    verdicts: VerdictCounts
    failure: Failure = absent(
        "Why it failed: nothing was evaluated, so that it says nothing and moves nothing."
    )
    made_by: Principal
    created_at: Time
    updated_at: Time
    ended_at: Time = absent("When it was finished, failed or was cancelled.")


class FinishedTestRun(TestRun):
    """A test run that has ended, and what that means for its project."""

    applies: bool
    would_fix: int = absent("How many corrections become fixed once the project runs the version.")
    would_reopen: int = absent("How many that are fixed are open again then.")
    at_least: bool = absent("True when there may be more than that.")
    says: str = absent("The same as a sentence, where the project does not run the version.")


NOTHING_EVALUATED = {
    "code": "nothing-evaluated",
    "message": "Not one correction could be judged right or wrong, so this test run says nothing and moves nothing.",
}


def test_run(found: TestRunRecord) -> dict[str, Any]:
    """A test run as on the wire."""
    subject = found.subject
    return present(
        {
            "id": found.id,
            "tenantId": found.tenant_id,
            "projectId": found.project_id,
            "subject": {"kind": subject.kind, "id": subject.id, "version": subject.version},
            "filter": found.filter or None,
            "repeat": found.repeat,
            "status": found.status,
            "cases": _cases(found),
            "corrections": found.correction_count,
            "verdicts": {
                "right": found.right_count,
                "wrong": found.wrong_count,
                "notEvaluated": found.not_evaluated_count,
            },
            "failure": NOTHING_EVALUATED if found.status == "failed" else None,
            "madeBy": who(found.made_by_kind, found.made_by_id),
            "createdAt": to_wire(found.created_at),
            "updatedAt": to_wire(found.updated_at),
            "endedAt": time(found.ended_at),
        }
    )


def finished(found: Finished) -> dict[str, Any]:
    """A test run that has ended as on the wire."""
    whole = {**test_run(found.test_run), "applies": found.applies}
    would = found.would_move
    if would is None:
        return whole
    run = found.test_run
    more = "at least " if would.at_least else ""
    become = "1 correction becomes" if would.fixed == 1 else f"{would.fixed} corrections become"
    again = f", and {would.reopened} {'is' if would.reopened == 1 else 'are'} open again"
    says = (
        f"{run.project_id} does not run {run.subject.version}: deploy or pin it and {more}{become} fixed"
        f"{again if would.reopened else ''}."
    )
    counts = {"wouldFix": would.fixed, "wouldReopen": would.reopened, "atLeast": would.at_least or None}
    return present({**whole, **counts, "says": says})


def _cases(found: TestRunRecord) -> dict[str, Any]:
    return present(
        {
            "total": found.case_count,
            "done": found.done_count,
            "erased": found.erased_count or None,
            "preparing": None if found.is_whole or found.ended_at is not None else True,
        }
    )


NEW_TEST_RUN: Sample = {
    "projectId": PROJECT["id"],
    "subject": {**WHAT_RAN, "version": "v2"},
    "filter": {"status": ["open", "with-owner", "fixed"]},
}
TEST_RUN: Sample = {
    "id": "tst_01KE5MCQ80000000000000000D",
    "tenantId": TENANT,
    **NEW_TEST_RUN,
    "repeat": 1,
    "status": "running",
    "cases": {"total": 1, "done": 0},
    "corrections": 1,
    "verdicts": {"right": 0, "wrong": 0, "notEvaluated": 0},
    "madeBy": WHO,
    "createdAt": AT,
    "updatedAt": AT,
}
FINISHED: Sample = {
    **TEST_RUN,
    "status": "finished",
    "cases": {"total": 1, "done": 1},
    "verdicts": {"right": 1, "wrong": 0, "notEvaluated": 0},
    "endedAt": AT,
    "applies": False,
    "wouldFix": 1,
    "wouldReopen": 0,
    "says": "support does not run v2: deploy or pin it and 1 correction becomes fixed.",
}
