"""The model of the extra `embed`: what it makes of texts, and comparing many at once; it fetches nothing."""

import socket

import numpy as np
import pytest

from setright.outside.embedding import SIZE, Matrix, StaticModel

TEXTS = (
    "king of the land, ruler",
    "delivery of sheep and goats",
    "torque of the lid",
    "The wise house of the temple",
)


@pytest.fixture(scope="module")
def model() -> StaticModel:
    """The model."""
    made = StaticModel()
    made.load()
    return made


def matrix_of(model: StaticModel, *texts: str) -> Matrix:
    """The vectors of these texts, each under its own place."""
    matrix = Matrix()
    for place, vector in enumerate(model.vectors(texts)):
        matrix.put(("P1", place), vector)
    return matrix


@pytest.mark.parametrize(
    ("asked", "place"), [("monarch", 0), ("livestock", 1), ("tightening force", 2), ("sanctuary", 3)]
)
def test_what_means_alike_is_nearest(model: StaticModel, asked: str, place: int) -> None:
    found = matrix_of(model, *TEXTS).nearest(model.vector(asked), 4, -1)
    assert found[0][0] == ("P1", place)


def test_the_same_text_is_one_and_what_is_far_is_left_out(model: StaticModel) -> None:
    [(key, alike)] = matrix_of(model, *TEXTS).nearest(model.vector(TEXTS[0]), 4, 0.9)
    assert key == ("P1", 0)
    assert alike == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("text", ["", "\0", "\u202e", "x" * 100_000, "\U0001f600" * 50, "lu\u2082-gal"])
def test_any_text_has_a_vector_of_the_size_or_none(model: StaticModel, text: str) -> None:
    [vector] = model.vectors([text])
    assert len(vector) in (0, SIZE)


def test_a_text_without_anything_is_near_to_nothing(model: StaticModel) -> None:
    assert model.vectors([""]) == [b""]
    matrix = matrix_of(model, "", TEXTS[0])
    assert [key for key, _ in matrix.nearest(model.vector(TEXTS[0]), 2, 0.2)] == [("P1", 1)]
    assert matrix.nearest(model.vector(""), 2, 0.2) == []


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert len(StaticModel().vectors(["king"])[0]) == SIZE


def test_many_are_compared_as_few_are() -> None:
    chance = np.random.default_rng(7)
    rows = chance.integers(-127, 128, (40_000, SIZE), dtype=np.int8)
    matrix = Matrix()
    for place, row in enumerate(rows):
        matrix.put(("P", place), row.tobytes())
    asked = chance.random(SIZE, dtype=np.float32) - np.float32(0.5)
    exact = rows.astype(np.float32) @ asked
    found = [key[1] for key, _ in matrix.nearest(asked, 20, -1e9)]
    assert found == np.argsort(-exact)[:20].tolist()
    assert len(matrix) == len(rows)


def test_a_vector_takes_the_place_of_the_one_before(model: StaticModel) -> None:
    matrix = matrix_of(model, TEXTS[0])
    matrix.put(("P1", 0), model.vectors([TEXTS[1]])[0])
    assert len(matrix) == 1
    assert matrix.nearest(model.vector("monarch"), 1, 0.3) == []
    matrix.put(("P1", 0), b"")
    assert matrix.nearest(model.vector("livestock"), 1, 0.1) == []
