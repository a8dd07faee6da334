"""The commands about what the tools of a project do."""

from functools import partial
from typing import Annotated, Literal

import typer

from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.options import InProject
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("What the tools of a project do: read, or write.")

Tool = Annotated[str, typer.Argument(metavar="TOOL", help="The tool's name as it stands in runs.")]
TOOLS = lists.Looks(
    ("TOOL", "EFFECT", "BY", "AT"),
    lambda tool: (tool.tool, tool.effect, tool.by.id if tool.by else None, moment(tool.at)),
    "Nothing is declared of this project's tools.",
)


@command(app, "list", OF_LEDGER)
def list_tools(desk: Desk, project: InProject, wanted: lists.Wanted) -> None:
    """List what was declared of a project's tools; once any is declared, all others count as write."""
    project_id = names.project(desk.client, project)
    lists.show(
        desk.out,
        partial(desk.client.projects.tools.page, project_id),
        TOOLS,
        wanted,
    )


@command(app, "set", OF_LEDGER)
def set_tool(
    desk: Desk,
    tool: Tool,
    effect: Annotated[Literal["read", "write"], typer.Argument(metavar="EFFECT", help="read or write.")],
    project: InProject,
) -> None:
    """Declare what a tool does: read leaves everything as it is, write changes something."""
    made = desk.client.projects.tools.put(names.project(desk.client, project), tool, effect)
    if desk.out.as_json:
        desk.out.document(made.raw)
        return
    desk.out.line(f"{made.tool} counts as {made.effect} in project {project}.")


@command(app, "drop", OF_LEDGER)
def drop_tool(desk: Desk, tool: Tool, project: InProject) -> None:
    """Take back what was declared of a tool."""
    desk.client.projects.tools.remove(names.project(desk.client, project), tool)
    if desk.out.as_json:
        desk.out.document({"tool": tool, "effect": None})
        return
    desk.out.line(f"Nothing is declared of {tool} in project {project} any more.")
