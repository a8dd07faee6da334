"""The life of a lesson as a table: every status with every other one, for persons and for assistants."""

from itertools import product

import pytest

from setright.lessons import LESSON_LIFE, STATUSES
from setright.lessons.lifecycle import IN_FORCE, VERBS, Standing, may, open_to

BY_PERSON = {
    "open": {"adopted", "duplicate", "dismissed"},
    "adopted": {"verified", "recurred", "duplicate", "open", "dismissed", "retired"},
    "verified": {"recurred", "duplicate", "open", "dismissed", "retired"},
    "recurred": {"adopted", "verified", "duplicate", "open", "dismissed", "retired"},
    "dismissed": {"open", "adopted"},
    "retired": {"open", "adopted"},
    "duplicate": {"open"},
}
BY_ASSISTANT = {
    "open": {"adopted", "duplicate"},
    "adopted": {"recurred", "duplicate", "open"},
    "verified": {"recurred"},
    "recurred": {"adopted", "duplicate", "open"},
    "dismissed": {"open"},
    "retired": {"open"},
    "duplicate": {"open"},
}


@pytest.mark.parametrize("status", STATUSES)
def test_what_is_open_from_each_status(status: str) -> None:
    assert set(open_to(Standing(status), is_person=True)) == BY_PERSON[status]
    assert set(open_to(Standing(status), is_person=False)) == BY_ASSISTANT[status]


def test_what_a_person_verified_only_a_person_undoes() -> None:
    verified = Standing("recurred", verified=True)
    assert open_to(verified, is_person=False) == []
    assert set(open_to(verified, is_person=True)) == BY_PERSON["recurred"]


def test_what_a_person_ended_only_a_person_adopts_again() -> None:
    reopened = Standing("open", ended=True)
    assert set(open_to(reopened, is_person=False)) == {"duplicate"}
    assert "adopted" in open_to(reopened, is_person=True)


@pytest.mark.parametrize(("start", "end"), [*product(STATUSES, STATUSES)])
def test_every_pair_is_one_move_or_none(start: str, end: str) -> None:
    found = [move for move in LESSON_LIFE.moves if (move.start, move.end) == (start, end) and start != end]
    assert len(found) == int(end in BY_PERSON[start])
    for move in found:
        assert move.verb == VERBS[end]
        assert may(move, Standing(start), is_person=True)


def test_rules_in_force_are_those_that_somebody_adopted() -> None:
    assert set(IN_FORCE) == {"adopted", "verified", "recurred"}
