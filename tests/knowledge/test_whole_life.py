"""Whatever is imported, asked and corrected, in whatever order, kept answers are what a small model says."""

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

from setright.knowledge import Annotation, Answered
from setright.knowledge.citing import is_supported
from tests.knowledge.reading_room import ReadingRoom, a_line, a_text, a_token
from tests.support.ledger import Ledger

artifacts = st.sampled_from(["P1", "P2"])
sources = st.sampled_from(["ours", "theirs"])
labels = st.sampled_from(["1", "2"])
foci = st.sampled_from(["", "o.1", "o.2", "king"])
values = st.one_of(
    st.sampled_from(["king", "owner", "house", "king [1].", "a\nb", "\u201c[2]\u201d"]),
    st.text("ab[]12. \u201d", min_size=1, max_size=6).filter(lambda text: text.strip() != ""),
)
places = st.integers(0, 50)


@dataclass
class Kept:
    """What the model knows of a kept answer: what it cites, and whether something of that was contested since."""

    generated: str
    cited: frozenset[str]
    touched: set[str] = field(default_factory=set[str])

    @property
    def is_stale(self) -> bool:
        """Whether it must be composed anew."""
        return not self.cited.isdisjoint(self.touched)


class WholeLife(RuleBasedStateMachine):
    """A tenant in which texts are imported from two sources, asked about and corrected."""

    ledger: Ledger

    @initialize()
    def begin(self) -> None:
        """A tenant without texts."""
        self.room = ReadingRoom(self.ledger, self.ledger.tenant())
        self.said: dict[str, dict[str, Annotation]] = {}
        self.kept: dict[tuple[str, str], Kept] = {}
        self.answers: list[Answered] = []

    def _now(self, artifact_id: str) -> dict[str, Annotation]:
        return {one.annotation.id: one.annotation for one in self.room.layers(artifact_id)}

    def _touch(self, artifact_id: str, touched: set[str]) -> None:
        for (of, _), kept in self.kept.items():
            if of == artifact_id:
                kept.touched |= touched

    @rule(artifact=artifacts, source=sources, label=labels, value=values)
    def bring(self, artifact: str, source: str, label: str, value: str) -> None:
        """Import a text of one line: other values for what is there stand beside, and the whole is told anew."""
        before = self.said.get(artifact, {})
        lines = [a_line(label, a_token("lu\u2082-gal", sense=value), translation="The king.")]
        added = self.room.keep(a_text(artifact, lines, source=source)).added
        now = self._now(artifact)
        new = [one for name, one in now.items() if name not in before]
        assert len(new) == added.annotations
        beside = {
            old.id
            for one in new
            for old in before.values()
            if (old.target, old.field) == (one.target, one.field) and old.value != one.value
        }
        something = bool(added.annotations or added.lines or added.tokens)
        whole = {old.id for old in before.values() if old.target == ""} if something else set[str]()
        self._touch(artifact, beside | whole)
        self.said[artifact] = now

    @precondition(lambda self: self.said)
    @rule(place=places, focus=foci)
    def summarize(self, place: int, focus: str) -> None:
        """Ask for a summary."""
        self._summary(sorted(self.said)[place % len(self.said)], focus)

    def _summary(self, artifact: str, focus: str) -> None:
        """Ask for a summary: composed anew if and only if something that it cites was contested since."""
        answer = self.room.summary(artifact, focus)
        known = self.kept.get((artifact, focus))
        if known is not None and not known.is_stale:
            assert answer.told["generatedAt"] == known.generated
        else:
            assert known is None or answer.told["generatedAt"] > known.generated
            self.kept[artifact, focus] = Kept(answer.told["generatedAt"], self._cited(answer))
        assert self.kept[artifact, focus].cited == self._cited(answer)
        self._heard(answer)

    @precondition(lambda self: self.said)
    @rule(place=places)
    def interpret(self, place: int) -> None:
        """Ask about a word."""
        artifact = sorted(self.said)[place % len(self.said)]
        words = sorted({one.target for one in self.said[artifact].values() if one.field == "sense"})
        self._heard(self.room.word(words[place % len(words)], artifact))

    @rule(q=values)
    def search(self, q: str) -> None:
        """Search for anything."""
        self._heard(self.room.search(q))

    @precondition(lambda self: self.answers)
    @rule(place=places, right=values, again=st.booleans())
    def correct(self, place: int, right: str, again: bool) -> None:
        """Correct an answer in one of the values that it cites, and perhaps ask everything again at once."""
        answer = self.answers[place % len(self.answers)]
        cited = answer.told["citations"]
        claim = cited[place % len(cited)]["value"] if cited else "it is wrong"
        corrected = self.room.corrected(answer.interaction, claim, right)
        for one in corrected.made:
            if one.id not in self.said[one.artifact_id]:
                self._touch(one.artifact_id, set(one.contests))
        for artifact in self.said:
            now = self._now(artifact)
            assert self.said[artifact].items() <= now.items()
            self.said[artifact] = now
        for artifact, focus in [*self.kept] if again else ():
            self._summary(artifact, focus)

    @invariant()
    def nothing_disappears(self) -> None:
        """What was said once is there, as it was said."""
        for artifact, before in self.said.items():
            assert before.items() <= self._now(artifact).items()

    def _cited(self, answer: Answered) -> frozenset[str]:
        return frozenset(one["annotationId"] for one in answer.told["citations"])

    def _heard(self, answer: Answered) -> None:
        told: dict[str, Any] = answer.told
        values = {one["n"]: one["value"] for one in told["citations"]}
        if values:
            assert all(is_supported(sentence, values) for sentence in told["summary"].splitlines())
        assert told["sources"]
        self.answers.append(answer)


def test_the_whole_life_is_what_the_model_says(ledger: Ledger) -> None:
    machine = type("WholeLifeHere", (WholeLife,), {"ledger": ledger})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=25,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
