"""The command that erases, and says what it erased."""

import time
from typing import Annotated

import typer

from setright.client import Erasure
from setright.faces.cli.asking import ask_person
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command

app = typer.Typer(add_completion=False)
PAUSE_SECONDS = 0.2
PATIENCE_SECONDS = 600.0


@command(app, "erase", OF_LEDGER)
def erase(
    desk: Desk,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, for who reads the record later; never who is erased.")
    ],
    participant: Annotated[
        str | None, typer.Option(metavar="ID", help="Everything of an app's end user, until now.")
    ] = None,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="A run, and what was said of it.")] = None,
    user: Annotated[
        str | None, typer.Option(metavar="USER", help="A user: a pseudonym stands in their place.")
    ] = None,
    words: Annotated[
        bool, typer.Option("--words", help="With --user: every text that they wrote, too.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would be erased.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask. There is no way back.")] = False,
) -> None:
    """Take somebody's words out of every room, for good; what stays are shells without words."""
    if not (dry_run or yes):
        ask_person(desk, "What is erased cannot be brought back, not from a backup either. Erase?")
    wish = {"participant_id": participant, "run_id": run, "user_id": user}
    made = desk.client.erasures.create(
        reason=reason, dry_run=dry_run or None, words="erase" if words else None, **wish
    )
    _show(desk, made if dry_run else _followed(desk, made))


def _followed(desk: Desk, made: Erasure) -> Erasure:
    """The erasure at its end."""
    until = time.monotonic() + PATIENCE_SECONDS
    while made.id is not None and made.state == "running":
        if time.monotonic() > until:
            raise Cannot(
                f"Erasure {made.id} still runs.",
                advice=["setright jobs list --name erase tells how far it is"],
                kind="not-done-yet",
            )
        desk.wait(PAUSE_SECONDS)
        made = desk.client.erasures.get(made.id)
    return made


def _show(desk: Desk, made: Erasure) -> None:
    if desk.out.as_json:
        desk.out.document(made.raw)
    else:
        counted = {f"{name}": count for name, count in (made.counts or {}).items()}
        desk.out.fields(
            {
                "id": made.id,
                "kind": made.kind,
                "state": made.state,
                "pseudonym": made.pseudonym,
                "held by": made.held_by,
                **(counted or {"counts": "nothing"}),
                "ended": moment(made.ended_at) or None,
            }
        )
    if made.state == "blocked":
        raise typer.Exit(1)
