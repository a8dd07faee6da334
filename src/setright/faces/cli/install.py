"""The command that installs Setright into a coding agent."""

from typing import Annotated

import typer

from setright.faces.cli.desk import Desk
from setright.faces.cli.installing import Client, DryRun, Everywhere, carry_out, place_of
from setright.faces.cli.wiring import AS_JSON, command, group
from setright.hooks.clients import WITH_GUARD, Wish
from setright.hooks.install import plan_install
from setright.hooks.place import Machine
from setright.hooks.program import cannot_start, program
from setright.hooks.server import reachable

app = group("Install Setright into a coding agent.")
LOCAL = "http://127.0.0.1:8321"
ASKS = {
    "claude-code": "Claude Code asks once whether the server of a project may start.",
    "codex": "Codex reads .codex only in a folder that it trusts.",
    "windsurf": "Windsurf has one list of servers for all projects, in your home folder.",
    "zed": "Zed starts the servers of a project once you trust its folder.",
    "vscode": "VS Code remembers the tools of a server: MCP: Reset Cached Tools reads them again.",
}


@command(app, "install", AS_JSON)
def install(
    desk: Desk,
    client: Client,
    guard: Annotated[
        bool, typer.Option("--guard", help=f"Also refuse calls that rules forbid ({', '.join(WITH_GUARD)}).")
    ] = False,
    everywhere: Everywhere = False,
    dry_run: DryRun = False,
    agent: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The agent's name in rules; left out, the client's name."),
    ] = None,
    space: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="The id of the project whose rules count too.")
    ] = None,
) -> None:
    """Install Setright into a coding agent: its tools, the briefing when a session starts, and with --guard the guard.

    Nothing of yours is overwritten: each file keeps every byte that is not ours, a second run changes nothing, and
    `setright uninstall` gives back what was there before. A token is never written, only the name SETRIGHT_TOKEN: put
    a service token there. With SETRIGHT_URL set, the tools are those of that server, else of the ledger of this machine.
    """
    place, machine = place_of(client, everywhere=everywhere), Machine()
    command_name, notes = program(), list[str]()
    reason = cannot_start(command_name, machine)
    address = "" if reason is None else f"{_server_of(machine)}/mcp"
    if reason is not None:
        notes.append(f"{reason}. So {client} is told to reach {address} over HTTP.")
        if client == "zed":
            notes.append(
                "Zed takes no variable there: add the header Authorization in its settings yourself."
            )
    if guard and client not in WITH_GUARD:
        notes.append(f"{client} has no hook before a call that is known, so there is no guard.")
    wish = Wish(command_name, agent or client, space or "", machine.url, address)
    changes = carry_out(
        desk, lambda: plan_install(client, place, wish, guard=guard), place, notes, dry_run=dry_run
    )
    if changes and not dry_run and not desk.out.as_json:
        _say_what_is_next(desk, client, named=bool(machine.url or address), everywhere=everywhere)


def _server_of(machine: Machine) -> str:
    server = reachable(machine)
    return server.url if server is not None else LOCAL


def _say_what_is_next(desk: Desk, client: str, *, named: bool, everywhere: bool) -> None:
    if named:
        desk.out.line(
            f"SETRIGHT_URL and SETRIGHT_TOKEN (a service token) must be set where {client} starts; neither token nor "
            "password was written."
        )
    else:
        desk.out.line("Its tools work on the ledger of this machine.")
    if client in ASKS and not (everywhere and client in ("claude-code", "codex", "zed")):
        desk.out.line(ASKS[client])
