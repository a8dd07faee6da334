"""Whatever three reviewers and an admin do to a queue, in whatever order, it is what a small model says."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from setright.corrections import Correction
from setright.kernel.actor import Actor
from setright.reviews import ClaimedRun, ReviewClaim
from tests.reviews.reviewing import RIGHT, WRONG, Desk
from tests.support.ledger import Ledger

SAID = {"right": RIGHT, "wrong": WRONG}
people = st.integers(0, 2)
verdicts = st.sampled_from(sorted(SAID))


@dataclass
class Item:
    """What the model knows of one run: who may not get it any more, who has it, who said what, who decided."""

    handed: set[int] = field(default_factory=set[int])
    active: set[int] = field(default_factory=set[int])
    said: dict[int, str] = field(default_factory=dict[int, str])
    begun: bool = False
    over: bool = False
    decided: bool = False

    def has_room(self, wanted: int) -> bool:
        return not self.over and len(self.active) + len(self.said) < wanted

    def state(self) -> str:
        if self.decided:
            return "adjudicated"
        if self.over:
            return "disagreed" if len(set(self.said.values())) > 1 else "complete"
        return "claimed" if self.active else "waiting"


class Reviewing(RuleBasedStateMachine):
    """A queue with two reviewers for each run, three people, and an admin."""

    ledger: Ledger
    wanted = 2

    @initialize(runs=st.integers(1, 3))
    def begin(self, runs: int) -> None:
        """Some runs are finished when the queue is made."""
        self.desk = Desk(self.ledger)
        self.people: list[Actor] = [self.desk.reviewer() for _ in range(3)]
        self.items: dict[str, Item] = {self.desk.run(): Item() for _ in range(runs)}
        self.queue = self.desk.queue(reviewersPerItem=self.wanted)
        self.claims: dict[tuple[int, str], ReviewClaim] = {}
        self.made: dict[tuple[int, str], Correction] = {}

    def chosen(self, held: dict[tuple[int, str], Any], data: st.DataObject) -> tuple[int, str] | None:
        """One of the pairs of person and run, None when there is none."""
        return data.draw(st.sampled_from(sorted(held))) if held else None

    @rule()
    def finish(self) -> None:
        """A further run."""
        self.items[self.desk.run()] = Item()

    @rule(person=people)
    def claim(self, person: int) -> None:
        """The next run: one that others began and that has room, in whatever order, else the oldest new one."""
        free = {run for run, item in self.items.items() if person not in item.handed}
        begun = {run for run in free if self.items[run].begun and self.items[run].has_room(self.wanted)}
        new = [run for run in self.items if run in free and not self.items[run].begun]
        found = self.desk.look(self.people[person], self.queue)
        if not begun and not new:
            assert found is None
            return
        assert isinstance(found, ClaimedRun)
        run = found.claim.run_id
        assert run in begun if begun else run == new[0]
        item = self.items[run]
        item.begun = True
        item.handed.add(person)
        item.active.add(person)
        self.claims[person, run] = found.claim

    @rule(verdict=verdicts, data=st.data())
    def answer(self, verdict: str, data: st.DataObject) -> None:
        """An answer to a claim that is active."""
        pair = self.chosen(self.claims, data)
        if pair is None:
            return
        person, run = pair
        made = self.desk.answer(self.people[person], self.claims.pop(pair), **SAID[verdict])
        item = self.items[run]
        item.active.discard(person)
        item.said[person] = verdict
        item.over = len(item.said) == self.wanted
        assert (made.blind is None) == item.over
        self.made[pair] = made

    @rule(end=st.sampled_from(["release", "skip", "run_out"]), data=st.data())
    def give_back(self, end: str, data: st.DataObject) -> None:
        """A claim that ends without an answer, noticed at once."""
        pair = self.chosen(self.claims, data)
        if pair is None:
            return
        person, run = pair
        claim = self.claims.pop(pair)
        if end == "run_out":
            self.desk.run_out(claim)
        else:
            {"release": self.desk.release, "skip": self.desk.skip}[end](self.people[person], claim)
        self.items[run].active.discard(person)

    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        """Who spoke takes it back: before the end another is needed, afterwards the others stand."""
        pair = self.chosen(self.made, data)
        if pair is None or self.items[pair[1]].decided:
            return
        person, run = pair
        self.desk.remove(self.people[person], self.made.pop(pair))
        del self.items[run].said[person]

    @rule(verdict=verdicts, data=st.data())
    def think_again(self, verdict: str, data: st.DataObject) -> None:
        """Who spoke says something else: it stands in the place of the first, and is as blind."""
        pair = self.chosen(self.made, data)
        if pair is None or self.items[pair[1]].decided:
            return
        person, run = pair
        newer = self.desk.correct(self.people[person], run, **SAID[verdict])
        assert (newer.blind is None) == self.items[run].over
        self.made[pair] = newer
        self.items[run].said[person] = verdict

    @rule(verdict=verdicts, data=st.data())
    def decide(self, verdict: str, data: st.DataObject) -> None:
        """An admin decides what is disagreed on."""
        open_ones = sorted(run for run, item in self.items.items() if item.state() == "disagreed")
        if open_ones:
            run = data.draw(st.sampled_from(open_ones))
            self.desk.adjudicate(self.desk.admin, self.queue, run, **SAID[verdict])
            self.items[run].decided = True

    @invariant()
    def it_is_as_the_model_says(self) -> None:
        """Every item stands where it should, and the counts are those of the items."""
        begun = {run: item for run, item in self.items.items() if item.begun}
        states = [item.state() for item in begun.values()]
        kept = self.desk.items(self.queue)
        assert {run: item.state for run, item in kept.items()} == {run: i.state() for run, i in begun.items()}
        assert self.desk.counts(self.queue) == {state: states.count(state) for state in set(states)}

    @invariant()
    def nobody_sees_what_another_says_too_early(self) -> None:
        """Each finds its own corrections, and those of others where all have spoken."""
        for number, person in enumerate(self.people):
            seen = self.desk.seen(person)
            for (other, run), made in self.made.items():
                assert (made.id in seen) == (other == number or self.items[run].over)


@pytest.mark.timeout(240)
def test_three_reviewers_and_an_admin_find_what_the_model_says(ledger: Ledger) -> None:
    Reviewing.ledger = ledger
    run_state_machine_as_test(
        Reviewing,
        settings=settings(
            max_examples=15,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
