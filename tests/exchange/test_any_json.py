"""Whatever stands in a file, a reader gives runs that can be recorded and says what it could not read."""

import copy
import io
import json
from contextlib import suppress
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setright.exchange import FORMATS, Ahead, Into, ReadRun, Unread, by_mapping, recognise
from setright.exchange import Mapping as RunMapping
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.runs import NewRun
from tests.exchange.foreign import FILES, lines

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
MAPPING = validate(
    RunMapping,
    {
        "id": "/id",
        "messages": "/messages",
        "calls": {"at": "/calls", "tool": "/name", "args": "/args", "error": "/error", "startedAt": "/at"},
        "tags": ["/tags"],
    },
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value where another one could stand."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = list[tuple[Any, Any]]()
    for key, inner in cast("Any", inside):
        found += [(value, key), *places(inner)]
    return found


@st.composite
def changed(draw: st.DrawFn, name: str) -> list[Any]:
    """A file of a format in which a few values are others, or are missing."""
    rows = copy.deepcopy(list(FILES[name]))
    for _ in range(draw(st.integers(1, 4))):
        if not (there := places(rows)):
            break
        holder, key = draw(st.sampled_from(there))
        try:
            if draw(st.booleans()):
                holder[key] = draw(VALUES)
            else:
                del holder[key]
        except (KeyError, IndexError):
            continue
    return rows


def recorded(name: str, found: Any) -> None:
    for one in found:
        assert isinstance(one, ReadRun | Unread)
        if isinstance(one, Unread):
            assert one.place
            assert one.reason
            continue
        # A name may be too odd to be kept: the import tells it of the run, and goes on.
        with suppress(Refusal):
            validate(NewRun, Into(name, "default", None if one.agent else "desk").body(one))


@pytest.mark.parametrize("name", FILES)
@settings(deadline=None)
@given(data=st.data())
def test_a_file_that_is_odd_somewhere_is_read_as_far_as_it_goes(name: str, data: st.DataObject) -> None:
    rows = data.draw(changed(name))
    recorded(name, FORMATS[name].read(io.BytesIO(lines(*rows))))


@settings(deadline=None)
@given(rows=st.lists(VALUES, max_size=4))
def test_any_values_are_read_or_told_by_every_format(rows: list[Any]) -> None:
    raw = lines(*rows)
    for name, known in FORMATS.items():
        recorded(name, known.read(io.BytesIO(raw)))
    recorded("jsonl", by_mapping(MAPPING).read(io.BytesIO(raw)))
    recognise(Ahead(io.BytesIO(raw)))


@settings(deadline=None)
@given(raw=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_read_or_told_by_every_format(raw: bytes) -> None:
    for name, known in FORMATS.items():
        recorded(name, known.read(io.BytesIO(raw)))
    recognise(Ahead(io.BytesIO(raw)))


@pytest.mark.parametrize("name", FILES)
def test_every_sample_is_recognised_in_every_container(name: str) -> None:
    rows = FILES[name]
    containers = [lines(*rows), json.dumps(rows).encode(), json.dumps(rows, indent=1).encode()]
    if len(rows) == 1:
        containers.append(json.dumps(rows[0], indent=2).encode())
    for raw in containers:
        found = recognise(Ahead(io.BytesIO(raw)))
        assert found is not None
        assert found.name == name


@pytest.mark.parametrize("raw", [b"", b"[]", b"{}", b"[1, 2]", b"hello", b'{"runs": []}\n'])
def test_what_is_of_no_known_format_is_not_guessed(raw: bytes) -> None:
    assert recognise(Ahead(io.BytesIO(raw))) is None
