"""The command that plays the story of one correction."""

import sys
from typing import Annotated

import typer

from setright.demo.main import run
from setright.faces.cli.desk import Desk
from setright.faces.cli.wiring import AS_JSON, command, group

app = group("Play the story of one correction on a server of its own.")


@command(app, "demo", AS_JSON)
def demo(
    desk: Desk,
    once: Annotated[bool, typer.Option("--once", help="End after the story.")] = False,
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, metavar="NUMBER", help="Where the server listens; 0: a free port."),
    ] = 0,
) -> None:
    """Play the story of one correction on a server of its own, in a new folder that is removed afterwards.

    The story goes through the real HTTP API; then the server stays up, with three things to try. With --json the
    story goes to stderr.
    """
    code = run(once, port, sys.stderr if desk.out.as_json else sys.stdout)
    if desk.out.as_json:
        desk.out.document({"good": code == 0})
    raise typer.Exit(code)
