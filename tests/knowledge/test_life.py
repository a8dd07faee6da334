"""Where an annotation stands, by every pair of a standing and a verb, and in which order layers are shown."""

from itertools import permutations, product
from typing import Any

import pytest

from setright.knowledge import (
    ANNOTATION_LIFE,
    AnnotationRun,
    Decision,
    Layered,
    Principal,
    in_order,
    standing,
)
from setright.knowledge.lifecycle import OPEN, UNSAID, place_among
from setright.knowledge.model import Annotation
from tests.support.lives import fresh, told

VERBS = ("contest", "accept", "reject")
ENDS = {"contest": "contested", "accept": "accepted", "reject": "rejected"}
WHOLE = """\
annotation: plain, contested, correction, accepted, rejected
final:
import: artifact.recorded
    nothing > plain
correct: annotation.contested
    nothing > correction
contest: annotation.contested
    plain > contested, contested, correction > contested, accepted > contested, rejected > contested
accept: annotation.accepted
    contested > accepted, correction > accepted, accepted, rejected > accepted
reject: annotation.rejected
    contested > rejected, correction > rejected, accepted > rejected, rejected"""
CORRECTOR = "anyone with knowledge:write, by correcting an answer that cites it"
SCHOLAR = "a person with an approved claim to speak as a scholar"
WHO = {
    "import": "anyone with knowledge:write",
    "correct": CORRECTOR,
    "contest": CORRECTOR,
    "accept": SCHOLAR,
    "reject": SCHOLAR,
}
US = Principal("user", "usr_1")


def said(
    name: str, at: int = 1, confidence: float | None = None, contests: tuple[str, ...] = ()
) -> Annotation:
    """An annotation of the first word."""
    return Annotation(name, "P1", "o.1.1", "sense", "king", confidence, None, 1, contests, at)


def layered(
    one: Annotation, over: tuple[int, ...] = (), decided: tuple[tuple[str, int], ...] = ()
) -> Layered:
    """An annotation with layers over it and decisions on it, each by its time."""
    run = AnnotationRun(1, "import", "ours", "atf", None, None, None, "P1", None, US, 1)
    decisions = [made(verdict, at) for verdict, at in decided]
    return Layered(one, run, [said(f"ann_{at}", at, contests=(one.id,)) for at in over], decisions)


def made(verdict: Any, at: int) -> Decision:
    """A decision."""
    return Decision(f"dec_{at}", "ann_1", "P1", fresh(verdict) or "", None, 1, US, at)  # pyright: ignore[reportArgumentType]


def test_the_whole_life() -> None:
    assert told(ANNOTATION_LIFE) == WHOLE
    assert {move.verb: move.who for move in ANNOTATION_LIFE.moves} == WHO
    assert all(move.who == WHO[move.verb] for move in ANNOTATION_LIFE.moves)
    assert OPEN == ("contested", "correction", "accepted", "rejected")


@pytest.mark.parametrize(("start", "verb"), [*product(ANNOTATION_LIFE.statuses, VERBS)])
def test_every_pair_of_a_standing_and_a_verb(start: str, verb: str) -> None:
    move = ANNOTATION_LIFE.find(verb, start)
    if start == "plain" and verb != "contest":
        assert move is None
    else:
        assert move is not None
        assert (move.end, move.event) == (ENDS[verb], f"annotation.{ENDS[verb]}")


@pytest.mark.parametrize(
    ("contests", "over", "decided", "stands"),
    [
        ((), (), (), "plain"),
        (("ann_0",), (), (), "correction"),
        ((), (2,), (), "contested"),
        (("ann_0",), (2,), (), "contested"),
        ((), (2,), (("accepted", 3),), "accepted"),
        ((), (2,), (("rejected", 3),), "rejected"),
        ((), (2, 4), (("accepted", 3),), "contested"),
        ((), (4, 2), (("accepted", 3),), "contested"),
        ((), (3,), (("accepted", 3),), "contested"),
        (("ann_0",), (), (("rejected", 3),), "rejected"),
        ((), (2,), (("accepted", 3), ("rejected", 4)), "rejected"),
    ],
)
def test_what_was_said_last_counts(
    contests: tuple[str, ...], over: tuple[int, ...], decided: tuple[tuple[str, int], ...], stands: str
) -> None:
    assert standing(layered(said("ann_1", contests=contests), over, decided)) == stands


def test_layers_are_shown_in_one_order_however_they_come() -> None:
    shown = [
        layered(said("newer accepted", 7), (8,), (("accepted", 9),)),
        layered(said("accepted", 6), (8,), (("accepted", 9),)),
        layered(said("accepted too", 6), (8,), (("accepted", 9),)),
        layered(said("newer correction", 5, contests=("x",))),
        layered(said("correction", 4, contests=("x",))),
        layered(said("sure", 9, 0.9)),
        layered(said("a said to be half sure", 3, UNSAID)),
        layered(said("b nobody says how sure", 3)),
        layered(said("a contested one, later", 4), (5,)),
        layered(said("doubtful", 1, 0.1)),
        layered(said("wholly doubtful", 1, 0.0)),
        layered(said("rejected", 1, 1.0), (2,), (("rejected", 3),)),
        layered(said("rejected too", 1), (2,), (("rejected", 3),)),
        layered(said("newer rejected", 2), (2,), (("rejected", 3),)),
    ]
    for few in permutations(shown[3:9]):
        assert in_order([*reversed(shown[9:]), *few, *reversed(shown[:3])]) == shown


@pytest.mark.parametrize(
    ("sooner", "later"), [("accepted", "correction"), ("correction", "plain"), ("plain", "rejected")]
)
def test_a_standing_comes_before_how_sure_and_how_old(sooner: str, later: str) -> None:
    assert place_among(fresh(sooner) or "", None, 1, "z") < place_among(fresh(later) or "", 1.0, 2, "a")
    assert place_among(fresh(sooner) or "", None, 2, "z") < place_among(fresh(later) or "", 1.0, 1, "a")


def test_contested_ones_stand_among_plain_ones() -> None:
    assert place_among("contested", 0.4, 5, "a") == place_among("plain", 0.4, 5, "a")
