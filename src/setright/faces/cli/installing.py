"""What installing into a coding agent and taking out have in common."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.hooks.clients import CLIENTS, Place
from setright.hooks.install import CannotInstall, Change, Plan, write

Client = Annotated[str, typer.Argument(metavar="CLIENT", help=f"One of: {', '.join(CLIENTS)}.")]
Everywhere = Annotated[
    bool,
    typer.Option("--global", help="For every project of this user; else for the folder that you are in."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only print what would change.")]


def place_of(client: str, *, everywhere: bool) -> Place:
    """Where a client reads, in this folder or for this user; an unknown client is refused with those that are known."""
    if client not in CLIENTS:
        raise Cannot(f"There is no client {client!r:.80}; one of: {', '.join(CLIENTS)}.", kind="usage")
    home = Path.home()
    return Place(home if everywhere else Path.cwd(), home, everywhere, sys.platform, os.environ)


def carry_out(
    desk: Desk, plan: Callable[[], Plan], place: Place, notes: Sequence[str], *, dry_run: bool
) -> Sequence[Change]:
    """Write what was planned, or only show it; a file that ours does not fit into ends it before anything is written."""
    try:
        made = plan()
    except CannotInstall as error:
        raise Cannot(f"{error}.", kind="file-not-usable") from error
    if not dry_run:
        write(made, place)
    if desk.out.as_json:
        desk.out.document(_document(made, [*notes, *made.notes], dry_run=dry_run))
        return made.changes
    for note in (*notes, *made.notes):
        desk.out.note(note)
    for change in made.changes:
        shown = str(change.file)
        desk.out.line(
            change.diff(shown).rstrip("\n") if dry_run else f"{_done(change).capitalize()}: {shown}"
        )
    if not made.changes:
        desk.out.line("Nothing to change: all is as it would be.")
    elif dry_run:
        desk.out.line("Nothing was written (--dry-run).")
    return made.changes


def _document(plan: Plan, notes: Sequence[str], *, dry_run: bool) -> dict[str, object]:
    changes: list[dict[str, str]] = []
    for change in plan.changes:
        told = {"file": str(change.file), "change": _done(change)}
        changes.append({**told, "diff": change.diff(str(change.file))} if dry_run else told)
    return {"dryRun": dry_run, "changes": changes, "notes": list(notes)}


def _done(change: Change) -> str:
    if change.before is None:
        return "made"
    return "removed" if change.after is None else "changed"
