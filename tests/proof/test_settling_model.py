"""Versions, test runs, hands and jobs in any order, held against a short model of what settles corrections."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from setright import corrections
from setright.app.worker import Worker
from setright.corrections import Correction
from setright.proof import TestRun
from setright.subjects import VersionChange
from tests.proof.proving import WRONG_ANSWER, Proving
from tests.support.ledger import Ledger

VERSIONS = ("v1", "v2", "v3")
SAID: tuple[Mapping[str, Any], ...] = (
    WRONG_ANSWER,
    {**WRONG_ANSWER, "participantId": "p"},
    {"answer": "right", "answerMatch": {"how": "contains", "values": ["14 days"]}},
)
HOW = {"deploy": "latest", "pin": "pin", "went-back": "went-back", "unpin": "unpin"}
Fact = tuple[str | None, str] | None


@dataclass
class Modelled:
    """Where a correction stands by the model: its status and desk, and which version fixed or reopened it, and how."""

    made: Correction
    status: str
    desk: str | None
    fixed: Fact
    reopened: Fact = None
    hand: int = 0

    def judged(self, verdict: str, since: int, change: VersionChange) -> None:
        """What evidence does to it."""
        if self.hand > since:
            return
        if verdict == "right" and self.status in ("open", "being-fixed", "with-owner"):
            how = "pin" if change.verb in ("pin", "went-back") else "latest"
            self.status, self.fixed, self.reopened = "fixed", (change.version, how), None
        elif verdict == "wrong" and self.status == "fixed":
            self.desk = self.desk or (None if self.made.participant_id else "improve")
            self.status = "with-owner" if self.desk == "owner" else "open"
            self.reopened = (change.version, HOW[change.verb])


@dataclass
class Model:
    """What runs, what is known of each version, what waits for a worker, and where each correction stands."""

    deployed: VersionChange | None = None
    unpinned: VersionChange | None = None
    pinned: VersionChange | None = None
    corrections: dict[str, Modelled] = field(default_factory=dict[str, Modelled])
    newest: dict[tuple[str, str], tuple[int, str]] = field(
        default_factory=dict[tuple[str, str], tuple[int, str]]
    )
    jobs: list[VersionChange | tuple[TestRun, Mapping[str, str]]] = field(default_factory=list[Any])

    def runs(self) -> VersionChange | None:
        """The change through which a version runs."""
        followed = [one for one in (self.deployed, self.unpinned) if one is not None]
        through = self.pinned or max(followed, key=lambda one: one.at, default=None)
        return None if through is None or through.version is None else through

    def work(self) -> None:
        """One job, the oldest."""
        job, through = self.jobs.pop(0), self.runs()
        if isinstance(job, tuple):
            test_run, verdicts = job
            version = test_run.subject.version
            for one, verdict in verdicts.items():
                self.newest[version, one] = (test_run.ended_at or 0, verdict)
            if through is not None and through.version == version:
                self._settle(through, list(verdicts))
        elif through is not None and through.id == job.id:
            self._settle(through, list(self.corrections))

    def _settle(self, through: VersionChange, ids: list[str]) -> None:
        for one in ids:
            ended_at, verdict = self.newest.get((through.version or "", one), (0, ""))
            self.corrections[one].judged(verdict, max(through.at, ended_at), through)


class Settling(RuleBasedStateMachine):
    """The real rooms and the model side by side."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self.proving = Proving(ledger, ledger.tenant())
        self.model = Model()
        self.proving.run("v1")
        self.correct(SAID[0])

    @rule(said=st.sampled_from(SAID))
    def correct(self, said: Mapping[str, Any]) -> None:
        """Somebody corrects another run."""
        made = self.proving.corrected(**said)
        fixed: Fact = (None, "recorded-right") if made.status == "fixed" else None
        self.model.corrections[made.id] = Modelled(made, made.status, made.sorted_to, fixed)

    @rule(version=st.sampled_from(VERSIONS), data=st.data())
    def test(self, version: str, data: st.DataObject) -> None:
        """A version is held against some of the corrections."""
        standing = [one.made for one in self.model.corrections.values() if one.status != "removed"]
        if not standing:
            return
        verdicts = [(one, data.draw(st.booleans())) for one in standing]
        ended = self.proving.tested(version, *verdicts)
        said = {one.id: "right" if is_right else "wrong" for one, is_right in verdicts}
        self.model.jobs.append((ended, said))

    @rule(version=st.sampled_from(VERSIONS))
    def deploy(self, version: str) -> None:
        """A version becomes Latest."""
        change = self.proving.deploy(version)
        if self.model.deployed != change:
            self.model.deployed = change
            self.model.jobs.append(change)

    @rule()
    def pin(self) -> None:
        """The project is pinned to v1, which was seen."""
        change = self.proving.pin("v1")
        if self.model.pinned != change:
            self.model.pinned = change
            self.model.jobs.append(change)

    @precondition(lambda self: self.model.pinned is not None)
    @rule()
    def unpin(self) -> None:
        """The pin is lifted."""
        assert self.model.pinned is not None
        self.model.unpinned = self.proving.unpin(self.model.pinned)
        self.model.pinned = None
        self.model.jobs.append(self.model.unpinned)

    @rule(status=st.sampled_from(["open", "being-fixed", "with-owner", "wont-fix"]), data=st.data())
    def set_by_hand(self, status: str, data: st.DataObject) -> None:
        """A person sets the status of a correction."""
        one = data.draw(st.sampled_from(list(self.model.corrections.values())))
        if one.status in ("removed", status):
            return
        moved = self.proving.set(one.made, status=status)
        one.status, one.desk = moved.status, moved.sorted_to
        one.fixed = one.reopened = None
        one.hand = moved.updated_at

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        """A person takes a correction out."""
        one = data.draw(st.sampled_from(list(self.model.corrections.values())))
        self.proving.do(lambda tx: corrections.unregister_correction(tx, one.made.id))
        one.status = "removed"

    @precondition(lambda self: self.model.jobs)
    @rule()
    def work(self) -> None:
        """A worker does one job."""
        assert Worker(self.proving.ledger.store).turn()
        self.model.work()

    @invariant()
    def every_correction_stands_where_the_model_says(self) -> None:
        """Status, desk, and the version that fixed it and the one that got it wrong again."""
        for one in self.model.corrections.values():
            now = self.proving.stands(one.made)
            there = (now.status, now.sorted_to, fact(now.fixed_in), fact(now.reopened_in))
            assert there == (one.status, one.desk, one.fixed, one.reopened)

    def teardown(self) -> None:
        """Leave no job to the next example."""
        self.proving.work()


def fact(told: Mapping[str, Any] | None) -> Fact:
    return None if told is None else (told.get("version"), told["how"])


def test_any_order_of_things_settles_as_the_model_says(ledger: Ledger) -> None:
    class OnThisLedger(Settling):
        def __init__(self) -> None:
            super().__init__(ledger)

    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        OnThisLedger,
        settings=settings(max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=slow),
    )
