"""Routes of test runs."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.samples import LATER
from setright.faces.http.show import Listed, One, path_to
from setright.faces.http.wire import cases, test_summary
from setright.faces.http.wire import test_runs as wire
from setright.kernel.errors import fault_at
from setright.kernel.fields import Id, Input, Name, optional
from setright.matching import AspectWord, VerdictWord
from setright.proof import (
    Claim,
    FinishTestRun,
    NewResults,
    NewTestRun,
    Renewal,
    StatusWord,
    TestRunFilters,
    VerdictFilters,
)

MOST_NAMED = 100


class TestRunQuery(PageQuery):
    """What a list of test runs can be narrowed to."""

    project_id: Id | None = optional("Only test runs in this project.")
    agent_id: Name | None = optional("Only test runs of this agent.")
    flow_id: Name | None = optional("Only test runs of this flow.")
    version: Name | None = optional("Only test runs of this version.")
    status: StatusWord | None = optional("Only test runs in this status.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """A test run is of an agent or of a flow."""
        if "agentId" in body and "flowId" in body:
            yield fault_at("/flowId", "cannot stand beside agentId: a test run is of an agent or of a flow")


class TestSummaryQuery(Input):
    """What a summary can be held against, and narrowed to."""

    against: Id | None = optional("An earlier test run of the same subject in the project, to compare with.")
    expert: bool | None = optional("Only corrections under a group that was restricted, or only the others.")


class VerdictQuery(PageQuery):
    """What a list of verdicts can be narrowed to."""

    verdict: VerdictWord | None = optional("Only these verdicts; beside aspect, only these on that aspect.")
    aspect: AspectWord | None = optional("Only verdicts about corrections that speak of this aspect.")
    correction_id: list[Id] = Field(
        default=[],
        max_length=MOST_NAMED,
        description="Only about this correction; may be given several times.",
    )
    expert: bool | None = optional(
        "Only about corrections under a restricted group, or only about the others."
    )
    against: Id | None = optional("Beside was: an earlier test run of the same subject in the project.")
    was: VerdictWord | None = optional(
        "Beside against: only about corrections that came out so there. What is newly wrong: `verdict=wrong&was=right`."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """How a correction came out before needs to know where."""
        if ("against" in body) != ("was" in body):
            missing = "was" if "against" in body else "against"
            yield fault_at(f"/{missing}", "is missing: against and was go together")


def _verdicts(asked: Asked) -> dict[str, Any]:
    query: VerdictQuery = asked.query
    filters = VerdictFilters(
        query.verdict, query.aspect, query.correction_id, query.expert, query.against, query.was
    )
    return {**_one(asked), "filters": filters, **asked.page}


def _summed(asked: Asked) -> dict[str, Any]:
    return {**_one(asked), "against": asked.query.against, "expert": asked.query.expert}


def _listed(asked: Asked) -> dict[str, Any]:
    query: TestRunQuery = asked.query
    filters = TestRunFilters(query.project_id, query.agent_id, query.flow_id, query.version, query.status)
    return {"filters": filters, "after": asked.after, "limit": query.limit}


def _one(asked: Asked) -> dict[str, Any]:
    return {"test_run_id": asked.path["testRunId"]}


_PATH = {"testRunId": wire.TEST_RUN["id"]}
_NOT_THERE = ("test-run-not-found", "permission-denied")

ROUTES = (
    Route(
        method="POST",
        path="/v1/test-runs",
        name="createTestRun",
        summary="Begin a test run: a version is held against the corrections of its subject in a project.",
        does=OPERATIONS["create-test-run"],
        more="A case is a corrected run with all that was said of it. Claim cases, have the version do them, and hand "
        "in the results. Needs write in the project; the version need not have been seen or deployed.",
        body=NewTestRun,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            wire.test_run,
            status=201,
            location=lambda made: path_to("test-runs", made.id),
            about=lambda made: (made.id,),
        ),
        answers=wire.TestRun,
        example=Example(body=wire.NEW_TEST_RUN, answer=wire.TEST_RUN),
        refuses=("project-not-found", "permission-denied", "no-cases"),
    ),
    Route(
        method="GET",
        path="/v1/test-runs",
        name="listTestRuns",
        summary="List the test runs of the projects that you may read, newest first.",
        does=QUERIES["list-test-runs"],
        query=TestRunQuery,
        arguments=_listed,
        show=Listed(wire.test_run),
        answers=wire.TestRun,
        example=Example(query="status=running", answer=wire.TEST_RUN),
        refuses=("project-not-found", "permission-denied"),
    ),
    Route(
        method="GET",
        path="/v1/test-runs/{testRunId}",
        name="getTestRun",
        summary="Read a test run: how far it is, and what came out so far.",
        does=QUERIES["get-test-run"],
        arguments=_one,
        show=One(wire.test_run),
        answers=wire.TestRun,
        example=Example(path=_PATH, answer=wire.TEST_RUN),
        refuses=_NOT_THERE,
    ),
    Route(
        method="GET",
        path="/v1/test-runs/{testRunId}/verdicts",
        name="listVerdicts",
        summary="List the verdicts of a test run, one for each correction and try, the newest correction first.",
        does=QUERIES["list-verdicts"],
        query=VerdictQuery,
        arguments=_verdicts,
        show=Listed(cases.verdict),
        answers=cases.Verdict,
        example=Example(path=_PATH, query="verdict=right&aspect=answer", answer=cases.VERDICT),
        refuses=(*_NOT_THERE, "test-runs-not-comparable"),
    ),
    Route(
        method="GET",
        path="/v1/test-runs/{testRunId}/summary",
        name="summarizeTestRun",
        summary="Sum up a test run: what is right, wrong or not known, how steady it is, and what changed.",
        does=QUERIES["summarize-test-run"],
        more="A correction counts once, with all its tries taken together: wrong if one is wrong, right if all are "
        "right. Every count comes plain and weighted by what the corrector groups weigh now. Against another test run, "
        "only corrections that are right or wrong in both are compared, by the exact test of McNemar: the p-value says "
        "how likely so uneven a change is if both versions are as good.",
        query=TestSummaryQuery,
        arguments=_summed,
        show=One(test_summary.summary),
        answers=test_summary.TestSummary,
        example=Example(path=_PATH, answer=test_summary.SUMMARY),
        refuses=(*_NOT_THERE, "test-runs-not-comparable"),
    ),
    Route(
        method="POST",
        path="/v1/test-runs/{testRunId}/claim",
        name="claimCases",
        summary="Claim cases to do: they are yours until the lease ends, and then anybody may claim what has no result.",
        does=OPERATIONS["claim-cases"],
        more="Fewer come where the runs are large. Without cases ask again while something is left: others hold it.",
        body=Claim,
        optional_body=True,
        arguments=lambda asked: {**_one(asked), "claim": asked.body},
        show=One(cases.claimed, about=lambda found: tuple(cases.ids_in(found))),
        answers=cases.Lease,
        example=Example(path=_PATH, body={"n": 10, "seconds": 120}, answer=cases.CLAIMED),
        refuses=_NOT_THERE,
    ),
    Route(
        method="POST",
        path="/v1/test-runs/{testRunId}/renew",
        name="renewLease",
        summary="Keep claimed cases for longer, while they are worked on.",
        does=OPERATIONS["renew-lease"],
        body=Renewal,
        arguments=lambda asked: {**_one(asked), "renewal": asked.body},
        show=One(cases.renewed),
        answers=cases.RenewedLease,
        example=Example(path=_PATH, body={"lease": cases.LEASE, "seconds": 120}, answer=cases.RENEWED),
        refuses=(*_NOT_THERE, "lease-lost"),
    ),
    Route(
        method="POST",
        path="/v1/test-runs/{testRunId}/results",
        name="submitResults",
        summary="Hand in what the version did in cases; each result is held at once, and told by itself.",
        does=OPERATIONS["submit-results"],
        more="One alone is refused as a whole; of several, each has the status that it alone would have had. An equal "
        "result again is the one that is there. With the last result the test run ends.",
        body=NewResults,
        arguments=lambda asked: {**_one(asked), "results": asked.body.checked()},
        show=One(
            cases.submitted,
            about=lambda made: (made.test_run.id, *(one.case_id for one in made.outcomes if one.case_id)),
        ),
        answers=cases.ResultsTold,
        example=Example(path=_PATH, body=cases.NEW_RESULTS, answer=cases.SUBMITTED),
        refuses=(
            *_NOT_THERE,
            "case-not-found",
            "case-erased",
            "lease-lost",
            "case-claimed",
            "result-exists",
            "test-run-ended",
            "run-not-found",
            "run-does-not-fit",
        ),
    ),
    Route(
        method="POST",
        path="/v1/test-runs/{testRunId}/finish",
        name="finishTestRun",
        summary="Finish a test run, and learn what it means for its project. Again is the same answer.",
        does=OPERATIONS["finish-test-run"],
        more="Where nothing was evaluated it fails. What the version got right becomes fixed, and what it got wrong is "
        "open again, as soon as the project runs the version.",
        body=FinishTestRun,
        optional_body=True,
        arguments=lambda asked: {**_one(asked), "finish": asked.body},
        show=One(wire.finished, about=lambda ended: (ended.test_run.id,)),
        answers=wire.FinishedTestRun,
        example=Example(path=_PATH, body={"partial": False}, answer=wire.FINISHED),
        refuses=(*_NOT_THERE, "cases-left", "test-run-move-refused"),
    ),
    Route(
        method="POST",
        path="/v1/test-runs/{testRunId}/cancel",
        name="cancelTestRun",
        summary="Cancel a test run: it counts for nothing. Again changes nothing.",
        does=OPERATIONS["cancel-test-run"],
        arguments=_one,
        show=One(wire.test_run, about=lambda moved: (moved.id,)),
        answers=wire.TestRun,
        example=Example(path=_PATH, answer={**wire.TEST_RUN, "status": "cancelled", "endedAt": LATER}),
        refuses=(*_NOT_THERE, "test-run-move-refused"),
    ),
)
