"""Whatever runners do to one test run, in whatever order, its cases are what a short model says."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from setright import proof
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from tests.proof.proving import Proving, result
from tests.proof.test_claiming import over

ANSWERS = ("14 days", "30 days", "banana")
VERDICTS: dict[str, str] = dict(zip(ANSWERS, ("right", "wrong", "not-evaluated"), strict=True))
answers = st.sampled_from(ANSWERS)
some = st.integers(0, 20)


@dataclass
class Kept:
    """What the model knows of a case: under which lease it is or was last, whether that holds, and its answer."""

    lease: str | None = None
    is_held: bool = False
    answer: str | None = None


@dataclass
class Model:
    """One test run as it should be."""

    status: str = "running"
    cases: dict[str, Kept] = field(default_factory=dict[str, Kept])
    leases: list[str] = field(default_factory=list[str])

    def free(self) -> int:
        """How many cases somebody may claim."""
        return sum(case.answer is None and not case.is_held for case in self.cases.values())

    def counts(self) -> dict[str, int]:
        """How many verdicts of each kind there are."""
        told = [VERDICTS[case.answer] for case in self.cases.values() if case.answer is not None]
        return {verdict: told.count(verdict) for verdict in VERDICTS.values()}

    def end(self) -> None:
        """End it as it ends by itself or is finished."""
        counts = self.counts()
        self.status = "finished" if counts["right"] + counts["wrong"] else "failed"

    def refusal(self, case: Kept, lease: str | None, answer: str) -> str | None:
        """The code with which a result is refused."""
        if case.answer == answer:
            return None
        if case.answer is not None:
            return "result-exists" if lease == case.lease else "lease-lost"
        if self.status != "running":
            return "test-run-ended"
        return None if lease == case.lease else "lease-lost"


class Cases(RuleBasedStateMachine):
    """Runners claim, hand in, renew and lose leases; somebody finishes or cancels."""

    proving: Proving

    @initialize(runs=st.integers(1, 3), repeat=st.integers(1, 2))
    def begin(self, runs: int, repeat: int) -> None:
        """A test run with a few cases."""
        tenant = Proving(self.proving.ledger, self.proving.ledger.tenant())
        for _ in range(runs):
            tenant.corrected()
        self.tenant, self.model = tenant, Model()
        self.test_run = tenant.begun(repeat=repeat)
        self.left = runs * repeat

    def code_of(self, deed: Any) -> str | None:
        """The code with which something is refused; None where it is done."""
        try:
            deed()
        except Refusal as refusal:
            return refusal.code
        return None

    @rule(n=st.integers(1, 4))
    def claim(self, n: int) -> None:
        """Nobody gets what another holds, and all that is free can be had."""
        claimed = self.tenant.claimed(self.test_run, n)
        unseen = self.left - len(self.model.cases)
        free = self.model.free() + unseen if self.model.status == "running" else 0
        assert len(claimed.cases) == min(n, free)
        for one in claimed.cases:
            kept = self.model.cases.setdefault(one.case.id, Kept())
            assert kept.answer is None
            assert not kept.is_held
            kept.lease, kept.is_held = claimed.lease, True
        if claimed.lease is not None:
            self.model.leases.append(claimed.lease)

    @precondition(lambda self: self.model.cases)
    @rule(which=some, of=some, answer=answers, mine=st.booleans())
    def hand_in(self, which: int, of: int, answer: str, mine: bool) -> None:
        """A result is kept once, under the lease that has the case or had it last."""
        case_id = sorted(self.model.cases)[which % len(self.model.cases)]
        kept = self.model.cases[case_id]
        lease = kept.lease if mine else self.model.leases[of % len(self.model.leases)]
        wanted = self.model.refusal(kept, lease, answer)
        done = result(case_id, lease, answer=answer)
        assert self.code_of(lambda: self.tenant.submit(self.test_run, done)) == wanted
        if wanted is None and kept.answer is None:
            kept.answer, kept.is_held = answer, False
            if sum(case.answer is not None for case in self.model.cases.values()) == self.left:
                self.model.end()

    @precondition(lambda self: self.model.leases)
    @rule(of=some)
    def renew(self, of: int) -> None:
        """A lease is renewed while something without a result is under it, even if its time had passed."""
        lease = self.model.leases[of % len(self.model.leases)]
        under = [case for case in self.model.cases.values() if case.lease == lease and case.answer is None]
        wanted = validate(proof.Renewal, {"lease": lease})
        told = self.code_of(
            lambda: self.tenant.do(lambda tx: proof.renew_lease(tx, self.test_run.id, wanted))
        )
        holds = bool(under) and self.model.status == "running"
        assert told == (None if holds else "lease-lost")
        for case in under if holds else ():
            case.is_held = True

    @precondition(lambda self: self.model.leases)
    @rule(of=some)
    def let_it_end(self, of: int) -> None:
        """The time of a lease passes."""
        lease = self.model.leases[of % len(self.model.leases)]
        under = [case for case in self.model.cases.values() if case.lease == lease and case.answer is None]
        for case in under:
            case.is_held = False
        if under:
            over(self.tenant, lease)

    @rule(partial=st.booleans())
    def finish(self, partial: bool) -> None:
        """It is finished when all is done, or with what there is."""
        done = sum(case.answer is not None for case in self.model.cases.values())
        wanted = None
        if self.model.status == "cancelled":
            wanted = "test-run-move-refused"
        elif self.model.status == "running" and not partial and done < self.left:
            wanted = "cases-left"
        assert self.code_of(lambda: self.tenant.finish(self.test_run, partial=partial)) == wanted
        if wanted is None and self.model.status == "running":
            self.model.end()

    @rule(really=st.integers(0, 4))
    def cancel(self, really: int) -> None:
        """It can be cancelled while it runs, and again; seldom, so that others come to something."""
        if really:
            return
        cancel = self.code_of(lambda: self.tenant.do(lambda tx: proof.cancel_test_run(tx, self.test_run.id)))
        ended = self.model.status in ("finished", "failed")
        assert cancel == ("test-run-move-refused" if ended else None)
        if not ended:
            self.model.status = "cancelled"

    @invariant()
    def it_is_as_the_model_says(self) -> None:
        """Its status, what is done, and every verdict."""
        now = self.tenant.now(self.test_run)
        done = [case for case in self.model.cases.values() if case.answer is not None]
        assert (now.status, now.done_count, now.case_count) == (self.model.status, len(done), self.left)
        counts = {"right": now.right_count, "wrong": now.wrong_count}
        counts["not-evaluated"] = now.not_evaluated_count
        assert counts == self.model.counts()


def test_the_cases_of_a_test_run_are_as_a_short_model_says(proving: Proving) -> None:
    class Here(Cases):
        """On this ledger."""

    Here.proving = proving
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=20,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
