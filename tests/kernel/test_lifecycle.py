"""A table of moves: what is in it is found, and nothing else."""

import pytest

from setright.kernel.lifecycle import Lifecycle, Move
from tests.support.lives import fresh

MOVES = (
    Move("make", None, "b", "anybody", "made"),
    Move("make", "b", "c", "anybody", "made again"),
    Move("keep", "b", "b", "anybody", "kept"),
    Move("keep", "b", "d", "anybody", "kept another way"),
    Move("end", "d", "e", "anybody", "ended"),
)
LIFE = Lifecycle("thing", ("b", "c", "d", "e"), MOVES)


def test_the_first_move_of_a_verb_from_a_status_is_found() -> None:
    assert LIFE.find("make", None) is MOVES[0]
    assert LIFE.find(str(fresh("make")), fresh("b")) is MOVES[1]
    assert LIFE.find("keep", "b") is MOVES[2]


def test_what_is_not_in_the_table_is_refused() -> None:
    refused = [
        ("end", None),
        ("keep", None),
        ("make", "a"),
        ("make", "c"),
        ("keep", "d"),
        ("a", "b"),
        ("z", "b"),
    ]
    assert [LIFE.find(verb, start) for verb, start in refused] == [None] * len(refused)


def test_the_moves_from_a_status_are_open_to_it() -> None:
    assert LIFE.open_from(None) == [MOVES[0]]
    assert LIFE.open_from(fresh("b")) == [*MOVES[1:4]]
    assert LIFE.open_from("d") == [MOVES[4]]
    assert LIFE.open_from("c") == []


def test_a_move_clears_nothing_and_a_life_has_no_end_unless_the_table_says_so() -> None:
    assert (MOVES[0].clears, LIFE.final) == ((), ())


def test_moves_and_lives_are_never_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        MOVES[0].verb = "break"  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError):
        LIFE.thing = "another"  # pyright: ignore[reportAttributeAccessIssue]
    assert not hasattr(MOVES[0], "__dict__")
    assert not hasattr(LIFE, "__dict__")
