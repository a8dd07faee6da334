"""The command that assistants start: MCP over standard input and output."""

import os
from typing import Annotated, Literal

import typer

from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Serve an assistant over MCP, on standard input and output.")


@command(app, "mcp", OF_LEDGER)
def mcp(
    desk: Desk,
    tools: Annotated[
        Literal["lessons", "knowledge", "runs", "all"],
        typer.Option(
            metavar="GROUP", help="Which tools are shown on the ledger of this machine: lessons, runs or all."
        ),
    ] = "lessons",
) -> None:
    """Serve an assistant over MCP on standard input and output, until its input ends.

    With SETRIGHT_URL (or --url) and SETRIGHT_TOKEN it passes everything on to that server. Without, it works on the
    ledger of this machine as the service local-assistant; a missing SQLite file is made, an old one never upgraded.
    """
    if desk.url is None:
        _on_this_machine(desk, tools)
        return
    token = os.environ.get("SETRIGHT_TOKEN")
    if not token:
        raise Cannot(
            f"SETRIGHT_TOKEN is not set, and {desk.url} lets nobody in without a token.",
            advice=["set it to a service token of that server, in the environment of this command"],
            kind="not-configured",
        )
    from setright.faces.mcp import relay

    relay.serve(desk.url, token)


def _on_this_machine(desk: Desk, tools: str) -> None:
    from setright.faces.cli.assistant_token import secret_of_assistant
    from setright.faces.cli.opening import open_ledger
    from setright.faces.mcp import stdio

    opened = open_ledger(desk.settings)
    try:
        stdio.serve(opened.app, secret_of_assistant(opened), () if tools == "all" else (tools,))
    finally:
        opened.app.close()
