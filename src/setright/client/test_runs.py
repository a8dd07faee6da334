"""The answers about test runs as typed records."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from setright.client.answers import Actor, Subject
from setright.client.records import Record
from setright.client.summaries import Count


@dataclass(frozen=True, kw_only=True)
class CaseCounts(Record):
    """How far a test run is: a case is one try of a corrected run; `preparing` while further ones are made."""

    total: int
    done: int
    erased: int | None = None
    preparing: bool | None = None


@dataclass(frozen=True, kw_only=True)
class TestVerdicts(Record):
    """How many verdicts came out so far, one for each correction and try."""

    __test__ = False  # no test class of pytest, whatever its name says

    right: int
    wrong: int
    not_evaluated: int


@dataclass(frozen=True, kw_only=True)
class TestFailure(Record):
    """Why a test run failed."""

    __test__ = False  # no test class of pytest, whatever its name says

    code: str
    message: str


@dataclass(frozen=True, kw_only=True)
class TestRun(Record):
    """A version held against the corrections of its subject in a project."""

    __test__ = False  # no test class of pytest, whatever its name says

    id: str
    tenant_id: str
    project_id: str
    subject: Subject
    filter: Mapping[str, Any] | None = None
    repeat: int
    status: str
    cases: CaseCounts
    corrections: int
    verdicts: TestVerdicts
    failure: TestFailure | None = None
    made_by: Actor
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class FinishedTestRun(TestRun):
    """A test run that has ended: whether its project runs the version, and if not, what would be fixed and open again if it did."""

    applies: bool
    would_fix: int | None = None
    would_reopen: int | None = None
    at_least: bool | None = None
    says: str | None = None


@dataclass(frozen=True, kw_only=True)
class RecordedCall(Record):
    """A call of the corrected run, and what came of it."""

    tool: str
    args: Mapping[str, Any]
    result: Any = None
    error: Any = None


@dataclass(frozen=True, kw_only=True)
class TestCase(Record):
    """What a corrected run got, for the tested version to do again; never what is expected of it."""

    __test__ = False  # no test class of pytest, whatever its name says

    id: str
    run_id: str
    repetition: int
    subject: Subject
    input: Any = None
    messages: tuple[Mapping[str, Any], ...] | None = None
    tools: tuple[RecordedCall, ...]
    correction_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ClaimedCases(Record):
    """Cases that are yours under `lease` until a moment; without any, `status` and `left` tell whether to ask again.

    `effects` is what the project declares of its tools, None where it declares nothing.
    """

    lease: str | None = None
    until: datetime | None = None
    effects: Mapping[str, str] | None = None
    cases: tuple[TestCase, ...]
    status: str
    left: int
    preparing: bool | None = None


@dataclass(frozen=True, kw_only=True)
class RenewedLease(Record):
    """So many cases stay yours until a moment."""

    lease: str
    until: datetime
    cases: int


@dataclass(frozen=True, kw_only=True)
class HeldAspect(Record):
    """What came out for one aspect that a correction speaks of."""

    aspect: str
    verdict: str
    reason: str | None = None
    explanation: str
    details: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class TestVerdict(Record):
    """What came out for one correction in one try: right, wrong or not-evaluated, and why."""

    __test__ = False  # no test class of pytest, whatever its name says

    test_run_id: str
    correction_id: str
    case_id: str
    repetition: int
    verdict: str
    reason: str | None = None
    explanation: str
    aspects: tuple[HeldAspect, ...]
    rule: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class ResultError(Record):
    """Why a result was refused."""

    code: str
    message: str
    details: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class ResultTold(Record):
    """What became of one result: its verdicts when it was kept (201) or there already (200), else error."""

    index: int
    status: int
    case_id: str | None = None
    verdicts: tuple[TestVerdict, ...] | None = None
    error: ResultError | None = None


@dataclass(frozen=True, kw_only=True)
class SubmittedResults(Record):
    """What became of each result, in order, and how the test run stands then."""

    results: tuple[ResultTold, ...]
    test_run: TestRun


@dataclass(frozen=True, kw_only=True)
class OutcomeCounts(Record):
    """How many corrections came out right and wrong, and of how many it is not known."""

    right: Count
    wrong: Count
    not_evaluated: Count


@dataclass(frozen=True, kw_only=True)
class AspectOutcomes(OutcomeCounts):
    """The same for one aspect, over the corrections that speak of it."""

    aspect: str


@dataclass(frozen=True, kw_only=True)
class ReasonCount(Count):
    """Of how many corrections it is not known for this reason."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class TryCounts(Record):
    """What came out of one try of every case: a verdict for each correction."""

    repetition: int
    right: int
    wrong: int
    not_evaluated: int


@dataclass(frozen=True, kw_only=True)
class Spread(Record):
    """How far tries lie apart in their share of right ones; `deviation` is that of a sample."""

    lowest: float
    highest: float
    mean: float
    deviation: float


@dataclass(frozen=True, kw_only=True)
class Repetitions(Record):
    """How steady a version is: `pass_hat` has for k = 1 and on how likely k tries are all right."""

    tries: tuple[TryCounts, ...]
    corrections: int
    pass_hat: tuple[float, ...]
    unsteady: int
    spread: Spread | None = None


@dataclass(frozen=True, kw_only=True)
class ComparedTestRun(Record):
    """The test run that was compared with."""

    id: str
    subject: Subject
    status: str


@dataclass(frozen=True, kw_only=True)
class Comparison(Record):
    """What changed since another test run, over the corrections that are right or wrong in both.

    `p_value` says how likely so uneven a change is if both versions are as good (McNemar, exact).
    """

    test_run: ComparedTestRun
    newly_right: Count
    newly_wrong: Count
    still_right: Count
    still_wrong: Count
    not_compared: int
    p_value: float
    may_be_noise: bool
    says: str


@dataclass(frozen=True, kw_only=True)
class TestSummary(Record):
    """What came out of a test run, each correction with all its tries taken together; `against` where that was asked.

    `without_verdict` counts chosen corrections without a verdict, None when only some corrections are looked at.
    """

    __test__ = False  # no test class of pytest, whatever its name says

    test_run: FinishedTestRun
    corrections: OutcomeCounts
    aspects: tuple[AspectOutcomes, ...]
    reasons: tuple[ReasonCount, ...]
    without_verdict: int | None = None
    repetitions: Repetitions | None = None
    against: Comparison | None = None
