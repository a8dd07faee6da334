"""The command that signs a person in at a server."""

from typing import Annotated

import typer

from setright.client import Session, Setright
from setright.faces.cli import hidden, kept_session
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Sign in at a server.")
NOBODY = "signing-in"
"""What a client sends in place of a token while it has none: signing in looks at none."""


@command(app, "sign-in", OF_LEDGER)
def sign_in(
    desk: Desk,
    email: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Your e-mail address.")] = None,
    tenant: Annotated[
        str | None, typer.Option(metavar="NAME", help="Your tenant, where the server has more than one.")
    ] = None,
    invitation: Annotated[
        bool, typer.Option("--invitation", help="Set your password by an invitation that you were given.")
    ] = False,
    new_password: Annotated[
        bool, typer.Option("--new-password", help="Put another password in the place of yours.")
    ] = False,
) -> None:
    """Sign in at a server (SETRIGHT_URL or --url); commands without SETRIGHT_TOKEN then act as you there.

    Passwords are asked for, at the terminal or a line each from standard input, and never given as an argument.
    """
    url = desk.url
    if url is None:
        raise Cannot(
            "There is no server to sign in at: on the ledger of this machine you are its person already.",
            advice=["--url URL, or SETRIGHT_URL, names a server"],
            kind="no-server",
        )
    if invitation and (new_password or email or tenant):
        raise Cannot("--invitation goes alone: it tells who you are.", kind="usage")
    with Setright(url, NOBODY, timeout=60) as client:
        opened = _opened(client, email, tenant, invitation=invitation, new_password=new_password)
    _show(desk, opened, str(kept_session.keep(desk.settings, url, opened.secret or "")))


def _show(desk: Desk, opened: Session, file: str) -> None:
    if desk.out.as_json:
        shown = {name: value for name, value in opened.raw.items() if name != "secret"}
        desk.out.document({**shown, "keptIn": file})
        return
    desk.out.fields(
        {
            "session": opened.id,
            "user": opened.user_id,
            "idle until": moment(opened.idle_until),
            "ends": moment(opened.expires_at),
            "kept in": file,
        }
    )
    desk.out.note("You are signed in. setright sign-out ends the session.")


def _opened(
    client: Setright, email: str | None, tenant: str | None, *, invitation: bool, new_password: bool
) -> Session:
    if invitation:
        given = hidden.ask("Invitation")
        return client.sessions.set_password(hidden.ask_new_password(), invitation=given.strip())
    address = email or typer.prompt("E-mail address", err=True)
    password = hidden.ask("Password")
    if not new_password:
        return client.sessions.create(address, password, tenant=tenant)
    return client.sessions.set_password(
        hidden.ask_new_password(), email=address, old_password=password, tenant=tenant
    )
