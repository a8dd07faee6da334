"""The requests about test runs."""

from collections.abc import Sequence
from typing import Unpack

from setright.client.inputs import AnyFields
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.test_inputs import ResultFields, TestRunFields, TestRunFilters, VerdictFilters
from setright.client.test_runs import (
    ClaimedCases,
    FinishedTestRun,
    RenewedLease,
    SubmittedResults,
    TestRun,
    TestSummary,
    TestVerdict,
)
from setright.client.values import each, ours, query, segment


def create(*, key: str | None = None, **test_run: Unpack[TestRunFields]) -> Request[TestRun]:
    """Begin a test run: a version is held against the corrections of its subject in a project."""
    body = ours(test_run, {"subject": ours, "filter": ours})
    return Request[TestRun].write("POST", "/v1/test-runs", TestRun.read, body, key=key)


def get(test_run_id: str) -> Request[TestRun]:
    """Read a test run: how far it is, and what came out so far."""
    return Request[TestRun].get(_test_run(test_run_id), TestRun.read)


def page(**filters: Unpack[TestRunFilters]) -> Request[Page[TestRun]]:
    """Read one page of the test runs, newest first."""
    return Request[Page[TestRun]].get("/v1/test-runs", page_of(TestRun), query(**filters))


def verdicts(test_run_id: str, **filters: Unpack[VerdictFilters]) -> Request[Page[TestVerdict]]:
    """Read one page of a test run's verdicts, one for each correction and try."""
    path = f"{_test_run(test_run_id)}/verdicts"
    return Request[Page[TestVerdict]].get(path, page_of(TestVerdict), query(**filters))


def summary(
    test_run_id: str, *, against: str | None = None, expert: bool | None = None
) -> Request[TestSummary]:
    """Sum up a test run, perhaps against an earlier one, perhaps only what experts said."""
    path = f"{_test_run(test_run_id)}/summary"
    return Request[TestSummary].get(path, TestSummary.read, query(against=against, expert=expert))


def claim(
    test_run_id: str, *, n: int | None = None, seconds: int | None = None, key: str | None = None
) -> Request[ClaimedCases]:
    """Take up to `n` cases for so many seconds; without any, `left` and `status` tell whether to ask again."""
    body = {name: value for name, value in (("n", n), ("seconds", seconds)) if value is not None}
    path = f"{_test_run(test_run_id)}/claim"
    return Request[ClaimedCases].write("POST", path, ClaimedCases.read, body, key=key)


def renew(
    test_run_id: str, lease: str, *, seconds: int | None = None, key: str | None = None
) -> Request[RenewedLease]:
    """Keep claimed cases for longer, while they are worked on."""
    body = {"lease": lease} | ({} if seconds is None else {"seconds": seconds})
    path = f"{_test_run(test_run_id)}/renew"
    return Request[RenewedLease].write("POST", path, RenewedLease.read, body, key=key)


def submit(
    test_run_id: str, results: Sequence[ResultFields | AnyFields], *, key: str | None = None
) -> Request[SubmittedResults]:
    """Hand in what the version did in up to 200 cases; one alone that is refused is raised, of several each is told."""
    body = {"results": each(_result)(results)}
    path = f"{_test_run(test_run_id)}/results"
    return Request[SubmittedResults].write("POST", path, SubmittedResults.read, body, key=key)


def finish(
    test_run_id: str, *, partial: bool | None = None, key: str | None = None
) -> Request[FinishedTestRun]:
    """Finish a test run and learn what it means for its project; with `partial`, although cases have no result."""
    body = {} if partial is None else {"partial": partial}
    path = f"{_test_run(test_run_id)}/finish"
    return Request[FinishedTestRun].write("POST", path, FinishedTestRun.read, body, key=key)


def cancel(test_run_id: str, *, key: str | None = None) -> Request[TestRun]:
    """Cancel a test run, which then counts for nothing."""
    return Request[TestRun].write("POST", f"{_test_run(test_run_id)}/cancel", TestRun.read, key=key)


def _result(result: object) -> object:
    return ours(result, {"calls": each(ours)})


def _test_run(test_run_id: str) -> str:
    return f"/v1/test-runs/{segment('test_run_id', test_run_id)}"
