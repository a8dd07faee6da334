"""The inspector and a linter of tool descriptions, on the command that assistants start."""

import json
import sys
from pathlib import Path

import pytest

from setright.faces.mcp.table import chosen
from tests_slow.conformance import tools

SETRIGHT = Path(sys.executable).with_name("setright")
LINTER = tools.ROOT / ".venv-conformance" / "bin" / "tdqs"


@pytest.mark.parametrize("group", ["lessons", "knowledge", "all"])
def test_the_inspector_finds_every_schema_fit_to_travel(tmp_path: Path, group: str) -> None:
    inspector = (
        tools.packages()
        / "@modelcontextprotocol"
        / "inspector"
        / "clients"
        / "launcher"
        / "build"
        / "index.js"
    )
    asked = (
        "--cli",
        SETRIGHT,
        "mcp",
        "--tools",
        group,
        "--method",
        "tools/list",
        "--strict",
        "--format",
        "json",
        "-q",
    )
    told = tools.run(tools.node(), inspector, *asked, folder=tmp_path)
    assert told.returncode == 0, told.stdout + told.stderr
    listed = [tool["name"] for tool in json.loads(told.stdout)["result"]["tools"]]
    assert listed == [tool.name for tool in chosen(() if group == "all" else (group,))]


def test_the_linter_of_descriptions_has_nothing_to_say(tmp_path: Path) -> None:
    told = tools.run(
        LINTER, "lint", "--command", f"{SETRIGHT} mcp --tools all", "--fail-on", "warning", folder=tmp_path
    )
    assert told.returncode == 0, told.stdout + told.stderr
