"""Canonical JSON is RFC 8785: equal values have equal bytes, different values have not."""

import json as standard
import random
from typing import Any

import pytest
from hypothesis import assume, given

from setright.kernel.canonical import canonical, digest
from tests.kernel.json_values import values


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([333333333.33333329, 1e30, 4.50, 2e-3, 1e-27], "[333333333.3333333,1e+30,4.5,0.002,1e-27]"),
        ({"b": 1, "a": [None, True, False]}, '{"a":[null,true,false],"b":1}'),
        ({"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\x80": 6, "\xf6": 7},
         '{"\\r":2,"1":4,"\x80":6,"\xf6":7,"\u20ac":1,"\U0001f600":5,"\ufb33":3}'),
        ("\u20ac$\x0f\nA'B\"\\\\\"/", '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
        ([-0.0, 0.0, 1.0, 1e21, 1e20], "[0,0,1,1e+21,100000000000000000000]"),
        ([5e-324, 1.7976931348623157e308], "[5e-324,1.7976931348623157e+308]"),
        (2**53 - 1, "9007199254740991"),
    ],
)  # fmt: skip
def test_the_examples_of_rfc_8785(value: Any, text: str) -> None:
    assert canonical(value).decode() == text


@given(values)
def test_it_is_json_of_the_same_value(value: Any) -> None:
    assert standard.loads(canonical(value), parse_int=float) == as_double(value)


@given(values)
def test_the_order_of_keys_does_not_count(value: Any) -> None:
    assert canonical(shuffled(value)) == canonical(value)
    assert digest(shuffled(value)) == digest(value)


@given(values, values)
def test_different_values_have_different_bytes(one: Any, other: Any) -> None:
    assume(standard.dumps(as_double(one), sort_keys=True) != standard.dumps(as_double(other), sort_keys=True))
    assert canonical(one) != canonical(other)


def shuffled(value: Any) -> Any:
    """The same value with its keys in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.Random(0).shuffle(keys)
        return {key: shuffled(value[key]) for key in keys}
    return [shuffled(inner) for inner in value] if isinstance(value, list) else value


def as_double(value: Any) -> Any:
    """The value with every number as RFC 8785 sees it: a double, without a negative zero."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) + 0.0
    if isinstance(value, dict):
        return {key: as_double(inner) for key, inner in value.items()}
    return [as_double(inner) for inner in value] if isinstance(value, list) else value
