"""What is put into a JSON text is taken out again to the byte, and nothing else ever moves."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from setright.hooks import surgery
from setright.hooks.scan import NotJson, scan

SERVER = {"command": "setright", "args": ["mcp"]}
GROUP = {"matcher": "startup", "hooks": [{"type": "command", "command": "setright brief --agent a"}]}
SERVERS = ["mcpServers", "corrections"]
HOOKS = ["hooks", "SessionStart", surgery.APPEND]


def is_server(value: Any) -> bool:
    return isinstance(value, dict) and value.get("command") == "setright"


def is_group(value: Any) -> bool:
    return isinstance(value, dict) and value.get("matcher") == "startup"


TEXTS = [
    "",
    " ",
    "\n",
    "\n\n\t",
    "// only a comment",
    "// only a comment\n",
    "// only a comment\r\n// and another",
    "/* a comment */",
    "\ufeff",
    "\ufeff{}",
    "{}",
    "{ }",
    "{  }",
    "{   }",
    "{\n}",
    "{\n}\n",
    "{\r\n}\r\n",
    "{ // nothing yet\n}",
    '{"a": 1}',
    '{"a": 1,}',
    '{"a":1 }',
    '{"a": 1 /* one */}',
    '{"a": 1 // one\n}',
    '{\n  "a": 1\n}',
    '{\n  "a": 1\n}\n',
    '{\n  "a": 1,\n}\n',
    '{\n\t"a": 1\n}\n',
    '{\r\n    "a": 1\r\n}',
    '{\n  "a": 1 // note\n}\n',
    '{\n  "a": 1, // note\n}\n',
    '{\n  "a": 1 /* x */ , /* y */ // z\n\n  // last words\n}\n',
    '{\n  // first\n  "a": {"b": [1, 2, {"c": null}]}\n  /* end */\n}\n// after\n',
    '{"mcpServers": {}}',
    '{"mcpServers": { }, "hooks": {}}',
    '{\n  "mcpServers": {\n  }\n}\n',
    '{\n  "mcpServers": {\n    "other": {"command": "x"}\n  },\n  "hooks": {"SessionStart": []}\n}\n',
    '{\n  "hooks": {\n    "SessionStart": [\n      {"matcher": "x", "hooks": []}\n    ],\n    "Stop": []\n  }\n}\n',
    '{"hooks": {"SessionStart": [{"matcher": "x", "hooks": []}], "PreToolUse": []}}',
    '{\n"hooks": {\n"SessionStart": [\n\n{"matcher": "x"},\n]\n}}',
    '{"version": 1}',
    '{"version": 1, "hooks": {}}',
    '{ "hooks": {}, "version": 1 }',
    '{\n  "version": 1,\n  "hooks": {\n    "stop": []\n  }\n}\n',
    '{"a": 1, "a": {"b": 2}}',
    '{"mcpServers": {"other": 1}, "mcpServers": {"another": 2}}',
    '{\n  "a": "\\"//\\" /* no comment */ {[",\n  "b\\n": "\u2028 é 🙂"\n}',
]


def both_in(text: str) -> str:
    return surgery.put(surgery.put(text, SERVERS, SERVER), HOOKS, GROUP)


def both_out(text: str) -> str | None:
    without = surgery.take_out(text, HOOKS, is_group)
    return None if without is None else surgery.take_out(without, SERVERS, is_server)


def value_of(text: str) -> Any:
    node = scan(text)
    return {} if node is None else node.value


@pytest.mark.parametrize("text", TEXTS)
def test_in_and_out_is_the_same_bytes(text: str) -> None:
    added = both_in(text)
    assert both_out(added) == text
    before, after = value_of(text), value_of(added)
    assert after["mcpServers"] == {**before.get("mcpServers", {}), "corrections": SERVER}
    others = before.get("hooks", {})
    assert after["hooks"] == {**others, "SessionStart": [*others.get("SessionStart", []), GROUP]}
    assert [key for key in after if key not in ("mcpServers", "hooks")] == [
        key for key in before if key not in ("mcpServers", "hooks")
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_a_companion_comes_only_to_what_was_empty_and_goes_with_ours(text: str) -> None:
    added = surgery.put(text, HOOKS, GROUP)
    if not value_of(text):
        added = surgery.put(added, ["version"], 1)
    assert surgery.take_out(added, HOOKS, is_group, "version") == text


@pytest.mark.parametrize("value", [SERVER, {**SERVER, "env": {"A": "b"}}])
def test_a_file_that_was_not_there_is_none_again(value: Any) -> None:
    text = surgery.created(surgery.wrapped(SERVERS, value))
    assert surgery.take_out(text, SERVERS, is_server) is None
    both = surgery.put(text, HOOKS, GROUP)
    assert both_out(both) is None


def test_a_user_who_writes_beside_ours_keeps_every_byte() -> None:
    text = surgery.created(surgery.wrapped(SERVERS, SERVER))
    edited = text.replace('"corrections"', '"mine": {"command": "x"}, // mine\n    "corrections"')
    assert surgery.take_out(edited, SERVERS, is_server) == (
        '{\n  "mcpServers": {\n    "mine": {"command": "x"} // mine\n  }\n}\n'
    )
    behind = both_in('{\n  "a": 1\n}\n').replace("\n}\n", ',\n  "z": [1] // last\n}\n')
    assert both_out(behind) == '{\n  "a": 1,\n  "z": [1] // last\n}\n'


def test_ours_replaced_is_taken_out_all_the_same() -> None:
    for text in TEXTS:
        newer = surgery.replace(both_in(text), SERVERS, is_server, {**SERVER, "env": {"X": "y"}})
        assert value_of(newer)["mcpServers"]["corrections"]["env"] == {"X": "y"}
        assert both_out(newer) == text


def test_it_looks_like_the_file_it_comes_into() -> None:
    assert surgery.put('{\n\t"mcpServers": {\n\t\t"o": {}\n\t}\n}\n', SERVERS, {"command": "setright"}) == (
        '{\n\t"mcpServers": {\n\t\t"o": {},\n\t\t"corrections": {\n\t\t\t"command": "setright"\n\t\t}\n\t}\n}\n'
    )
    assert surgery.put('{"a": 1}', SERVERS, {}) == '{"a": 1, "mcpServers": {"corrections": {}}}'
    with_note = surgery.put('{\r\n  "a": 1 // note\r\n}', ["b"], 2)
    assert with_note == '{\r\n  "a": 1, // note\r\n  "b": 2\r\n}'


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "1",
        '{"mcpServers": []}',
        '{"mcpServers": null}',
        "{",
        '{"a" 1}',
        '{"a": 1 "b": 2}',
        "{'a': 1}",
        '{"a": 01}',
        '{"a": "\t"}',
        '{"a": "\\x"}',
        '{"a": 1} x',
        "{,}",
        "/* open",
        '{"a": 1,,}',
        '{"a":' * 5_000,
    ],
)
def test_what_is_no_such_json_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(surgery.NotPossible):
        surgery.put(text, SERVERS, SERVER)


def test_a_fault_says_where_it_is() -> None:
    with pytest.raises(NotJson, match="line 2, column 8: a value is missing"):
        scan('{\n  "a": ,\n}')


GAPS = [
    "",
    "",
    "",
    " ",
    "  ",
    "\n",
    "\n  ",
    "\r\n\t",
    " /* , } ] */ ",
    "// x\n",
    " // y\r\n  ",
    "/**/",
    "\n\n/* a\nb */\n",
]
KEYS = st.sampled_from(["a", "mcpServers", "hooks", "SessionStart", "corrections-2", "é"])
PLAIN = st.one_of(st.integers(), st.booleans(), st.none(), st.text(max_size=4))
VALUES = st.recursive(
    PLAIN, lambda one: st.lists(one, max_size=3) | st.dictionaries(KEYS, one, max_size=3), max_leaves=5
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=3)
TOPS = st.builds(
    lambda others, servers, hooks: {**others, **servers, **hooks},
    st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3),
    st.fixed_dictionaries({}, optional={"mcpServers": OBJECTS}),
    st.fixed_dictionaries(
        {},
        optional={
            "hooks": st.fixed_dictionaries(
                {},
                optional={"SessionStart": st.lists(VALUES, max_size=2), "Stop": st.lists(VALUES, max_size=1)},
            )
        },
    ),
)


def laid_out(value: Any, by: Random) -> str:
    """A value as text, with any space and any comment anywhere, and perhaps a comma behind the last."""
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=by.random() < 0.5)
    entries = list(value.items()) if isinstance(value, dict) else [(None, one) for one in value]
    gap = lambda: by.choice(GAPS)  # noqa: E731
    text = ("{" if isinstance(value, dict) else "[") + gap()
    for place, (key, one) in enumerate(entries):
        text += (
            gap() + ("" if key is None else f"{json.dumps(key)}{gap()}:{gap()}") + laid_out(one, by) + gap()
        )
        text += "," if place < len(entries) - 1 or by.random() < 0.3 else ""
        text += gap()
    return text + ("}" if isinstance(value, dict) else "]")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    TOPS,
    st.integers(0, 2**32),
    st.sampled_from(["", "\ufeff", "// top\n"]),
    st.sampled_from(["", "\n", "// end"]),
)
def test_in_and_out_is_the_same_bytes_for_any_layout(top: Any, seed: int, before: str, after: str) -> None:
    text = before + laid_out(top, Random(seed)) + after
    assert both_out(both_in(text)) == text


@given(st.sampled_from(["", "\ufeff"]), st.lists(st.sampled_from([*GAPS, "// end"]), max_size=3))
def test_in_and_out_is_the_same_bytes_for_a_file_without_a_value(before: str, gaps: list[str]) -> None:
    text = before + "".join(gaps)
    assert both_out(both_in(text)) == text
