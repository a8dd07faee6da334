"""Whatever JSON is accepted comes back with equal values and the same order of keys, on both engines."""

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from setright.kernel import json
from setright.kernel.errors import InvalidBody
from setright.kernel.fields import validate
from setright.kernel.ids import looks_like_ours
from setright.runs import NewRun
from tests.runs.support import append, body, call, finish, read, record
from tests.support.ledger import Ledger

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
NUMBERS = (
    st.integers(-json.MAX_INTEGER, json.MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([1e22, -0.0, 0.1, 5e-324, 1.7976931348623157e308, 9007199254740993.0])
)
KEYS = TEXT | st.sampled_from(["", "a.b", "a/b", "~1", "$ref", "__proto__", "\\u0000", "a b", "é", "é"])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)
SLOWLY = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def same(one: Any, other: Any) -> bool:
    """Equal as JSON, types and signs and the order of keys included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return one == other and math.copysign(1, one) == math.copysign(1, other)
    return one == other


def deep(levels: int) -> Any:
    """A value nested so deeply."""
    value: Any = "bottom"
    for level in range(levels):
        value = [value] if level % 2 else {"down": value}
    return value


def check_run(ledger: Ledger, given_input: Any, args: dict[str, Any], result: Any, output: Any) -> None:
    """Send a run through the wire's own reader, and read it back."""
    admin = ledger.tenant().admin
    sent = {
        "id": "r",
        "input": given_input,
        "messages": [{"role": "user", "content": result, "more": args}],
        "calls": [call("t") | {"args": args, "result": result, "error": output}],
    }
    wire: Any = json.read(json.write(sent))
    record(ledger, admin, **wire)
    append(ledger, admin, "r", 1, *wire["calls"])
    finish(ledger, admin, "r", **json.read(json.write({"output": output, "messages": sent["messages"]})))
    found = read(ledger, admin, "r")
    assert found.content is not None
    assert same(found.content.input, given_input)
    assert same(found.content.messages, sent["messages"] * 2)
    assert same(found.content.output, output)
    assert same(found.calls, sent["calls"] * 2)
    assert found.content.answer == (output if isinstance(output, str) else None)


@given(VALUES, OBJECTS, VALUES, VALUES)
@example({"a.b": {"": -0.0}}, {"~/": 1e22}, "\\u0000", "x" * 1_000_000)
@example(deep(98), {}, deep(95), deep(97))
@example(None, {"b": 1, "a": 1.0}, [True, 1], None)
@SLOWLY
def test_a_run_comes_back_exactly(
    ledger: Ledger, given_input: Any, args: dict[str, Any], result: Any, output: Any
) -> None:
    check_run(ledger, given_input, args, result, output)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=210))
@example("a\u2028b")
@example("run_01ARZ3NDEKTSV4RRFFQ69G5FAV")
@example("ﬁ")
@SLOWLY
def test_an_id_is_kept_as_written_or_refused(ledger: Ledger, run_id: str) -> None:
    admin = ledger.tenant().admin
    printable = not any(ord(one) < 32 or 127 <= ord(one) < 160 for one in run_id)
    good = 1 <= len(run_id) <= 200 and printable and run_id not in (".", "..") and not looks_like_ours(run_id)
    if not good:
        with pytest.raises(InvalidBody, match="/id"):
            validate(NewRun, body(id=run_id))
        return
    assert record(ledger, admin, id=run_id).run.id == run_id
    assert read(ledger, admin, run_id).run.id == run_id
