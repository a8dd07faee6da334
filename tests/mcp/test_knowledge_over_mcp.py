"""The questions about knowledge over MCP."""

import pytest

from tests.mcp.asking import Asking


def test_the_answers_are_those_of_http_in_the_spelling_of_tools(assistant: Asking) -> None:
    assistant.caller.text()
    over_http = assistant.caller.get("/v1/artifacts/P1/summary").json()
    told = assistant("summarize_artifact", p_number="P1")
    assert told["interaction_id"] == over_http["interactionId"] + 1
    assert (told["summary"], told["generated_at"]) == (over_http["summary"], over_http["generatedAt"])
    assert told["citations"][0]["annotation_id"] == over_http["citations"][0]["annotationId"]
    assert {"sources", "required_attributions", "follow_ups", "data"} <= set(told)


def test_a_word_is_named_in_two_ways(assistant: Asking) -> None:
    assistant.caller.text()
    by_target = assistant("interpret_token", p_number="P1", token_id="o.1.1")
    for position in (1, "1", 1.0):
        by_place = assistant("interpret_token", p_number="P1", line="o.1", position=position)
        assert by_place["data"] == by_target["data"]
    assert [step["value"] for step in by_target["data"]["chain"]] == ["lugal", "lugal", "king", "N"]


def test_a_search_takes_what_clients_send(assistant: Asking) -> None:
    assistant.caller.text()
    for more in ({}, {"types": "token", "limit": "5"}, {"types": '["line", "token"]', "mode": "LEXICAL"}):
        told = assistant("semantic_search", q="lu2-gal", **more)
        assert told["data"]["hits"][0]["artifact_id"] == "P1"


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("semantic_search", {"q": "x", "limit": 51}, "1 to 50"),
        ("semantic_search", {"q": "x", "types": ["sign"]}, "artifact, line, token"),
        ("semantic_search", {"q": "x", "mode": "magic"}, "hybrid, lexical, semantic"),
        ("semantic_search", {}, "q: is required"),
        ("interpret_token", {"p_number": "P1"}, "token_id"),
        ("interpret_token", {"p_number": "P1", "line": "o.1"}, "position"),
        ("interpret_token", {"p_number": "P1", "token_id": "o.1.1", "line": "o.1"}, "token_id"),
        ("interpret_token", {"p_number": "P1", "token_id": "o.1.9"}, "has 2 words"),
        ("summarize_artifact", {"p_number": "P9"}, "semantic_search"),
        ("summarize_artifact", {"p_number": "P1", "run_id": "none"}, "run"),
    ],
)
def test_what_cannot_be_asked_says_what_can(
    lone_person: Asking, tool: str, arguments: dict, says: str
) -> None:
    lone_person.caller.text()
    assert says in lone_person.refused(tool, **arguments)


def test_the_tools_need_both_scopes(lone_person: Asking) -> None:
    lone_person.caller.text()
    narrow = Asking(lone_person.caller.service(scopes=["mcp:read", "decisions:read"]))
    answer = narrow.message("tools/call", {"name": "summarize_artifact", "arguments": {"p_number": "P1"}})
    assert answer.status_code == 403
