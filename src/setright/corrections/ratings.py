"""What raters say of a run, and what that adds to the kept figures of agreement; pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from setright.corrections.model import Correction

ASPECTS = ("decisions", "answer", "items")
MOST_PAIRED = 16
"""A run with more raters than this counts in no pair, so that a crowd costs a rater no more than a few do."""

Unit = tuple[str, str]
"""What can be right or wrong in a run: the key of an item, empty but for items, and the aspect."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What one rater says of a run: for each unit whether it was right. A rater is a caller, for a participant or not."""

    rater: str
    expert: bool
    verdicts: Mapping[Unit, bool]


@dataclass(frozen=True, slots=True)
class Votes:
    """How many raters of a unit say right and how many wrong, and how many of them are experts."""

    rights: int = 0
    wrongs: int = 0
    expert_rights: int = 0
    expert_wrongs: int = 0

    def with_vote(self, right: bool, expert: bool, times: int) -> "Votes":
        """With one vote more, or one less when `times` is -1."""
        return Votes(
            self.rights + times * right,
            self.wrongs + times * (not right),
            self.expert_rights + times * (expert and right),
            self.expert_wrongs + times * (expert and not right),
        )

    def figures(self) -> tuple[tuple[int, int], list[int]] | None:
        """How many raters and experts the unit has, and its amounts in `agreement_counts`; None below two raters."""
        raters, experts = self.rights + self.wrongs, self.expert_rights + self.expert_wrongs
        if raters < 2:
            return None
        others = self.rights - self.expert_rights, self.wrongs - self.expert_wrongs
        views = (self.rights, self.wrongs), (self.expert_rights, self.expert_wrongs), others
        amounts = [1]
        for rights, wrongs in views:
            amounts += [int(rights * wrongs == 0), rights, rights * wrongs]
        return (raters, experts), amounts


NO_VOTES = Votes()


def rating_of(made: Correction | None) -> Rating | None:
    """What a correction rates; one that does not stand, or that is blind, rates nothing."""
    if made is None or made.superseded_by is not None or made.blind is not None or made.status == "removed":
        return None
    rater = rater_of(made.made_by_kind, made.made_by_id, made.participant_id or "")
    return Rating(rater, made.expert, verdicts_in(made.decisions, made.answer, made.said.get("items", ())))


def rater_of(kind: str, principal_id: str, participant: str) -> str:
    """A rater as one text, `user:usr_…` or `service:tok_…/participant`; no id of a caller has a slash in it."""
    return f"{kind}:{principal_id}/{participant}" if participant else f"{kind}:{principal_id}"


def verdicts_in(
    decisions: str | None, answer: str | None, items: Iterable[Mapping[str, str]]
) -> dict[Unit, bool]:
    """The verdicts of a correction by unit."""
    found: dict[Unit, bool] = {}
    if decisions is not None:
        found["", "decisions"] = decisions == "right"
    if answer is not None:
        found["", "answer"] = answer == "right"
    for item in items:
        found[item["key"], "items"] = item["verdict"] == "right"
    return found


def pairs_among(ratings: Iterable[Rating]) -> Iterable[tuple[tuple[str, str, int], list[int]]]:
    """For each two raters who judged something in common: the pair, and its amounts in `agreement_pairs`."""
    for one, other in combinations(sorted(ratings, key=lambda rating: rating.rater), 2):
        amounts = [0] * (4 * len(ASPECTS))
        for unit, right in one.verdicts.items():
            also = other.verdicts.get(unit)
            if also is not None:
                amounts[4 * ASPECTS.index(unit[1]) + 2 * (not right) + (not also)] += 1
        if any(amounts):
            yield (one.rater, other.rater, one.expert + 2 * other.expert), amounts
