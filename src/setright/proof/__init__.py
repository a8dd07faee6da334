"""Test runs: a version's answers held against corrections, and corrections moved by what came of it."""

from setright.proof.claiming import claim_cases, renew_lease
from setright.proof.erasing import erase_cases, erase_verdicts, runs_that_stand, stood_for
from setright.proof.errors import (
    CaseClaimed,
    CaseErased,
    CaseNotFound,
    CasesLeft,
    LeaseLost,
    ResultExists,
    RunDoesNotFit,
    TestRunEnded,
    TestRunMoveRefused,
    TestRunNotFound,
    TestRunsNotComparable,
    TestRunWithoutCases,
)
from setright.proof.jobs import make_cases
from setright.proof.lifecycle import STATUSES, TEST_RUN_LIFE, StatusWord
from setright.proof.model import (
    Case,
    Claim,
    Claimed,
    ClaimedCase,
    Finished,
    FinishTestRun,
    HeldVerdict,
    NewResults,
    NewTestRun,
    Renewal,
    Renewed,
    ResultOutcome,
    Submitted,
    TestFilter,
    TestRun,
    TestRunFilters,
)
from setright.proof.operations import MAKE_CASES, cancel_test_run, create_test_run, finish_test_run
from setright.proof.queries import get_test_run, list_test_runs
from setright.proof.reactions import version_changed
from setright.proof.results import submit_results
from setright.proof.running import RunningNow, list_running
from setright.proof.settling import SETTLE_CHANGE, SETTLE_TEST_RUN, settle_change, settle_test_run
from setright.proof.soundness import faults
from setright.proof.summaries import Comparison, Counts, Repetitions, TestSummary, summarize_test_run
from setright.proof.verdict_lists import VerdictFilters, list_verdicts

__all__ = [
    "MAKE_CASES",
    "SETTLE_CHANGE",
    "SETTLE_TEST_RUN",
    "STATUSES",
    "TEST_RUN_LIFE",
    "Case",
    "CaseClaimed",
    "CaseErased",
    "CaseNotFound",
    "CasesLeft",
    "Claim",
    "Claimed",
    "ClaimedCase",
    "Comparison",
    "Counts",
    "FinishTestRun",
    "Finished",
    "HeldVerdict",
    "LeaseLost",
    "NewResults",
    "NewTestRun",
    "Renewal",
    "Renewed",
    "Repetitions",
    "ResultExists",
    "ResultOutcome",
    "RunDoesNotFit",
    "RunningNow",
    "StatusWord",
    "Submitted",
    "TestFilter",
    "TestRun",
    "TestRunEnded",
    "TestRunFilters",
    "TestRunMoveRefused",
    "TestRunNotFound",
    "TestRunWithoutCases",
    "TestRunsNotComparable",
    "TestSummary",
    "VerdictFilters",
    "cancel_test_run",
    "claim_cases",
    "create_test_run",
    "erase_cases",
    "erase_verdicts",
    "faults",
    "finish_test_run",
    "get_test_run",
    "list_running",
    "list_test_runs",
    "list_verdicts",
    "make_cases",
    "renew_lease",
    "runs_that_stand",
    "settle_change",
    "settle_test_run",
    "stood_for",
    "submit_results",
    "summarize_test_run",
    "version_changed",
]
