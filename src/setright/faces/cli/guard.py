"""The command that refuses a call which a rule forbids."""

from typing import Annotated

import typer

from setright.faces.cli.wiring import group
from setright.hooks import guard as hook

app = group(
    "Refuse a call that a rule in force forbids, as a hook of an agent's client does before each call."
)


@app.command("guard")
def guard(
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="The agent, as `brief` was told it.")
    ] = None,
    space: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="The project's id, as `brief` was told it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout, too.")] = False,
) -> None:
    """Refuse a call that a rule in force forbids: what an agent's client calls before each call of a tool.

    Reads `{"tool_name": ..., "tool_input": {...}}` on stdin. A call is refused (exit code 2, the rule on stderr) only
    if its tool and every field that the rule names are as written there. Rules come from the last briefing of this
    agent and project; one older than a day blocks nothing, and a failure of the guard never does: it exits with 0
    and a line on stderr. `setright-guard` is the same command.
    """
    words = ["--agent", agent or "", "--space", space or "", *["--json"] * as_json]
    raise typer.Exit(hook.main(words))
