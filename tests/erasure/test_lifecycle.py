"""The whole lives of erasures and legal holds, move by move."""

import pytest

from setright.erasure.lifecycle import ERASURE_LIFE, HOLD_LIFE
from setright.kernel.lifecycle import Lifecycle
from tests.support.lives import fresh, told

ERASURE = """\
erasure: running, done, blocked
final: done, blocked
ask: erasure.asked
    nothing > running
finish: erasure.done
    running > done
block: erasure.blocked
    running > blocked"""

HOLD = """\
legal hold: placed, released
final: released
place: legal-hold.placed
    nothing > placed
release: legal-hold.released
    placed > released"""


@pytest.mark.parametrize(("life", "whole"), [(ERASURE_LIFE, ERASURE), (HOLD_LIFE, HOLD)])
def test_the_whole_life(life: Lifecycle, whole: str) -> None:
    assert told(life) == whole


@pytest.mark.parametrize("life", [ERASURE_LIFE, HOLD_LIFE])
def test_who_may_is_said_of_every_move(life: Lifecycle) -> None:
    who = [(move.verb, move.who) for move in life.moves]
    assert dict(who) in (
        {
            "ask": "an admin of the tenant",
            "finish": "the erasure itself",
            "block": "a legal hold that came meanwhile",
        },
        {"place": "an admin of the tenant", "release": "an admin of the tenant"},
    )


@pytest.mark.parametrize("verb", ["finish", "block"])
@pytest.mark.parametrize("start", ["done", "blocked"])
def test_nothing_moves_an_erasure_that_ended(verb: str, start: str) -> None:
    assert ERASURE_LIFE.find(fresh(verb) or "", fresh(start)) is None
