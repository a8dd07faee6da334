"""With another tenant's id in any argument of any tool everything is as if nobody had that id: words and work."""

from dataclasses import replace
from typing import Any

import pytest

from setright.faces.mcp.table import TOOLS
from setright.faces.mcp.tool import Tool
from tests.http.strangers import ULID, Stranger, Strangers, counted, strangers
from tests.http.support import Api
from tests.http.writes import filled
from tests.mcp.asking import Asking
from tests.mcp.places import CALLS, PLACES, WORDS, call_of, call_with
from tests.mcp.ways import ERAS, Way

EVERY = [(tool, argument.name) for tool in TOOLS for argument in tool.takes if argument.name not in WORDS]
KEY, NOT_OURS = "x-theirs-key", "x-nobody-key"
FINDS = ("corrections_rules", "corrections_list", "semantic_search")
"""Tools that find what there is of something, which may be nothing."""


@pytest.fixture(scope="module")
def those(api: Api) -> Strangers:
    """The strangers, on each engine; the known tenant called tools with a key, and was told a page token."""
    made = strangers(api)
    known = Asking(made.known)
    for tool in TOOLS:
        if any(argument.name == "idempotency_key" for argument in tool.takes):
            known.result(tool.name, **call_of(tool, made.first.own), idempotency_key=KEY)
    token = known("corrections_list", page_size=1)["next_page_token"]
    first = replace(made.first, knows={**made.first.knows, "key": KEY, "pageToken": token})
    second = replace(made.second, knows={**made.second.knows, "key": NOT_OURS, "pageToken": "AAAA"})
    return replace(made, first=first, second=second)


def asked(stranger: Stranger, way: Way, tool: Tool, given: dict[str, Any]) -> tuple[Any, list[str]]:
    """The result of a call, and the statements that it took."""
    stranger.caller.get("/v1/me")
    with counted() as statements:
        result = way(Asking(stranger.caller), "tools/call", {"name": tool.name, "arguments": given})["result"]
        stranger.caller.app.store.write(lambda tx: None).result(20)
    return result, statements


def alike(those: Strangers, way: Way, tool: Tool, mine: dict[str, Any], other: dict[str, Any]) -> Any:
    """The result for the one who knows the ids, which is the one for who knows nobody's."""
    result, statements = asked(those.first, way, tool, mine)
    twin, statements_of_twin = asked(those.second, way, tool, other)
    assert statements == statements_of_twin
    those.check(str(mine), str(result), str(twin))
    return result


def test_every_place_for_an_id_is_known() -> None:
    assert {tool.name for tool in TOOLS} == set(CALLS)
    assert {argument.name for tool in TOOLS for argument in tool.takes} == {*PLACES, *WORDS}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("tool", "place"), EVERY, ids=lambda one: one if isinstance(one, str) else one.name)
def test_an_id_of_another_tenant_in_one_argument(those: Strangers, tool: Tool, place: str, era: str) -> None:
    result = alike(
        those,
        ERAS[era],
        tool,
        call_with(tool, place, those.first.own, those.first.knows),
        call_with(tool, place, those.second.own, those.second.knows),
    )
    named = str(filled(PLACES[place], those.first.knows))
    if ULID.search(named) and tool.name not in FINDS:
        assert result["isError"], result


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_ids_of_another_tenant_in_every_argument(those: Strangers, tool: Tool) -> None:
    names = [
        argument.name
        for argument in tool.takes
        if argument.name in PLACES and argument.name != "duplicate_of"
    ]
    mine, other = call_of(tool, those.first.knows), call_of(tool, those.second.knows)
    for name in names:
        mine = call_with(tool, name, those.first.knows, those.first.knows) | mine
        other = call_with(tool, name, those.second.knows, those.second.knows) | other
    alike(those, ERAS["old"], tool, mine, other)
