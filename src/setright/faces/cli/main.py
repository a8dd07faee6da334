"""The `setright` command: its help is answered at once, and each command is loaded when it is called."""

import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import typer
from typer.core import TyperGroup

LEDGER = "The ledger"
CODING = "Coding agents"
PEOPLE = "Who may do what"
MACHINE = "This machine"

COMMANDS = {
    "demo": ("demo", MACHINE, "Play the story of one correction on a server of its own."),
    "serve": ("serve", MACHINE, "Start the server; without any setting it makes a ledger for you."),
    "doctor": ("doctor", MACHINE, "Say what is set up, and what is wrong or unsafe."),
    "bootstrap": ("bootstrap", MACHINE, "Make the first tenant, project, user and token."),
    "tenant": ("tenants", MACHINE, "Tenants of the ledger of this machine."),
    "worker": ("worker", MACHINE, "Do the jobs of a PostgreSQL database, beside the servers."),
    "mcp": ("mcp", MACHINE, "Serve an assistant over MCP, on standard input and output."),
    "verify": ("verifying", MACHINE, "Hold every event of the ledger against its seal."),
    "db": ("database", MACHINE, "Back up, restore, upgrade or check the database of this machine."),
    "runs": ("runs", LEDGER, "What agents and flows did."),
    "corrections": ("corrections", LEDGER, "What was right instead."),
    "review": ("reviews", LEDGER, "Review queues: runs that people judge, blind to each other."),
    "lessons": ("lessons", LEDGER, "What agents were corrected about, and the rules that came of it."),
    "knowledge": ("knowledge", LEDGER, "Texts and what is said of their words, with citations."),
    "rules": ("rules", LEDGER, "The rules in force that agents follow."),
    "versions": ("versions", LEDGER, "Which version of an agent or flow runs where."),
    "tools": ("tools", LEDGER, "What the tools of a project do: read, or write."),
    "test": ("testing", LEDGER, "Hold a version of an agent against the corrections."),
    "test-runs": ("test_runs", LEDGER, "Versions held against corrections: what came out, what changed."),
    "jobs": ("jobs", LEDGER, "Work that goes on after the request that asked for it."),
    "erase": ("erasing", LEDGER, "Take somebody's words out of every room, for good."),
    "legal-hold": ("legal_holds", LEDGER, "Keep somebody's words from being erased."),
    "retention": ("retention", LEDGER, "How long content is kept, and cutting what is older."),
    "reads": ("reads", LEDGER, "Who was shown what runs said."),
    "import": ("imports", LEDGER, "Bring runs in from the files of other tools."),
    "limits": ("limits", LEDGER, "What limits you, and how much of it is used."),
    "openapi": ("openapi", LEDGER, "Print the OpenAPI document of the HTTP API."),
    "install": ("install", CODING, "Install Setright into a coding agent."),
    "uninstall": ("uninstall", CODING, "Take Setright out of a coding agent again."),
    "brief": ("brief", CODING, "Print the rules in force for an agent, when a session starts."),
    "guard": ("guard", CODING, "Refuse a call that a rule in force forbids."),
    "project": ("projects", PEOPLE, "Projects and their members."),
    "group": ("groups", PEOPLE, "Corrector groups: names to correct under, and how much that counts."),
    "scholars": ("scholars", PEOPLE, "Scholars: to whom readings are attributed, and who may speak as one."),
    "user": ("users", PEOPLE, "The people of the tenant."),
    "sign-in": ("sign_in", PEOPLE, "Sign in at a server, by e-mail address and password."),
    "sign-out": ("sign_out", PEOPLE, "End your session at a server."),
    "sessions": ("sessions", PEOPLE, "Who is signed in."),
    "token": ("tokens", PEOPLE, "What lets users and services in."),
}
"""Name of each command to its module, the panel that shows it, and its one line of help."""


class Commands(TyperGroup):
    """The commands, each a line of help until it is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was called, loaded now; one that cannot be loaded says why."""
        if args and args[0] in COMMANDS:
            self.commands[args[0]] = load(args[0], as_json="--json" in args)
        return super().resolve_command(ctx, args)


def load(name: str, *, as_json: bool = False) -> Any:
    """The command called `name`; exits with 2 when it cannot be loaded, as without a package that it needs."""
    try:
        module = import_module(f"setright.faces.cli.{COMMANDS[name][0]}")
    except Exception as error:
        from setright.faces.cli.failures import explain, tell

        stop = explain(error)
        tell(stop, as_json=as_json)
        raise typer.Exit(stop.code) from error
    command = typer.main.get_command(module.app)
    command.name = name
    return command


app = typer.Typer(
    cls=Commands,
    name="setright",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from setright import __version__

        typer.echo(f"setright {__version__}")
        raise typer.Exit


@app.callback()
def setright(
    _version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version and leave."
    ),
) -> None:
    """Setright, the corrections ledger for AI agents: correct it once, and it stays right.

    With SETRIGHT_URL and SETRIGHT_TOKEN the commands work on that server, without on the ledger of this machine.
    """


def _not_loaded() -> None:
    """Stand for a command in the list of commands; `Commands` puts the loaded one in its place."""


for _name, (_module, _panel, _help) in COMMANDS.items():
    app.command(_name, help=_help, rich_help_panel=_panel)(_not_loaded)


def main() -> None:
    """Run the command line of this process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A text that the terminal cannot show is written as escapes instead of ending the command.
            stream.reconfigure(errors="backslashreplace")
    app()
