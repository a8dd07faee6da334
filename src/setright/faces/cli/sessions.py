"""The commands about sessions: who is signed in, and ending that."""

from typing import Annotated

import typer

from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Who is signed in.")
LOOKS = lists.Looks(
    ("ID", "USER", "SIGNED IN", "LAST USED", "IDLE UNTIL", "ENDS"),
    lambda session: (
        session.id,
        session.user_id,
        moment(session.created_at),
        moment(session.seen_at),
        moment(session.idle_until),
        moment(session.expires_at),
    ),
    "Nobody is signed in.",
)


@command(app, "list", OF_LEDGER)
def list_sessions(
    desk: Desk,
    wanted: lists.Wanted,
    user: Annotated[
        str | None, typer.Option(metavar="USER", help="Name or id of a user, for an admin of the tenant.")
    ] = None,
) -> None:
    """List your sessions that let in, newest first."""
    user_id = None if user is None else names.user(desk.client, user)
    lists.show(desk.out, desk.client.sessions.page, LOOKS, wanted, user_id=user_id)


@command(app, "end", OF_LEDGER)
def end(desk: Desk, session: Annotated[str, typer.Argument(metavar="SESSION", help="Id of it.")]) -> None:
    """End a session at once."""
    ended = desk.client.sessions.end(session)
    if desk.out.as_json:
        desk.out.document(ended.raw)
    else:
        desk.out.line(f"{ended.id} lets nobody in any more.")
