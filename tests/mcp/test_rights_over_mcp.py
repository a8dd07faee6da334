"""Every tool, called with a role or a scope one step too small: refused in words, and nothing is changed."""

from dataclasses import replace
from typing import Any

import pytest

from setright.faces.mcp.table import TOOLS
from setright.faces.mcp.tool import Tool
from setright.kernel.actor import SCOPES
from tests.http.rights import ENOUGH, READ, STEPS, WRITE, People, everything, people
from tests.http.support import Api, Caller
from tests.mcp.asking import Asking
from tests.mcp.places import NEEDS, call_of, need_of
from tests.mcp.ways import CLIENTS, ERAS, bare

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
SCOPES_OF_TOOLS = [(tool, scope) for tool in TOOLS for scope in tool.scopes]


@pytest.fixture(scope="module")
def those(api: Api) -> People:
    """The people of one tenant, on each engine."""
    return people(api.tenant())


def narrowed(owner: Caller, scope: str) -> Caller:
    """The admin with a token that has every scope but one, and admin."""
    scopes = [one for one in SCOPES if one not in (scope, "admin")]
    made = owner.post("/v1/tokens", {"kind": "user", "name": "narrowed", "scopes": scopes})
    return replace(owner, token=made.json()["secret"])


def called(caller: Caller, tool: Tool, made: dict[str, str]) -> Any:
    return bare(Asking(caller), "tools/call", {"name": tool.name, "arguments": call_of(tool, made)})["result"]


def test_every_tool_says_what_it_needs() -> None:
    said = [name for names in NEEDS.values() for name in names.split()]
    assert sorted(said) == sorted(tool.name for tool in TOOLS)


@pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if need_of(tool) in (READ, WRITE)], ids=lambda one: one.name
)
def test_a_role_one_step_too_small_is_refused(those: People, tool: Tool) -> None:
    before = everything(those.owner)
    for name in STEPS[need_of(tool)]:
        result = called(those.by_name[name], tool, those.made)
        assert result["isError"], name
        assert "decisions_list_spaces for the spaces that you may use" in result["content"][0]["text"], name
        assert "structuredContent" not in result
    assert everything(those.owner) == before


@pytest.mark.parametrize(
    ("tool", "scope"), SCOPES_OF_TOOLS, ids=lambda one: one if isinstance(one, str) else one.name
)
def test_a_token_without_a_scope_is_told_which_it_lacks(those: People, tool: Tool, scope: str) -> None:
    caller = narrowed(those.owner, scope)
    before = everything(those.owner)
    given = {"name": tool.name, "arguments": call_of(tool, those.made)}
    told = Asking(caller).message("tools/call", given)
    assert told.status_code == 403
    assert told.json()["error"]["code"] == "scope-missing"
    assert 'error="insufficient_scope"' in told.headers["www-authenticate"]
    assert f'scope="{" ".join(tool.scopes)}"' in told.headers["www-authenticate"]
    for client in CLIENTS.values():
        result = client(Asking(caller), "tools/call", given)["result"]
        assert result["isError"]
        assert all(one in result["content"][0]["text"] for one in tool.scopes)
    assert everything(those.owner) == before


@pytest.mark.parametrize("scope", ["mcp:read", "decisions:read"])
def test_the_rules_are_read_with_the_scopes_of_their_tool(those: People, scope: str) -> None:
    caller = Asking(narrowed(those.owner, scope))
    for method, params in (
        ("resources/read", {"uri": "corrections://rules"}),
        ("prompts/get", {"name": "briefing"}),
    ):
        assert caller.message(method, params).json()["error"]["code"] == "scope-missing"
        for client in CLIENTS.values():
            assert "needs the scopes" in client(caller, method, params)["error"]["message"]


@every_tool
def test_tools_that_a_token_may_not_use_are_not_listed(those: People, tool: Tool) -> None:
    for scope in tool.scopes:
        caller = Asking(narrowed(those.owner, scope))
        for era in ERAS.values():
            listed = {one["name"] for one in era(caller, "tools/list", {})["result"]["tools"]}
            assert tool.name not in listed


@every_tool
def test_just_what_is_needed_is_enough(those: People, tool: Tool) -> None:
    need = need_of(tool)
    caller = those.by_name[ENOUGH[need]]
    result = called(caller, tool, those.made)
    assert not result["isError"], result
