"""What clients were seen to send, a row each: the public report or the measurement, the arguments, and what must come back."""

from dataclasses import dataclass, field
from typing import Any

SAID: dict[str, Any] = {
    "kind": "drift",
    "what_happened": "It saved over a newer version.",
    "noticed_by": "person",
    "agent": "scribe",
}
ABSENT = object()
"""Stands for a field that is not in the answer."""
LINES = '["do","not"]'
SURROGATE = "half of a surrogate pair"


@dataclass(frozen=True)
class Row:
    """Arguments beside `SAID`, and either the fields of the correction that comes of them or the words of the refusal.

    A `raw` row holds what the official client cannot write; it is sent as bytes only.
    """

    name: str
    sends: dict[str, Any]
    keeps: dict[str, Any] = field(default_factory=dict[str, Any])
    told: str = ""
    raw: bool = False


RECORDED = (
    Row("a choice in capitals", {"kind": "DRIFT"}, {"kind": "drift"}),
    Row(
        "a choice that there is not",
        {"kind": "drifted"},
        told="kind: 'drifted' is not allowed. Use one of: drift,",
    ),
    Row("an empty choice that has a default", {"severity": ""}, {"severity": "medium"}),
    Row("null for a choice", {"severity": None}, {"severity": "medium"}),
    Row("the text null for a choice", {"severity": "null"}, {"severity": "medium"}),
    Row(
        "null for what is required", {"kind": None}, told="kind: is required. Use one of: drift, assumption,"
    ),
    Row("a list as JSON text", {"evidence": '["a","b"]'}, {"evidence": ["a", "b"]}),
    Row("one text for a list", {"evidence": "http://one"}, {"evidence": ["http://one"]}),
    Row("null for a list", {"evidence": None}, {"evidence": ABSENT}),
    Row("the text null for a list", {"evidence": "null"}, {"evidence": ABSENT}),
    Row("a list of the text null", {"evidence": ["null"]}, {"evidence": ABSENT}),
    Row(
        "a number in a list of texts",
        {"evidence": [1]},
        told="evidence: must be a list of texts, got the number 1",
    ),
    Row("null for a text", {"rule": None, "expected": None}, {"rule": ABSENT, "expected": ABSENT}),
    Row("text that looks like a list", {"rule": LINES}, {"rule": LINES}),
    Row("text that looks like an object", {"expected": '{"a":1}'}, {"expected": '{"a":1}'}),
    Row("text that looks like nothing", {"expected": "null"}, {"expected": "null"}),
    Row("text that looks like a truth", {"expected": "true"}, {"expected": "true"}),
    Row("text of digits", {"rule": "123"}, {"rule": "123"}),
    Row("text with blanks around it", {"expected": "  as it is \t"}, {"expected": "  as it is \t"}),
    Row("text of every script", {"expected": "übung 東京 🦊 \u202e"}, {"expected": "übung 東京 🦊 \u202e"}),
    Row("a number for a text", {"rule": 5}, told="rule: must be text, got the number 5."),
    Row("a truth for a text", {"rule": True}, told="rule: must be text, got true."),
    Row("a list for a text", {"rule": ["a"]}, told="rule: must be text, got a list."),
    Row("not a number", {"rule": float("nan")}, raw=True),
    Row("U+0000 in a text", {"expected": "a\0b"}, told="expected: holds U+0000, which cannot be stored."),
    Row("U+0000 in a list", {"evidence": ["a\0b"]}, told="evidence: holds U+0000, which cannot be stored."),
    Row("half a surrogate in a text", {"expected": "a\ud800"}, raw=True),
    Row("half a surrogate in a name", {"\udfff": "a"}, raw=True),
    Row(
        "a misspelt argument",
        {"waht_happened": "x"},
        told="Unknown argument 'waht_happened'. Did you mean 'what_happened'?",
    ),
    Row(
        "what gateways inject",
        {"_auth_token": "secret", "toolCallId": "1", "sessionId": "2"},
        {"session": ABSENT},
    ),
    Row(
        "objects as JSON text",
        {"must_not_call": '{"tool":"sh"}'},
        {"must_not_call": [{"tool": "sh", "args": {}}]},
    ),
    Row(
        "text for objects",
        {"must_not_call": "sh"},
        told="must_not_call: must be a list, or a list as JSON text",
    ),
    Row("an id that is null in letters", {"space_id": "null"}, {"space_id": ABSENT}),
    Row("an empty account", {"account_id": ""}, {"kind": "drift"}),
    Row("an empty rule", {"rule": ""}, {"rule": ABSENT}),
)
"""Section 1.4 and rows 1, 2, 4, 6, 7, 8 and 9 of section 5, of a tool that writes."""

LISTED = (
    Row("a whole number as text", {"page_size": "20"}),
    Row("a whole number with a point", {"page_size": 20.0}),
    Row("an empty whole number", {"page_size": ""}),
    Row("null for a whole number", {"page_size": None}),
    Row("the text null for a whole number", {"page_size": "null"}),
    Row("zero", {"page_size": 0}),
    Row("more than a page holds", {"page_size": 5000}),
    Row("an empty page token", {"page_token": ""}),
    Row("a status in capitals", {"status": "OPEN"}),
    Row(
        "part of a number",
        {"page_size": 20.5},
        told="page_size: must be a whole number, got the number 20.5.",
    ),
    Row(
        "words for a number",
        {"page_size": "abc"},
        told="page_size: must be a whole number, got the text 'abc'.",
    ),
    Row("a truth for a number", {"page_size": True}, told="page_size: must be a whole number, got true."),
    Row(
        "a number beyond 64 bits",
        {"page_size": 2**63},
        told="page_size: must be a whole number of at most 9007199254740991.",
    ),
    Row(
        "a number that loses digits",
        {"page_size": 2**53 + 1},
        told="page_size: must be a whole number of at most",
    ),
    Row("a negative number", {"page_size": -1}, told="page_size: must be 0 to 200"),
    Row(
        "a page token of nobody's",
        {"page_token": "AAAA"},
        told="page_token: was not made by this list. Use the next_page_token",
    ),
    Row(
        "an id for a choice",
        {"noticed_by": "4b1c2d3e-5f60-4718-9a2b-3c4d5e6f7a8b"},
        told="is not allowed. Use one of: person, self.",
    ),
    Row("another account", {"account_id": "ten_01JD8Z3QK4W5X6Y7Z8A9B0C1D2"}, told="account_id: no account"),
)
"""Section 1.4 and rows 3, 4, 6 and 20 of section 5, of a tool that lists."""
