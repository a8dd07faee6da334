"""What clients really send, row by row, and what becomes of it before a tool is asked."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.faces.mcp.arguments import Argument, ToolFault, read, schema
from setright.faces.mcp.spelling import for_http, for_tools, http_name, place, tool_name

TAKES = (
    Argument("kind", "choice", "Which.", ("drift", "safety")),
    Argument("words", "text", "Some words."),
    Argument("space_id", "id", "A space."),
    Argument("page_size", "whole", "How many."),
    Argument("evidence", "texts", "Links."),
    Argument("match", "object", "How."),
    Argument("should_call", "objects", "Calls."),
)
JSON = '["do", "not"]'

TAKEN: list[tuple[str, Any, Any]] = [
    ("kind", "DRIFT", "drift"),
    ("kind", "  Safety ", "safety"),
    ("kind", "", None),
    ("kind", "   ", None),
    ("kind", "null", None),
    ("kind", None, None),
    ("words", JSON, JSON),
    ("words", "null", "null"),
    ("words", "123", "123"),
    ("words", "", None),
    ("words", None, None),
    ("words", " as it is \t", " as it is \t"),
    ("space_id", "null", None),
    ("page_size", "20", 20),
    ("page_size", " 20 ", 20),
    ("page_size", 20.0, 20),
    ("page_size", "-1", -1),
    ("page_size", "", None),
    ("page_size", "null", None),
    ("page_size", 2**53 - 1, 2**53 - 1),
    ("evidence", ["a", "b"], ["a", "b"]),
    ("evidence", '["a","b"]', ["a", "b"]),
    ("evidence", "http://one", ["http://one"]),
    ("evidence", '{"not": "a list"}', ['{"not": "a list"}']),
    ("evidence", ["null"], None),
    ("evidence", ["a", None, ""], ["a"]),
    ("evidence", "null", None),
    ("evidence", [], None),
    ("match", {"how": "exact"}, {"how": "exact"}),
    ("match", '{"how":"exact"}', {"how": "exact"}),
    ("should_call", [{"tool": "x"}], [{"tool": "x"}]),
    ("should_call", '[{"tool":"x"}]', [{"tool": "x"}]),
    ("should_call", '{"tool":"x"}', [{"tool": "x"}]),
    ("should_call", ['{"tool":"x"}'], [{"tool": "x"}]),
]
REFUSED: list[tuple[str, Any, str]] = [
    ("kind", "drifted", "kind: 'drifted' is not allowed. Use one of: drift, safety."),
    ("kind", 3, "kind: the number 3 is not allowed. Use one of: drift, safety."),
    ("words", 3, "words: must be text, got the number 3."),
    ("words", True, "words: must be text, got true."),
    ("words", {"a": 1}, "words: must be text, got an object."),
    ("words", "a\0b", "words: holds U+0000, which cannot be stored. Send it without."),
    ("words", "a\ud800", "words: holds half of a surrogate pair, which is no character. Send it without."),
    ("page_size", True, "page_size: must be a whole number, got true."),
    ("page_size", 20.5, "page_size: must be a whole number, got the number 20.5."),
    ("page_size", "abc", "page_size: must be a whole number, got the text 'abc'."),
    ("page_size", "²", "page_size: must be a whole number, got the text '²'."),
    ("page_size", float("nan"), "page_size: must be a whole number, got the number nan."),
    ("page_size", 2**63, "page_size: must be a whole number of at most 9007199254740991."),
    ("page_size", [1], "page_size: must be a whole number, got a list."),
    ("evidence", [1], "evidence: must be a list of texts, got the number 1 in it."),
    ("evidence", 5, "evidence: must be a list of texts, got the number 5 in it."),
    (
        "evidence",
        ["\ud800"],
        "evidence: holds half of a surrogate pair, which is no character. Send it without.",
    ),
    ("match", "[]", "match: must be an object, or an object as JSON text, got a list."),
    ("match", {"a": ["x\0"]}, "match: holds U+0000, which cannot be stored. Send it without."),
    ("match", {"a": 2**53}, "match: holds a whole number beyond 9007199254740991; send it as text."),
    ("match", {"a": float("inf")}, "match: holds a number that is none (NaN or infinite)."),
    ("should_call", "x", "should_call: must be a list, or a list as JSON text, got the text 'x'."),
]


@pytest.mark.parametrize(("name", "sent", "taken"), TAKEN)
def test_what_has_one_meaning_is_taken(name: str, sent: Any, taken: Any) -> None:
    assert read(TAKES, {name: sent}) == ({} if taken is None else {name: taken})


@pytest.mark.parametrize(("name", "sent", "told"), REFUSED)
def test_what_has_none_is_refused_in_a_sentence(name: str, sent: Any, told: str) -> None:
    with pytest.raises(ToolFault) as refused:
        read(TAKES, {name: sent})
    assert str(refused.value) == told


def test_a_misspelt_argument_is_told_the_right_one() -> None:
    with pytest.raises(ToolFault) as refused:
        read(TAKES, {"wrods": "x"})
    assert str(refused.value).startswith(
        "Unknown argument 'wrods'. Did you mean 'words'? Arguments: kind, words,"
    )


@pytest.mark.parametrize("name", ["_auth_token", "toolCallId", "sessionId", "_"])
def test_what_clients_inject_is_dropped(name: str) -> None:
    assert read(TAKES, {name: "x", "words": "y"}) == {"words": "y"}


def test_every_fault_is_told_at_once_without_what_was_sent() -> None:
    takes = (Argument("kind", "choice", "Which.", ("drift",), required=True), TAKES[1], TAKES[3])
    with pytest.raises(ToolFault) as refused:
        read(takes, {"page_size": "many", "words": "a secret"})
    assert str(refused.value).splitlines() == [
        "page_size: must be a whole number, got the text 'many'.",
        "kind: is required. Use one of: drift. Which.",
    ]


def test_a_required_choice_that_is_wrong_is_told_once() -> None:
    takes = (Argument("kind", "choice", "Which.", ("drift",), required=True),)
    with pytest.raises(ToolFault) as refused:
        read(takes, {"kind": "x"})
    assert str(refused.value) == "kind: 'x' is not allowed. Use one of: drift."


def test_something_nested_too_deep_is_refused() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(ToolFault, match="nested deeper than 100"):
        read(TAKES, {"should_call": deep})


def test_the_schema_is_flat_and_every_property_has_one_type() -> None:
    made = schema(TAKES)
    assert made["additionalProperties"] is False
    for described in made["properties"].values():
        assert isinstance(described["type"], str)
        assert not {"anyOf", "oneOf", "allOf", "$ref", "title"} & set(described)
        assert "" not in described.get("enum", ["x"])


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from([argument.name for argument in TAKES]) | st.text(max_size=8), JSON_VALUES)
)
def test_whatever_is_sent_is_taken_or_refused_in_words(sent: dict[str, Any]) -> None:
    told, taken = "", dict[str, Any]()
    try:
        taken = read(TAKES, sent)
    except ToolFault as fault:
        told = str(fault).strip()
    assert set(taken) <= {argument.name for argument in TAKES}
    assert told or set(taken) <= set(sent)


@given(st.text())
def test_text_is_kept_byte_for_byte(sent: str) -> None:
    if sent and "\0" not in sent:
        assert read(TAKES, {"words": sent}) == {"words": sent}


@pytest.mark.parametrize(
    ("http", "tool"),
    [
        ("projectId", "space_id"),
        ("tenantId", "account_id"),
        ("whatHappened", "what_happened"),
        ("rule", "rule"),
        ("mustNotCall", "must_not_call"),
    ],
)
def test_one_field_has_two_spellings(http: str, tool: str) -> None:
    assert tool_name(http) == tool
    assert http_name(tool) == http


def test_what_callers_named_themselves_is_not_spelled_another_way() -> None:
    http = {"mustNotCall": [{"tool": "runShell", "args": {"workDir": 1, "dry_run": 2}}]}
    tool = {"must_not_call": [{"tool": "runShell", "args": {"workDir": 1, "dry_run": 2}}]}
    assert for_tools(http) == tool
    assert for_http(tool) == http


@pytest.mark.parametrize(
    ("pointer", "told"),
    [
        ("/whatHappened", "what_happened"),
        ("/shouldCall/0/tool", "should_call[0].tool"),
        ("/projectId", "space_id"),
    ],
)
def test_a_pointer_names_the_argument(pointer: str, told: str) -> None:
    assert place(pointer) == told
