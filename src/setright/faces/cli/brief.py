"""The command that tells an agent what holds, when a session starts."""

from typing import Annotated

import typer

from setright.faces.cli.wiring import group
from setright.hooks import brief as hook
from setright.hooks.formats import FORMATS

app = group("Print the rules in force for an agent, as a hook of its client does when a session starts.")


@app.command("brief")
def brief(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LESSON]...", help="With --explain: also why these are in or out."),
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="The agent; left out: only the rules for every agent.")
    ] = None,
    space: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="The id of the project whose rules count too.")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"How it is printed: {', '.join(FORMATS)}.")
    ] = "text",
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The session that starts; else the one that the hook's input names."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each rule is in, or out.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:
    """Print the rules in force for an agent: what its client calls when a session starts.

    The server of SETRIGHT_URL is asked, else the one that serves the ledger of this machine, else the ledger itself;
    where nobody answers within 2 seconds (3 in all), it is the last briefing. It always exits with 0. Each briefing
    also brings the guard its rules, and sends what the guard stopped. `setright-brief` is the same command.
    """
    words = ["--agent", agent or "", "--space", space or "", "--format", form]
    words += ["--session", session] if session else []
    words += ["--explain"] * explain + ["--json"] * as_json + (lessons or [])
    raise typer.Exit(hook.main(words))
