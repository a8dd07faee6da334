"""What the proof room refuses."""

from collections.abc import Mapping
from typing import Any

from setright.kernel.errors import Kind, Refusal


class TestRunNotFound(Refusal):
    """There is no such test run in the caller's tenant."""

    kind, code = Kind.MISSING, "test-run-not-found"

    def __init__(self, test_run_id: str) -> None:
        super().__init__(f"There is no test run {test_run_id}.", {"testRunId": test_run_id})


class TestRunWithoutCases(Refusal):
    """No correction is there to be tested, or none that the filter lets through; `details.erased` counts erased runs."""

    kind, code = Kind.CONFLICT, "no-cases"

    def __init__(self, project_id: str, subject: str, erased: int, filtered: Mapping[str, Any]) -> None:
        chosen = " that the filter lets through" if filtered else ""
        left = f" but {erased} whose runs were erased" if erased else ""
        super().__init__(
            f"There is nothing to test: {subject} has no standing correction in project {project_id}{chosen}{left}.",
            {"projectId": project_id, "erased": erased, "filter": dict(filtered)},
        )


class TestRunEnded(Refusal):
    """The test run has ended, so nothing is added to it any more."""

    kind, code = Kind.CONFLICT, "test-run-ended"

    def __init__(self, test_run_id: str, status: str) -> None:
        super().__init__(
            f"Test run {test_run_id} is {status}; nothing is added to it any more. Begin another.",
            {"testRunId": test_run_id, "status": status},
        )


class TestRunMoveRefused(Refusal):
    """The test run has ended in another way already."""

    kind, code = Kind.CONFLICT, "test-run-move-refused"

    def __init__(self, test_run_id: str, verb: str, status: str) -> None:
        super().__init__(
            f"Test run {test_run_id} is {status}, and that is final; {verb} is not open from there.",
            {"testRunId": test_run_id, "status": status, "open": []},
        )


class CaseNotFound(Refusal):
    """The test run has no such case."""

    kind, code = Kind.MISSING, "case-not-found"

    def __init__(self, test_run_id: str, case_id: str) -> None:
        super().__init__(
            f"Test run {test_run_id} has no case {case_id}.", {"testRunId": test_run_id, "caseId": case_id}
        )


class CaseErased(Refusal):
    """The corrected run was erased, so there is nothing to hold a result against."""

    kind, code = Kind.GONE, "case-erased"

    def __init__(self, case_id: str, run_id: str) -> None:
        super().__init__(
            f"The run of case {case_id} was erased; the case is left out.",
            {"caseId": case_id, "runId": run_id},
        )


class LeaseLost(Refusal):
    """The lease is not, or no longer, the caller's: it ended, and somebody else claimed what had no result."""

    kind, code = Kind.CONFLICT, "lease-lost"

    def __init__(self, lease: str, case_id: str | None = None) -> None:
        what = "Nothing is" if case_id is None else f"Case {case_id} is not"
        super().__init__(
            f"{what} claimed under the lease {lease} any more; claim again.",
            {"lease": lease} | ({} if case_id is None else {"caseId": case_id}),
        )


class CaseClaimed(Refusal):
    """Somebody has claimed the case, so that a run cannot stand for it just now."""

    kind, code = Kind.CONFLICT, "case-claimed"

    def __init__(self, case_id: str) -> None:
        super().__init__(
            f"Case {case_id} is claimed just now; give its lease, or wait until that ends.",
            {"caseId": case_id},
        )


class ResultExists(Refusal):
    """The case has another result already, and results never change."""

    kind, code = Kind.CONFLICT, "result-exists"

    def __init__(self, case_id: str) -> None:
        super().__init__(f"Case {case_id} has another result already.", {"caseId": case_id})


class RunDoesNotFit(Refusal):
    """The run cannot stand for a result of this test run; `details.why` says what is in the way."""

    kind, code = Kind.CONFLICT, "run-does-not-fit"

    def __init__(self, run_id: str, why: list[str]) -> None:
        super().__init__(
            f"Run {run_id} cannot stand for a result: {', and '.join(why)}.", {"runId": run_id, "why": why}
        )


class CasesLeft(Refusal):
    """Cases have no result yet, so the test run is not finished, unless it is to be finished without them."""

    kind, code = Kind.CONFLICT, "cases-left"

    def __init__(self, test_run_id: str, left: int, *, preparing: bool) -> None:
        more = ", and further cases are being made" if preparing else ""
        super().__init__(
            f"Test run {test_run_id} has {left} cases without a result{more}. Hand those in, "
            "or finish it without them: partial true.",
            {"testRunId": test_run_id, "left": left, "preparing": preparing},
        )


class TestRunsNotComparable(Refusal):
    """The two test runs are not of the same subject in the same project, so they hold nothing in common."""

    kind, code = Kind.INVALID, "test-runs-not-comparable"

    def __init__(self, test_run_id: str, against: str) -> None:
        super().__init__(
            f"Test run {test_run_id} cannot be held against {against}, which is of another agent, flow or project.",
            {"testRunId": test_run_id, "against": against},
        )
