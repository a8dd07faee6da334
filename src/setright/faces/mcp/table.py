"""Every tool in the order in which it is listed, and which of them a setting leaves."""

from collections.abc import Sequence

from setright.faces.mcp import knowledge, lessons, runs, spaces
from setright.faces.mcp.tool import Tool

TOOLS: tuple[Tool, ...] = (
    lessons.RULES,
    lessons.RECORD,
    lessons.LIST,
    lessons.UPDATE,
    spaces.LIST,
    runs.GET,
    runs.CORRECT,
    knowledge.SEARCH,
    knowledge.SUMMARIZE,
    knowledge.INTERPRET,
    knowledge.SUBMIT,
)
GROUPS = tuple(dict.fromkeys(tool.group for tool in TOOLS))


def chosen(groups: Sequence[str]) -> tuple[Tool, ...]:
    """The tools of these groups, in the order of the table; without groups every tool."""
    return tuple(tool for tool in TOOLS if not groups or tool.group in groups)
