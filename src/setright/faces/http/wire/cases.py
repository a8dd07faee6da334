"""How cases, their results and their verdicts look on the wire."""

from collections.abc import Iterator
from typing import Any, Literal

from setright.faces.http.envelope import STATUS, error_of
from setright.faces.http.samples import AT, CALLS, NEW_RUN, RUN, WHAT_RAN, Sample
from setright.faces.http.schemas import BatchError, Shape, SubjectVersionRef, Time, absent
from setright.faces.http.shapes import present, time
from setright.faces.http.wire.test_runs import TEST_RUN, TestRun, test_run
from setright.kernel.clock import to_wire
from setright.matching import AspectWord, VerdictWord
from setright.proof import Claimed, ClaimedCase, HeldVerdict, Renewed, ResultOutcome, StatusWord, Submitted


class RecordedCall(Shape):
    """A call of the corrected run, and what came of it."""

    tool: str
    args: dict[str, Any]
    result: Any = absent("What it gave back.")
    error: Any = absent("How it failed.")


class TestCase(Shape):
    """What a corrected run got, for the tested version to do again; never what is expected of it."""

    id: str
    run_id: str
    repetition: int
    subject: SubjectVersionRef
    input: Any = absent("What the run got.")
    messages: list[dict[str, Any]] = absent("What stood before the first reply.")
    tools: list[RecordedCall]
    correction_ids: list[str]


class Lease(Shape):
    """Cases that are yours for a while; without any, the status and what is left tell whether to ask again."""

    lease: str = absent("The name under which you hold them; absent without cases.")
    until: Time = absent("Until when; renew the lease while you work.")
    effects: dict[str, Literal["read", "write"]] = absent(
        "What the project declares of its tools; absent when it declares nothing."
    )
    cases: list[TestCase]
    status: StatusWord
    left: int
    preparing: bool = absent("True while further cases are made.")


class RenewedLease(Shape):
    """So many cases stay yours."""

    lease: str
    until: Time
    cases: int


class HeldAspect(Shape):
    """What came out for one aspect that a correction speaks of."""

    aspect: AspectWord
    verdict: VerdictWord
    reason: str = absent("Why it is not right.")
    explanation: str
    details: dict[str, Any] = absent("The same for machines.")


class Verdict(Shape):
    """What came out for one correction in one try."""

    test_run_id: str
    correction_id: str
    case_id: str
    repetition: int
    verdict: VerdictWord
    reason: str = absent("Why it is not right, of the first aspect that made it so.")
    explanation: str
    aspects: list[HeldAspect]
    rule: str
    at: Time


class ResultTold(Shape):
    """What became of one result: its verdicts when it was kept (201) or there already (200), else error."""

    index: int
    status: int
    case_id: str = absent("The case.")
    verdicts: list[Verdict] = absent("What came out for each correction of the case.")
    error: BatchError = absent("Why it was refused.")


class ResultsTold(Shape):
    """What became of each result, in order, and how the test run stands then."""

    results: list[ResultTold]
    test_run: TestRun


_RECORDED = ("tool", "args", "result", "error")


def claimed(found: Claimed) -> dict[str, Any]:
    """Claimed cases as on the wire."""
    run = found.test_run
    preparing = run.status == "running" and not run.is_whole
    return present(
        {
            "lease": found.lease,
            "until": time(found.until),
            "effects": found.effects,
            "cases": [_case(found, one) for one in found.cases],
            "status": run.status,
            "left": run.case_count - run.done_count if run.status == "running" else 0,
            "preparing": preparing or None,
        }
    )


def renewed(found: Renewed) -> dict[str, Any]:
    """A renewed lease as on the wire."""
    return {"lease": found.lease, "until": to_wire(found.until), "cases": found.cases}


def verdict(found: HeldVerdict) -> dict[str, Any]:
    """A verdict as on the wire."""
    return present(
        {
            "testRunId": found.test_run_id,
            "correctionId": found.correction_id,
            "caseId": found.case_id,
            "repetition": found.repetition,
            "verdict": found.verdict,
            "reason": found.reason,
            "explanation": found.explanation,
            "aspects": found.aspects,
            "rule": found.rule,
            "at": to_wire(found.at),
        }
    )


def submitted(made: Submitted) -> dict[str, Any]:
    """What became of results as on the wire."""
    return {"results": [_outcome(one) for one in made.outcomes], "testRun": test_run(made.test_run)}


def ids_in(found: Claimed) -> Iterator[str]:
    """Everything that claimed cases speak of."""
    yield found.test_run.id
    for one in found.cases:
        yield from (one.case.id, one.case.run_id, *one.case.correction_ids)


def _case(found: Claimed, one: ClaimedCase) -> dict[str, Any]:
    subject = found.test_run.subject
    case = one.case
    shown: dict[str, Any] = {
        "id": case.id,
        "runId": case.run_id,
        "repetition": case.repetition,
        "subject": {"kind": subject.kind, "id": subject.id, "version": one.version},
        "input": one.input,
        "tools": [{name: call[name] for name in _RECORDED if name in call} for call in one.calls],
        "correctionIds": case.correction_ids,
    }
    return shown if one.messages is None else {**shown, "messages": one.messages}


def _outcome(one: ResultOutcome) -> dict[str, Any]:
    whole: dict[str, Any] = {"index": one.index}
    if one.refusal is not None:
        whole |= {"status": STATUS[one.refusal.kind], "error": error_of(one.refusal)}
    else:
        whole |= {"status": 201 if one.created else 200, "verdicts": [verdict(held) for held in one.verdicts]}
    return present({**whole, "caseId": one.case_id})


LEASE = "lse_01KE5MCQ80000000000000000E"
_CASE = "cas_01KE5MCQ80000000000000000F"
_CORRECTION = "cor_01KE5MCQ800000000000000004"
CLAIMED: Sample = {
    "lease": LEASE,
    "until": AT,
    "cases": [
        {
            "id": _CASE,
            "runId": RUN["id"],
            "repetition": 1,
            "subject": WHAT_RAN,
            "input": NEW_RUN["input"],
            "tools": CALLS,
            "correctionIds": [_CORRECTION],
        }
    ],
    "status": "running",
    "left": 1,
}
RENEWED: Sample = {"lease": LEASE, "until": AT, "cases": 1}
NEW_RESULTS: Sample = {
    "results": [
        {
            "caseId": _CASE,
            "lease": LEASE,
            "calls": [{"tool": "pay_refund", "args": {"order": "A-17"}, "result": "ok"}],
            "output": {"decision": "paid"},
            "answer": "Yes, within 14 days.",
        }
    ]
}
VERDICT: Sample = {
    "testRunId": TEST_RUN["id"],
    "correctionId": _CORRECTION,
    "caseId": _CASE,
    "repetition": 1,
    "verdict": "right",
    "explanation": 'The answer contains "14 days".',
    "aspects": [{"aspect": "answer", "verdict": "right", "explanation": 'The answer contains "14 days".'}],
    "rule": "1",
    "at": AT,
}
SUBMITTED: Sample = {
    "results": [{"index": 0, "status": 201, "caseId": _CASE, "verdicts": [VERDICT]}],
    "testRun": {
        **TEST_RUN,
        "status": "finished",
        "cases": {"total": 1, "done": 1},
        "verdicts": {"right": 1, "wrong": 0, "notEvaluated": 0},
        "endedAt": AT,
    },
}
