"""A test run is told as JUnit XML that every reader takes, and as Markdown in which no text is markup."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setright.client.runner.judged import Change, Judged, Judgement
from setright.client.runner.reports import junit, markdown
from setright.client.test_runs import FinishedTestRun

AT = "2026-01-01T00:00:00Z"
TEST_RUN: dict[str, Any] = {
    "id": "tst_1",
    "tenantId": "ten_1",
    "projectId": "default",
    "subject": {"kind": "agent", "id": "desk", "version": "v2"},
    "repeat": 1,
    "status": "finished",
    "cases": {"total": 4, "done": 4},
    "corrections": 4,
    "verdicts": {"right": 1, "wrong": 1, "notEvaluated": 2},
    "madeBy": {"kind": "user", "id": "usr_1"},
    "createdAt": AT,
    "updatedAt": AT,
    "endedAt": "2026-01-01T00:00:02.5Z",
    "applies": False,
    "says": "default does not run v2: deploy or pin it and 1 correction becomes fixed.",
}


def one(known: str, verdict: str, change: Change, reason: str | None = None, told: str = "Told.") -> Judged:
    return Judged(known, verdict, reason, told, change)


ALL = [
    one("cor_1", "wrong", "newly wrong", "missing-call", "No call of cancel(id=7) was made."),
    one("cor_2", "not-evaluated", "not evaluated", "needs-match"),
    Judged("cor_3", "not-evaluated", "agent-error", "Told.", "not evaluated", agent_failed=True),
    one("cor_4", "right", "newly right"),
]


def judged(*found: Judged, **more: Any) -> Judgement:
    return Judgement(FinishedTestRun.read({**TEST_RUN, **more}), found)


def test_junit_has_a_test_case_for_each_correction() -> None:
    suite = ET.fromstring(junit(judged(*ALL)))[0]
    assert suite.attrib == {
        "name": "setright agent desk v2",
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
        "time": "2.500",
        "timestamp": "2026-01-01T00:00:00",
    }
    told = {case.get("name"): [kind.tag for kind in case] for case in suite.iter("testcase")}
    assert told == {"cor_1": ["failure"], "cor_2": ["skipped"], "cor_3": ["error"], "cor_4": []}
    failure = suite.find(".//failure")
    assert failure is not None
    assert (failure.text, failure.get("message")) == (
        "No call of cancel(id=7) was made.",
        "newly wrong: missing-call",
    )


CONTROL = [chr(code) for code in range(0x20) if chr(code) not in "\t\n"]
NO_CHARACTER = st.characters(codec="utf-8", exclude_characters="\ufffe\uffff")


@settings(deadline=None)
@given(st.text(NO_CHARACTER))
def test_junit_is_well_formed_whatever_was_said(text: str) -> None:
    found = judged(one("cor_1", "wrong", "newly wrong", "missing-call", text), projectId=text)
    failure = ET.fromstring(junit(found).encode()).find(".//failure")
    assert failure is not None
    assert (failure.text or "") == "".join(char for char in text if char.isprintable() or char not in CONTROL)


def test_control_characters_are_removed() -> None:
    told = junit(judged(one("cor_1", "wrong", "newly wrong", "missing-call", "a\0\x1b[31mb\ud800\uffff<&>c")))
    assert "a[31mb&lt;&amp;&gt;c</failure>" in told


def test_markdown_has_counts_and_what_is_wrong() -> None:
    told = markdown(judged(*ALL))
    assert told.startswith("# agent desk v2: not good\n")
    assert "| newly wrong | 1 |" in told
    assert "| `cor_1` | No call of cancel(id=7) was made. (missing-call) |" in told
    assert "deploy or pin it and 1 correction becomes fixed." in told
    assert "cor_4" not in told


def test_markdown_escapes_what_was_said() -> None:
    told = markdown(judged(one("cor_1", "wrong", "still wrong", None, "a|b\n<b>`x`</b> [l](u)")))
    assert "| `cor_1` | a\\|b \\<b\\>\\`x\\`\\</b\\> \\[l\\](u) |" in told


@pytest.mark.parametrize(
    ("found", "status", "is_good"),
    [
        ([ALL[3]], "finished", True),
        ([one("cor_5", "wrong", "still wrong", "x"), ALL[1], ALL[3]], "finished", True),
        ([ALL[0], ALL[3]], "finished", False),
        ([ALL[2], ALL[3]], "finished", False),
        ([ALL[1]], "failed", False),
    ],
)
def test_good_is_what_was_evaluated_and_is_nowhere_newly_wrong(
    found: list[Judged], status: str, is_good: bool
) -> None:
    assert judged(*found, status=status).is_good is is_good
