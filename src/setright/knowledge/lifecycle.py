"""Where an annotation stands among its layers, as one pure table of moves, and in which order layers are shown."""

from collections.abc import Sequence

from setright.kernel.lifecycle import Lifecycle, Move
from setright.knowledge.model import Layered, StandingWord, Verdict

_IMPORT = "anyone with knowledge:write"
_CORRECTOR = "anyone with knowledge:write, by correcting an answer that cites it"
_SCHOLAR = "a person with an approved claim to speak as a scholar"
OPEN: tuple[StandingWord, ...] = ("contested", "correction", "accepted", "rejected")
"""The standings that can be decided on: what nobody contests needs no decision."""
UNSAID = 0.5
"""How sure a reading counts where nobody said how sure they were: before a doubtful one, behind a sure one."""


def _contest(start: StandingWord) -> Move:
    return Move("contest", start, "contested", _CORRECTOR, "annotation.contested")


def _decide(start: StandingWord, verb: str, end: Verdict) -> Move:
    return Move(verb, start, end, _SCHOLAR, f"annotation.{end}")


ANNOTATION_LIFE = Lifecycle(
    thing="annotation",
    statuses=("plain", "contested", "correction", "accepted", "rejected"),
    moves=(
        Move("import", None, "plain", _IMPORT, "artifact.recorded"),
        Move("correct", None, "correction", _CORRECTOR, "annotation.contested"),
        *(_contest(start) for start in ("plain", "contested", "correction", "accepted", "rejected")),
        *(_decide(start, "accept", "accepted") for start in OPEN),
        *(_decide(start, "reject", "rejected") for start in OPEN),
    ),
)


def standing(layered: Layered) -> StandingWord:
    """Where an annotation stands: what was said of it last counts, a later layer or a decision."""
    decision = layered.newest_decision
    contested_at = max((layer.created_at for layer in layered.contested_by), default=None)
    if decision is not None and (contested_at is None or decision.created_at > contested_at):
        return decision.verdict
    if contested_at is not None:
        return "contested"
    return "correction" if layered.annotation.contests else "plain"


def in_order(layers: Sequence[Layered]) -> list[Layered]:
    """The layers of one target and field as they are shown beside one another.

    Accepted ones first, then corrections that nobody contests from the newest on, then the rest by confidence and age,
    rejected ones last.
    """
    return sorted(layers, key=_place)


def place_among(where: str, confidence: float | None, made: int, name: str) -> tuple[float, float, int, str]:
    """Where something that is said of a target and field comes among what else is, by its standing."""
    if where in ("accepted", "correction"):
        return _FIRST[where], 0, -made, name
    if where == "rejected":
        return _LAST, 0, made, name
    return _BETWEEN, -(UNSAID if confidence is None else confidence), made, name


_FIRST = {"accepted": 0, "correction": 1}
_BETWEEN, _LAST = 2, 3


def _place(layered: Layered) -> tuple[float, float, int, str]:
    said = layered.annotation
    return place_among(standing(layered), said.confidence, said.created_at, said.id)
