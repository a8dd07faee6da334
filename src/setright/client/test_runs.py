"""The answers about test runs as typed records."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from setright.client.answers import Actor, Subject
from setright.client.records import Record


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

    right: int
    wrong: int
    not_evaluated: int


@dataclass(frozen=True, kw_only=True)
class TestFailure(Record):
    """Why a test run failed."""

    code: str
    message: str


@dataclass(frozen=True, kw_only=True)
class TestRun(Record):
    """A version held against the corrections of its subject in a project."""

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
    """A test run that has ended: whether its project runs the version, and if not, what would be fixed if it did."""

    applies: bool
    would_fix: int | None = None
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
