"""The door of /mcp: who is let in, what a token lacks, and what the seed's bare call is answered."""

import json
from typing import Any

import pytest

from setright.faces.mcp.table import TOOLS
from tests.http.support import Caller
from tests.mcp.asking import Asking

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "corrections_record", "arguments": {}},
}


def named(tool: str) -> dict[str, Any]:
    return {**CALL, "params": {"name": tool, "arguments": {}}}


def test_without_a_token_the_challenge_names_what_the_tool_needs(lone: Caller) -> None:
    answer = lone.client.post("/mcp", json=CALL)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Bearer scope="mcp:write decisions:write"'
    assert answer.json()["error"]["code"] == "auth-missing"


def test_a_token_that_lets_nobody_in_is_told_so(lone: Caller) -> None:
    answer = lone.with_token("srt_nonsense").post("/mcp", named("run_get"))
    assert answer.status_code == 401
    assert (
        answer.headers["www-authenticate"]
        == 'Bearer error="invalid_token", scope="mcp:read corrections:read"'
    )


@pytest.mark.parametrize("has", [["mcp:write"], ["decisions:write"], ["mcp:read", "decisions:read"]])
def test_a_token_that_lacks_a_scope_is_told_every_scope_at_once(lone: Caller, has: list[str]) -> None:
    narrow = lone.service(scopes=has)
    answer = narrow.post("/mcp", CALL)
    assert answer.status_code == 403
    assert answer.headers["www-authenticate"] == (
        'Bearer error="insufficient_scope", scope="mcp:write decisions:write"'
    )
    assert answer.json()["error"]["code"] == "scope-missing"


def test_a_token_sees_the_tools_that_its_scopes_allow(lone: Caller) -> None:
    def shown(caller: Caller) -> list[str]:
        return [tool["name"] for tool in Asking(caller).message("tools/list").json()["result"]["tools"]]

    assert shown(lone.service(scopes=["mcp:read", "decisions:read"])) == [
        "corrections_rules",
        "corrections_list",
        "decisions_list_spaces",
    ]
    assert shown(lone.service(scopes=["decisions:read"])) == []
    assert shown(lone.service("read")) == [
        "corrections_rules",
        "corrections_list",
        "decisions_list_spaces",
        "run_get",
        *("semantic_search", "summarize_artifact", "interpret_token"),
    ]
    assert shown(lone) == [tool.name for tool in TOOLS]


def test_the_rules_as_a_resource_need_what_the_tool_needs(lone: Caller) -> None:
    narrow = Asking(lone.service(scopes=["mcp:read"]))
    assert narrow.message("resources/read", {"uri": "corrections://rules"}).status_code == 403
    assert Asking(lone).message("resources/read", {"uri": "corrections://rules"}).status_code == 200


def test_a_revoked_token_is_refused_at_the_next_call(lone: Caller) -> None:
    service = lone.service()
    assert Asking(service)("decisions_list_spaces")["spaces"]
    assert lone.send("DELETE", f"/v1/tokens/{service.id}").status_code in (200, 204)
    answer = Asking(service).message("tools/list")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "auth-revoked")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
def test_there_are_no_streams_and_no_sessions(lone: Caller, method: str) -> None:
    answer = lone.send(method, "/mcp")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"accept": "text/event-stream"}, 406),
        ({"content-type": "text/plain"}, 415),
    ],
)
def test_the_door_is_the_one_of_every_route(lone: Caller, headers: dict[str, str], status: int) -> None:
    body = json.dumps(named("decisions_list_spaces")).encode()
    answer = lone.client.post(
        "/mcp",
        content=body,
        headers={"authorization": f"Bearer {lone.token}", "content-type": "application/json", **headers},
    )
    assert answer.status_code == status, answer.text


def test_a_body_that_is_too_large_is_refused(lone: Caller) -> None:
    answer = lone.post("/mcp", {**CALL, "params": {"name": "x", "arguments": {"rule": "x" * (5 << 20)}}})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "request-too-large")


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"{", 400), (b"[]", 400), (b'{"jsonrpc":"2.0","id":1}', 400), (b"\xff", 400), (b"7", 400)],
)
def test_what_is_no_message_is_an_error_of_the_protocol(lone: Caller, body: bytes, status: int) -> None:
    answer = lone.client.post(
        "/mcp",
        content=body,
        headers={"authorization": f"Bearer {lone.token}", "content-type": "application/json"},
    )
    assert answer.status_code == status
    assert "error" in answer.json()


@pytest.mark.parametrize("arguments", [[], "x", 3])
def test_arguments_that_are_no_object_are_an_error_of_the_protocol(lone: Caller, arguments: object) -> None:
    body = {**CALL, "params": {"name": "decisions_list_spaces", "arguments": arguments}}
    answer = lone.post("/mcp", body)
    assert answer.json()["error"]["code"] == -32602


@pytest.mark.parametrize("arguments", [{}, None])
def test_arguments_may_be_missing(lone: Caller, arguments: object) -> None:
    body = {
        **CALL,
        "params": {"name": "decisions_list_spaces", **({"arguments": None} if arguments is None else {})},
    }
    assert lone.post("/mcp", body).json()["result"]["isError"] is False


def test_an_unknown_tool_is_an_error_of_the_protocol_and_names_the_others(lone: Caller) -> None:
    error = lone.post("/mcp", named("corrections_forget")).json()["error"]
    assert error["code"] == -32602
    assert "corrections_record" in error["message"]


def test_headers_must_agree_with_the_body_and_may_have_blanks_around_them(lone: Caller) -> None:
    def asked(name: str) -> Any:
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        body = {**CALL, "params": {"name": "decisions_list_spaces", "arguments": {}, "_meta": meta}}
        headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name}
        return lone.post("/mcp", body, headers=headers)

    assert asked("decisions_list_spaces").json()["result"]["isError"] is False
    assert asked(" decisions_list_spaces\t").json()["result"]["isError"] is False
    wrong = asked("run_get")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize("method", [{}, [], None, 1, {"tools/call": 1}])
def test_a_method_that_is_no_text_is_refused_and_harms_nothing(person: Asking, method: object) -> None:
    answer = person.caller.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method})
    assert answer.status_code == 400, answer.text
    assert "error" in answer.json()
