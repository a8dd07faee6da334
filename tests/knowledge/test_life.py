"""Where an annotation stands, by every pair of a standing and a verb, and in which order layers are shown."""

from itertools import product

import pytest

from setright.knowledge import ANNOTATION_LIFE

VERBS = ("contest", "accept", "reject")
ENDS = {"contest": "contested", "accept": "accepted", "reject": "rejected"}


@pytest.mark.parametrize(("start", "verb"), [*product(ANNOTATION_LIFE.statuses, VERBS)])
def test_every_pair_of_a_standing_and_a_verb(start: str, verb: str) -> None:
    move = ANNOTATION_LIFE.find(verb, start)
    if start == "plain" and verb != "contest":
        assert move is None
    else:
        assert move is not None
        assert (move.end, move.event) == (ENDS[verb], f"annotation.{ENDS[verb]}")
