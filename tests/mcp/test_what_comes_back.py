"""How answers come, in both eras of the protocol: errors of the protocol, the list of tools, retries, and what no crash may tell."""

import asyncio
import json
from typing import Any

import mcp
import pytest

from setright.faces.mcp import server
from setright.faces.mcp.arguments import ToolFault
from setright.faces.mcp.tool import READ_LESSONS, Tool, record, text
from setright.identity import present
from tests.mcp.asking import Asking
from tests.mcp.sent import SAID
from tests.mcp.ways import ERAS, WAYS, over_http

ways = pytest.mark.parametrize("way", WAYS)
eras = pytest.mark.parametrize("era", ERAS)
INVALID, UNKNOWN_METHOD = -32602, -32601


def called(way: str, asking: Asking, tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of a call that is no error of the protocol."""
    return WAYS[way](asking, "tools/call", {"name": tool, "arguments": arguments})["result"]


@ways
@pytest.mark.parametrize(
    ("method", "params", "told"),
    [
        ("tools/call", {"name": "corrections_forget"}, "Tools: corrections_rules, corrections_record,"),
        ("prompts/get", {"name": "other"}, "there are briefing, record_correction."),
        ("resources/read", {"uri": "corrections://other"}, "There is no resource corrections://other."),
    ],
)
def test_what_there_is_not_is_an_error_of_the_protocol(
    lone_person: Asking, way: str, method: str, params: dict[str, Any], told: str
) -> None:
    error = WAYS[way](lone_person, method, params)["error"]
    assert error["code"] == INVALID
    assert told in error["message"]
    if method == "resources/read":
        assert error["data"] == {"uri": params["uri"]}


@eras
@pytest.mark.parametrize("arguments", [[], "x", 3, True])
def test_arguments_that_are_no_object_are_an_error_of_the_protocol(
    lone_person: Asking, era: str, arguments: object
) -> None:
    params = {"name": "corrections_rules", "arguments": arguments}
    answer = over_http(lone_person, "tools/call", params, era=era)
    assert answer.json()["error"]["code"] == INVALID
    assert answer.status_code == (400 if era == "new" else 200)


@ways
@pytest.mark.parametrize("given", [{}, {"arguments": None}, {"arguments": {}}])
def test_arguments_may_be_missing(lone_person: Asking, way: str, given: dict[str, Any]) -> None:
    result = WAYS[way](lone_person, "tools/call", {"name": "corrections_rules", **given})["result"]
    assert result["structuredContent"]["rules"] == []


@ways
def test_every_missing_argument_is_told_at_once_without_what_was_sent(lone_person: Asking, way: str) -> None:
    result = called(way, lone_person, "corrections_record", expected="a secret", agent="scribe")
    told = result["content"][0]["text"]
    assert result["isError"] is True
    assert [line.partition(":")[0] for line in told.splitlines()] == ["kind", "what_happened", "noticed_by"]
    assert "secret" not in told


@ways
def test_a_list_of_things_is_one_text_with_all_of_them(lone_person: Asking, way: str) -> None:
    for number in range(3):
        lone_person("corrections_record", **{**SAID, "what_happened": f"Number {number}."})
    result = called(way, lone_person, "corrections_list")
    (content,) = result["content"]
    assert json.loads(content["text"]) == result["structuredContent"]
    assert len(result["structuredContent"]["corrections"]) == 3


@ways
def test_a_list_without_things_is_a_sentence(lone_person: Asking, way: str) -> None:
    result = called(way, lone_person, "corrections_list")
    assert [part["text"] for part in result["content"]] == ["No corrections match."]
    assert result["structuredContent"] == {"corrections": []}


@ways
def test_page_tokens_go_on_to_the_end_and_no_further(lone_person: Asking, way: str) -> None:
    for number in range(3):
        lone_person("corrections_record", **{**SAID, "what_happened": f"Number {number}."})
    seen: list[str] = []
    given: dict[str, Any] = {"page_size": 1}
    token = None
    for _ in range(3):
        page = called(way, lone_person, "corrections_list", **given)
        seen += [one["what_happened"] for one in page["structuredContent"]["corrections"]]
        token = page["structuredContent"].get("next_page_token")
        assert (token is None) == ("There are more" not in page["content"][-1]["text"])
        given["page_token"] = token
    assert (seen, token) == (["Number 2.", "Number 1.", "Number 0."], None)


@ways
def test_tools_are_on_one_page_whatever_cursor_is_sent(lone_person: Asking, way: str) -> None:
    first = WAYS[way](lone_person, "tools/list", {})["result"]
    again = WAYS[way](lone_person, "tools/list", {"cursor": "nonsense"})["result"]
    assert "nextCursor" not in first
    assert [tool["name"] for tool in again["tools"]] == [tool["name"] for tool in first["tools"]]
    for tool in first["tools"]:
        assert tool["inputSchema"]["additionalProperties"] is False
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            assert schema["type"] == "object"
            assert not {"$defs", "anyOf", "oneOf", "allOf", "title"} & set(schema)
        for described in tool["inputSchema"]["properties"].values():
            assert described["type"] in ("string", "integer", "array", "object")
            assert "title" not in described


@ways
def test_the_same_again_after_a_lost_answer_is_done_once(lone_person: Asking, way: str) -> None:
    keyed = [called(way, lone_person, "corrections_record", **SAID, idempotency_key="k") for _ in range(2)]
    said = [called(way, lone_person, "corrections_record", **SAID, session="s") for _ in range(2)]
    for first, again in (keyed, said):
        made = first["structuredContent"]["correction"]["id"]
        assert again["structuredContent"]["correction"]["id"] == made
    assert len(lone_person("corrections_list")["corrections"]) == 2
    other = called(way, lone_person, "corrections_record", **SAID, idempotency_key="k", session="t")
    assert other["isError"] is True
    assert "Use another idempotency_key" in other["content"][0]["text"]


@ways
def test_a_page_of_long_texts_stays_within_what_clients_take(lone_person: Asking, way: str) -> None:
    long = {"what_happened": "x" * 4000, "expected": "y" * 4000}
    for number in range(50):
        lone_person("corrections_record", **{**SAID, **long, "session": str(number)})
    assert len(called(way, lone_person, "corrections_list")["content"][0]["text"]) < 100_000


SECRET = "postgresql://me:hunter2@db"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ValueError(SECRET), server.BROKEN),
        (RuntimeError(SECRET), server.BROKEN),
        (ToolFault("kind: is wrong."), "kind: is wrong."),
    ],
    ids=["a value error", "a crash", "a refusal"],
)
def test_what_fails_is_told_in_our_words_only(
    lone_person: Asking, mode: Any, raised: Exception, told: str
) -> None:
    app, token = lone_person.caller.app, present(lone_person.caller.token)
    noted: list[tuple[Exception, str]] = []

    async def does(_ledger: object, _given: object) -> Any:
        raise raised

    async def enter(_: server.Context) -> Any:
        return server.Ledger(app, app.store.read(lambda at: app.callers.read(at, token)).result())

    breaks = Tool("breaks", "lessons", "Break", "Break.", (), READ_LESSONS, does, record(a=text("A.")))
    built = server.build([breaks], enter, lambda error, place: noted.append((error, place)))

    async def whole() -> Any:
        async with mcp.Client(built, mode=mode) as client:
            return await client.call_tool("breaks", {})

    result = asyncio.run(whole())
    assert result.is_error
    assert [part.text for part in result.content] == [told]
    assert result.structured_content is None
    assert noted == ([] if isinstance(raised, ToolFault) else [(raised, "mcp breaks")])


@eras
@pytest.mark.parametrize("accept", ["application/json", "*/*", "application/json, text/event-stream"])
def test_whoever_takes_json_is_answered(lone_person: Asking, era: str, accept: str) -> None:
    answer = over_http(lone_person, "tools/list", {}, era=era, accept=accept)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")


@eras
def test_a_session_that_an_earlier_server_knew_is_no_matter(lone_person: Asking, era: str) -> None:
    asked = {"name": "corrections_rules", "arguments": {}}
    answer = over_http(lone_person, "tools/call", asked, era=era, mcp_session_id="of-before-the-restart")
    assert answer.json()["result"]["structuredContent"]["rules"] == []


@eras
def test_methods_of_the_other_era_are_unknown(lone_person: Asking, era: str) -> None:
    there = {"old": ("ping",), "new": ("server/discover",)}[era]
    for method in ("ping", "server/discover"):
        answer = over_http(lone_person, method, {}, era=era)
        known = method in there
        assert ("result" in answer.json()) == known
        assert answer.status_code == (200 if known or era == "old" else 404)
        assert known or answer.json()["error"]["code"] == UNKNOWN_METHOD


def test_a_batch_is_refused_and_nothing_of_it_done(lone_person: Asking) -> None:
    params = {"name": "corrections_record", "arguments": SAID}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = lone_person.caller.post("/mcp", [call, {**call, "id": 2}])
    assert answer.status_code == 400
    assert lone_person("corrections_list")["corrections"] == []


@pytest.mark.parametrize(
    "path",
    [
        "/mcp/",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-authorization-server",
    ],
)
def test_no_other_path_speaks_for_this_one(lone_person: Asking, path: str) -> None:
    for answer in (lone_person.caller.get(path), lone_person.caller.post(path, {"jsonrpc": "2.0"})):
        assert answer.status_code == 404
        assert "location" not in answer.headers
