"""What an answer rests on: facts, numbered citations of them, and whether a sentence says what it cites; pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from setright.kernel.visible import visible

StandingWord = Literal["plain", "contested", "correction", "accepted", "rejected"]

NOTHING = "Nothing that can be cited is known of this."
"""What a summary says that has no sentence."""

_MARK = re.compile(r"(?<!\\)\[([1-9][0-9]{0,8})\]")
_LIKE_A_MARK = re.compile(r"(\\*)(\[[0-9]+\])")


@dataclass(frozen=True, slots=True)
class Fact:
    """One annotation as an answer tells it; `line` is its line's target and `position` its token's, "" and 0 without.

    `made` is in microseconds, `source` who said it (a corpus, a model, user-correction), `scholar` a name. `decided` and
    `decided_by` are of the decision on it.
    """

    annotation_id: str
    artifact_id: str
    target: str
    line: str
    position: int
    field: str
    value: str
    source: str
    made: int
    standing: StandingWord = "plain"
    scholar_id: int | None = None
    scholar: str | None = None
    evidence: str | None = None
    confidence: float | None = None
    extent: str | None = None
    decided: str | None = None
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A fact under the number by which sentences cite it."""

    n: int
    fact: Fact


class Citations:
    """The citations of one answer, numbered from 1 in the order in which they are first cited."""

    def __init__(self) -> None:
        self._by_annotation: dict[str, Citation] = {}

    def cite(self, fact: Fact) -> int:
        """The number of a fact, the same each time."""
        known = self._by_annotation.get(fact.annotation_id)
        if known is None:
            known = Citation(len(self._by_annotation) + 1, fact)
            self._by_annotation[fact.annotation_id] = known
        return known.n

    @property
    def all(self) -> tuple[Citation, ...]:
        """Every citation by its number."""
        return tuple(self._by_annotation.values())


def shown(text: str) -> str:
    """A text of others as it stands in a sentence: what is visible of it, and `[7]` in it is no citation."""
    return _LIKE_A_MARK.sub(lambda at: f"{at[1] * 2}\\{at[2]}", visible(text))


def words_of(text: str) -> str:
    """The visible words in what `shown` made of them."""
    return _LIKE_A_MARK.sub(lambda at: at[1][: len(at[1]) // 2] + at[2], text)


def cited(sentence: str) -> tuple[int, ...]:
    """The numbers that a sentence cites, in order."""
    return tuple(int(number) for number in _MARK.findall(sentence))


def is_supported(sentence: str, citations: Mapping[int, str]) -> bool:
    """Whether a sentence cites, cites only what is there, and holds the value of each citation word for word."""
    numbers = cited(sentence)
    return bool(numbers) and all(n in citations and shown(citations[n]) in sentence for n in numbers)


def summary_of(sentences: Sequence[str], citations: Sequence[Citation]) -> str:
    """The sentences that are supported, one to a line; what is not supported is not served."""
    values = {citation.n: citation.fact.value for citation in citations}
    kept = [sentence for sentence in sentences if "\n" not in sentence and is_supported(sentence, values)]
    return "\n".join(kept) or NOTHING
