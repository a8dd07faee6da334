"""Whatever persons and assistants do to lessons, in whatever order, the ledger is what a small model says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
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

from setright import lessons
from setright.kernel.errors import Refusal
from setright.lessons import STATUSES, Asked, Lesson
from tests.lessons.teaching import Teaching
from tests.lessons.test_life import BY_ASSISTANT, BY_PERSON
from tests.support.ledger import Ledger

RULES = ("Ask before you save.", "Answer in one line.", "Show the diff first.")
IN_FORCE = {"adopted", "verified", "recurred"}
_NUMBERS = count(1)
statuses = st.sampled_from(STATUSES)
people = st.booleans()
texts = st.sampled_from(RULES)
places = st.integers(0, 50)


def refused(work: Callable[[], object]) -> str | None:
    """The code with which something is refused, None when it is done."""
    try:
        work()
    except Refusal as refusal:
        return refusal.code
    return None


@dataclass
class Known:
    """What the model knows of a lesson."""

    id: str
    rule: str
    status: str = "open"
    broken: int = 0
    verified: bool = False
    ended: bool = False
    root: str | None = None
    words: list[str] = field(default_factory=list[str])


class WholeLife(RuleBasedStateMachine):
    """A person and an assistant who record, decide on and reword lessons of one agent."""

    ledger: Ledger

    @initialize()
    def begin(self) -> None:
        """A tenant with a person and an assistant."""
        self.room = Teaching(self.ledger, self.ledger.tenant())
        self.people = {True: self.room.person, False: self.room.assistant}
        self.known: list[Known] = []

    def _some(self, place: int) -> Known:
        return self.known[place % len(self.known)]

    def _lesson(self, known: Known) -> Lesson:
        return self.room.now_of(known.id)

    @rule(text=texts, by=people)
    def record(self, text: str, by: bool) -> None:
        """Say something: it breaks the oldest rule in force that says the same, if there is one."""
        said = self.room.said(self.people[by], rule=text, session=str(next(_NUMBERS)))
        same = [one for one in self.known if one.status in IN_FORCE and one.rule == text]
        made = Known(said.lesson.id, text, words=[text])
        if same:
            earlier = min(same, key=lambda one: one.id)
            earlier.status, earlier.broken = "recurred", earlier.broken + 1
            made.status, made.root = "duplicate", earlier.id
        self.known.append(made)
        assert said.created
        assert (None if said.recurrence_of is None else said.recurrence_of.id) == made.root

    @precondition(lambda self: self.known)
    @rule(place=places, end=statuses, other=places, by=people)
    def move(self, place: int, end: str, other: int, by: bool) -> None:
        """Move a lesson to any status, be it open from there or not."""
        one, root = self._some(place), self._some(other)
        wanted = {"duplicateOf": root.id} if end == "duplicate" else {}
        code = self._refused(one, end, root, by)
        before = self._lesson(one)
        told = refused(lambda: self.room.moved(before, end, self.people[by], **wanted))
        assert told == code, (one, end, by)
        if told is None:
            self._moves(one, end, root, by)
        else:
            assert self._lesson(one) == before

    def _refused(self, one: Known, end: str, root: Known, by: bool) -> str | None:
        """The code with which a move is refused, None when it is made or changes nothing."""
        to = root.root or root.id
        if end == one.status and (end != "duplicate" or to == one.root):
            return None
        if end not in BY_PERSON[one.status]:
            return "lesson-move-refused"
        if not by:
            undone = one.status == "recurred" and one.verified
            closed = end not in BY_ASSISTANT[one.status] or undone
            if closed or (end == "adopted" and one.status == "open" and one.ended):
                return "person-needed"
        return "duplicate-cycle" if end == "duplicate" and to == one.id else None

    def _moves(self, one: Known, end: str, root: Known, by: bool) -> None:
        if end == one.status:
            return
        one.status = end
        one.root = (root.root or root.id) if end == "duplicate" else None
        if end == "recurred":
            one.broken += 1
        elif end == "verified":
            one.verified = True
        elif end == "adopted":
            one.verified = one.ended = False
        elif end == "open":
            one.verified, one.ended = False, one.ended and not by
        elif end in ("dismissed", "retired"):
            one.ended = True
        for follower in self.known:
            if one.root is not None and follower.root == one.id:
                follower.root = one.root

    @precondition(lambda self: self.known)
    @rule(place=places, text=texts, by=people)
    def reword(self, place: int, text: str, by: bool) -> None:
        """Put a rule in other words, unless an assistant does so to what a person verified."""
        one = self._some(place)
        closed = not by and one.verified and text != one.rule
        told = refused(lambda: self.room.change(self._lesson(one), self.people[by], rule=text))
        assert told == ("person-needed" if closed else None)
        if told is None and text != one.rule:
            one.rule = text
            one.words.append(text)

    @invariant()
    def every_lesson_stands_where_the_model_says(self) -> None:
        """Status, counter, root and rule are those of the model, and every wording is kept."""
        for one in getattr(self, "known", []):
            now = self._lesson(one)
            assert (now.status, now.broken_again, now.duplicate_of) == (one.status, one.broken, one.root)
            assert (now.rule, now.verified is not None, now.ended) == (one.rule, one.verified, one.ended)

    @invariant()
    def the_briefing_is_what_is_in_force(self) -> None:
        """Every rule in force is told, and no other; what is counted is what is there."""
        if not getattr(self, "known", []):
            return
        told = self.room.ask(lambda at: lessons.read_briefing(at, Asked("Writer", budget=100_000)))
        assert {rule.id for rule in told.rules} == {one.id for one in self.known if one.status in IN_FORCE}
        assert told.left_out == 0

    def teardown(self) -> None:
        """Every wording of every rule stands in its history."""
        for one in getattr(self, "known", []):
            page = self.room.ask(lambda at, one=one: lessons.lesson_history(at, one.id))
            told: list[Any] = [event.wording.rule for event in page.data if event.wording is not None]
            assert told == one.words


def test_the_ledger_is_what_the_model_says(ledger: Ledger) -> None:
    WholeLife.ledger = ledger
    run_state_machine_as_test(
        WholeLife,
        settings=settings(
            max_examples=12,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
