"""The list of tools: what clients need of it, so that no tool is dropped, cut or taken for another."""

import json
from collections.abc import Iterator
from importlib.metadata import requires
from typing import Any

import pytest

from setright.faces.mcp import words
from setright.faces.mcp.server import listed
from setright.faces.mcp.table import TOOLS, chosen
from setright.faces.mcp.tool import Tool
from setright.kernel.actor import SCOPES

SEED = {
    "submit_correction": "interaction_id claim correction evidence scholar_id",
    "corrections_record": "account_id agent evidence expected kind noticed_by rule session severity space_id what_happened",
    "corrections_list": "account_id agent kind noticed_by page_size page_token space_id status",
    "corrections_rules": "account_id agent space_id",
    "corrections_update": "account_id correction_id duplicate_of rule status",
}


def every(tool: Tool) -> Iterator[dict[str, Any]]:
    """Every part of a tool's two schemas."""
    waiting: list[Any] = [tool.schema, dict(tool.result)]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += [*part.get("properties", {}).values(), *([part["items"]] if "items" in part else [])]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_is_listed_so_that_every_client_takes_it(tool: Tool) -> None:
    shown = listed(tool).model_dump(by_alias=True, exclude_none=True)
    hints = shown["annotations"]
    assert {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "title"} == set(hints)
    assert len(f"mcp__corrections__{tool.name}") <= 60
    assert len(tool.description) <= 600
    assert set(tool.scopes) <= set(SCOPES)
    for part in every(tool):
        assert isinstance(part["type"], str)
        assert not {"anyOf", "oneOf", "allOf", "$ref", "$defs", "title"} & set(part)
        assert "" not in part.get("enum", ["x"])
        assert not ("enum" in part and part["type"] != "string")
    assert all(argument.meaning.strip() for argument in tool.takes)
    assert not (tool.read_only and tool.destructive)


@pytest.mark.parametrize(("name", "arguments"), SEED.items())
def test_the_seed_s_tools_have_the_seed_s_arguments(name: str, arguments: str) -> None:
    tool = next(tool for tool in TOOLS if tool.name == name)
    assert set(arguments.split()) <= {argument.name for argument in tool.takes}


def test_the_whole_list_is_small_enough_for_an_assistant_s_window() -> None:
    whole = json.dumps(
        [
            listed(tool).model_dump(by_alias=True, exclude={"output_schema"}, exclude_none=True)
            for tool in TOOLS
        ]
    )
    assert len(whole) < 16_000
    assert len(words.INSTRUCTIONS) <= words.MOST_INSTRUCTIONS


def test_a_setting_leaves_only_some_tools() -> None:
    assert {tool.group for tool in chosen(["runs"])} == {"runs"}
    assert chosen([]) == TOOLS


def test_the_sdk_is_held_below_its_next_major_version() -> None:
    wanted = [one for one in requires("setright") or () if one.startswith("mcp")]
    assert wanted
    assert all("<3" in one for one in wanted)
