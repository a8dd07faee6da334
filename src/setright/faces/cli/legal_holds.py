"""The commands about legal holds."""

from typing import Annotated

import typer

from setright.client import LegalHold
from setright.faces.cli import lists
from setright.faces.cli.desk import Desk
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Keep somebody's words from being erased.")

HOLDS = lists.Looks(
    ("ID", "KIND", "TARGET", "REASON", "PLACED", "RELEASED"),
    lambda hold: (
        hold.id,
        hold.kind,
        hold.target,
        hold.reason,
        moment(hold.created_at),
        moment(hold.released_at) or None,
    ),
    "Nothing was ever held.",
)


@command(app, "place", OF_LEDGER)
def place(
    desk: Desk,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why it must be kept.")],
    participant: Annotated[str | None, typer.Option(metavar="ID", help="An app's end user.")] = None,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="A run.")] = None,
    user: Annotated[str | None, typer.Option(metavar="USER", help="A user.")] = None,
    project: Annotated[str | None, typer.Option(metavar="PROJECT", help="Every run of a project.")] = None,
) -> None:
    """Keep exactly one of an end user, a run, a user and a project from being erased."""
    wish = {"participant_id": participant, "run_id": run, "user_id": user, "project_id": project}
    _show(desk, desk.client.erasures.place_hold(reason=reason, **wish))


@command(app, "list", OF_LEDGER)
def list_holds(desk: Desk, wanted: lists.Wanted) -> None:
    """List legal holds, newest first, released ones too."""
    lists.show(desk.out, desk.client.erasures.holds_page, HOLDS, wanted)


@command(app, "release", OF_LEDGER)
def release(desk: Desk, hold: Annotated[str, typer.Argument(metavar="HOLD", help="Id of the hold.")]) -> None:
    """Let what a hold kept be erased again."""
    _show(desk, desk.client.erasures.release_hold(hold))


def _show(desk: Desk, hold: LegalHold) -> None:
    if desk.out.as_json:
        desk.out.document(hold.raw)
        return
    desk.out.fields(
        {
            "id": hold.id,
            "kind": hold.kind,
            "target": hold.target,
            "reason": hold.reason,
            "placed": moment(hold.created_at),
            "released": moment(hold.released_at) or None,
        }
    )
