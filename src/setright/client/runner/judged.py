"""What a test run came to, correction by correction, beside where each stood before."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal, cast

from setright.client.client import Setright
from setright.client.test_runs import FinishedTestRun, TestRun, TestVerdict
from setright.matching import VerdictWord, together

Change = Literal["newly wrong", "still wrong", "newly right", "still right", "not evaluated"]
AGENT_ERROR = "agent-error"


@dataclass(frozen=True)
class Judged:
    """One correction, all its tries taken together: `reason` is absent when it is right.

    `agent_failed` says that the agent failed in one of the tries, whatever came of the others.
    """

    correction_id: str
    verdict: str
    reason: str | None
    explanation: str
    change: Change
    agent_failed: bool = False

    @property
    def says(self) -> str:
        """The explanation with its reason."""
        return f"{self.explanation} ({self.reason})" if self.reason else self.explanation


@dataclass(frozen=True)
class Judgement:
    """A test run that has ended, with what came out for each correction, newly wrong ones first."""

    test_run: FinishedTestRun
    judged: Sequence[Judged]

    def of(self, *changes: Change) -> list[Judged]:
        """Those with one of these changes."""
        return [one for one in self.judged if one.change in changes]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many corrections there are of each change."""
        return Counter(one.change for one in self.judged)

    @property
    def agent_errors(self) -> list[Judged]:
        """Those of which a case has no verdict because the agent failed."""
        return [one for one in self.judged if one.agent_failed]

    @property
    def is_good(self) -> bool:
        """Whether something was evaluated, nothing is wrong that was right before, and the agent never failed."""
        evaluated = self.test_run.status == "finished"
        return evaluated and not self.of("newly wrong") and not self.agent_errors


_ORDER: tuple[Change, ...] = ("newly wrong", "still wrong", "not evaluated", "newly right", "still right")


def fixed_now(client: Setright, test_run: TestRun) -> frozenset[str]:
    """The corrections of the subject that are fixed: what becomes wrong of these was right before."""
    subject = test_run.subject
    listed = client.corrections.list(
        project_id=test_run.project_id,
        agent_id=subject.id if subject.kind == "agent" else None,
        flow_id=subject.id if subject.kind == "flow" else None,
        status="fixed",
        limit=100,
    )
    return frozenset(one.id for one in listed)


def judgement(client: Setright, test_run: TestRun, right_before: AbstractSet[str]) -> Judgement:
    """What a test run that has ended came to; `right_before` are the corrections that counted as right until then."""
    tries: dict[str, list[TestVerdict]] = {}
    for verdict in client.test_runs.verdicts(test_run.id, limit=100):
        tries.setdefault(verdict.correction_id, []).append(verdict)
    judged = [_judged(of, right_before) for of in tries.values()]
    judged.sort(key=lambda one: (_ORDER.index(one.change), one.correction_id))
    return Judgement(client.test_runs.finish(test_run.id), judged)


def _judged(tries: Sequence[TestVerdict], right_before: AbstractSet[str]) -> Judged:
    verdict = together(cast("VerdictWord", one.verdict) for one in tries)
    telling = [one for one in tries if one.verdict == verdict]
    shown = next((one for one in telling if one.reason == AGENT_ERROR), telling[0])
    known = shown.correction_id
    return Judged(
        known,
        verdict,
        shown.reason,
        shown.explanation,
        _change(verdict, known in right_before),
        any(one.reason == AGENT_ERROR for one in tries),
    )


def _change(verdict: str, was_right: bool) -> Change:
    if verdict == "right":
        return "still right" if was_right else "newly right"
    if verdict == "wrong":
        return "newly wrong" if was_right else "still wrong"
    return "not evaluated"
