"""Any value of an agent becomes JSON that the server reads, and what changed is told."""

import json
import math
from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath
from typing import Any
from unittest.mock import MagicMock
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, SecretStr

from setright.client.recording.snapshot import DEEPEST, Changes, snapshot
from setright.kernel import json as strict


class Colour(Enum):
    RED = "red"


@dataclass
class Order:
    number: int
    placed: date


class Model(BaseModel):
    number: int
    at: datetime
    secret: SecretStr = SecretStr("hunter2")


class Odd:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def taken(value: object) -> tuple[Any, Changes]:
    """What the server reads of a value that stands as deep in a run as an argument does."""
    changes = Changes()
    written = snapshot(value, "/here", changes)
    assert b"\n" not in written
    return strict.read(b'{"runs":[{"calls":[{"args":{"x":' + written + b"}}]}]}")["runs"][0]["calls"][0][
        "args"
    ]["x"], changes


NOON = datetime(2026, 12, 1, 13, 0, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("value", "recorded"),
    [
        (NOON, "2026-12-01T12:00:00Z"),
        (datetime(2026, 12, 1, 12, 0), "2026-12-01T12:00:00"),  # noqa: DTZ001 - it has no zone, and that is kept
        (date(2026, 12, 1), "2026-12-01"),
        (timedelta(minutes=2), 120.0),
        (Decimal("1.10"), "1.10"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (PurePosixPath("/a/b"), "/a/b"),
        (Colour.RED, "red"),
        (Order(7, date(2026, 1, 2)), {"number": 7, "placed": "2026-01-02"}),
        (b"text", "text"),
        (b"\xff\x00", {"base64": "/wA="}),
        ({3, 1, 2}, [1, 2, 3]),
        (deque([1, 2]), [1, 2]),
        (ValueError("no"), {"type": "ValueError", "message": "no"}),
        (math.inf, "inf"),
        (2**60, str(2**60)),
        ({1: "a", None: "b"}, {"1": "a", "null": "b"}),
        ({(1, 2): "a"}, {"(1, 2)": "a"}),
        ({1: "a", "1": "b", "x": math.nan}, {"1": "a", "1_": "b", "x": "nan"}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_json_does_not_have_is_said_in_other_words(value: object, recorded: object) -> None:
    found, changes = taken({"deep": [value]})
    assert found == {"deep": [recorded]}
    assert not changes.lost


def test_a_model_is_an_object_and_its_secrets_stay_secret() -> None:
    found, changes = taken(Model(number=1, at=NOON))
    assert (found["number"], found["at"]) == (1, "2026-12-01T12:00:00Z")
    assert "hunter2" not in json.dumps(found)
    assert changes.said[0] == "/here: a Model by its model_dump"


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "ä", [], {}, (1, "a"), OrderedDict(a=1), {"a": [{}]}])
def test_what_json_has_is_as_it_was_and_nothing_is_told(value: object) -> None:
    found, changes = taken(value)
    assert found == (list(value) if isinstance(value, tuple) else value)
    assert (changes.count, changes.said) == (0, [])


@pytest.mark.parametrize(
    ("value", "begins"),
    [(object(), "<object object at"), (Odd(), "<Odd>"), ("a\0b", "a\ufffdb"), ("a\ud800", "a\ufffd")],
)
def test_what_is_lost_is_told_as_lost(value: object, begins: str) -> None:
    found, changes = taken(value)
    assert found.startswith(begins)
    assert changes.lost


def test_a_pair_of_surrogates_is_the_character_that_it_means() -> None:
    assert taken("\ud83d\ude00")[0] == "\U0001f600"


def test_what_holds_itself_ends() -> None:
    ring: list[Any] = [1]
    ring += [ring, {"again": ring}]
    found, changes = taken(ring)
    assert found == [1, "…", {"again": "…"}]
    assert changes.lost


def test_what_answers_to_every_name_ends() -> None:
    assert taken({"tool": MagicMock()})[1].lost


def nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


def test_a_value_may_be_as_deep_as_the_server_reads() -> None:
    assert taken(nested(DEEPEST))[0] == nested(DEEPEST)
    found, changes = taken(nested(DEEPEST + 1))
    assert found != nested(DEEPEST + 1)
    assert changes.lost
    assert taken(nested(100_000))[1].lost


def test_only_the_first_hundred_changes_are_kept_in_words() -> None:
    _, changes = taken([NOON] * 1000)
    assert (changes.count, len(changes.said)) == (1000, 100)


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None))
    | st.binary()
    | st.datetimes()
    | st.decimals()
    | st.sets(st.integers())
    | st.builds(object),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.none() | st.booleans(), inner)
    ),
)


@given(anything)
def test_the_server_reads_whatever_is_written(value: object) -> None:
    taken(value)
