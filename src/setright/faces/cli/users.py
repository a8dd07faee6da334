"""The commands about the people of the tenant."""

from typing import Annotated, Any, Literal

import typer

from setright.client import User
from setright.faces.cli import hidden, lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.options import Key, RoleName
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

RoleOrNone = Literal["read", "write", "admin", "none"]

app = group("The people of the tenant.")
LOOKS = lists.Looks(
    ("ID", "NAME", "E-MAIL", "ROLE", "MADE", "DISABLED"),
    lambda user: (
        user.id,
        user.name,
        user.email,
        user.role,
        moment(user.created_at),
        moment(user.disabled_at),
    ),
    "There are no users.",
)


@command(app, "list", OF_LEDGER)
def list_users(
    desk: Desk,
    wanted: lists.Wanted,
) -> None:
    """List the users, newest first."""
    lists.show(desk.out, desk.client.users.page, LOOKS, wanted)


@command(app, "create", OF_LEDGER)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The user's name, one of its kind.")],
    email: Annotated[str | None, typer.Option(metavar="ADDRESS", help="The user's e-mail address.")] = None,
    external_id: Annotated[
        str | None, typer.Option(metavar="ID", help="The id that your identity provider has for the user.")
    ] = None,
    role: Annotated[
        RoleName | None,
        typer.Option(help="A role in every project; without one, `project member put` gives one."),
    ] = None,
) -> None:
    """Make a user; `setright token create --user NAME` lets that user in."""
    _show(desk, desk.client.users.create(name=name, email=email, external_id=external_id, role=role))
    desk.out.note(f"Let the user in: setright token create --user {name!r}")


@command(app, "change", OF_LEDGER)
def change(
    desk: Desk,
    user: Annotated[str, typer.Argument(metavar="USER", help="Name or id.")],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Another name.")] = None,
    email: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Another e-mail address.")] = None,
    external_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Another id at your identity provider; none takes it away."),
    ] = None,
    role: Annotated[
        RoleOrNone | None,
        typer.Option(help="Another role in every project; none takes it away."),
    ] = None,
    no_email: Annotated[bool, typer.Option("--no-email", help="Take the e-mail address away.")] = False,
    key: Key = None,
) -> None:
    """Give a user another name, e-mail address or role."""
    if no_email and email is not None:
        raise Cannot("--no-email takes the address away; give it without --email.", kind="usage")
    said: dict[str, Any] = {"name": name, "email": email, "external_id": external_id, "role": role}
    changes = {field: value for field, value in said.items() if value is not None}
    if no_email:
        changes["email"] = None
    for field in ("role", "external_id"):
        if changes.get(field) == "none":
            changes[field] = None
    if not changes:
        raise Cannot(
            "Say what becomes different: --name, --email, --no-email, --external-id or --role.", kind="usage"
        )
    _show(desk, desk.client.users.change(names.user(desk.client, user), key=key, **changes))


@command(app, "disable", OF_LEDGER)
def disable(desk: Desk, user: Annotated[str, typer.Argument(metavar="USER", help="Name or id.")]) -> None:
    """Shut a user out for good: every token stops at once, what the user said stays."""
    _show(desk, desk.client.users.disable(names.user(desk.client, user)))


@command(app, "invite", OF_LEDGER)
def invite(desk: Desk, user: Annotated[str, typer.Argument(metavar="USER", help="Name or id.")]) -> None:
    """Make an invitation, by which a user with an e-mail address sets a password; an earlier one stops working."""
    made = desk.client.users.invite(names.user(desk.client, user))
    if desk.out.as_json:
        desk.out.document(made.raw)
        return
    desk.out.fields({"user": made.user_id, "ends": moment(made.expires_at), "invitation": made.secret})
    desk.out.note(
        "It works once, and is shown this once. Hand it over yourself: setright sign-in --invitation"
    )


@command(app, "set-password", OF_LEDGER)
def set_password(
    desk: Desk, user: Annotated[str, typer.Argument(metavar="USER", help="Name or id.")]
) -> None:
    """Set the password of a user with an e-mail address, who is signed out everywhere; yours, as a rule.

    It is asked for, at the terminal or as a line from standard input. To others give an invitation instead.
    """
    user_id = names.user(desk.client, user)
    made = desk.client.users.invite(user_id)
    opened = desk.client.sessions.set_password(hidden.ask_new_password(), invitation=made.secret)
    desk.client.sessions.end(opened.id)
    if desk.out.as_json:
        desk.out.document({"userId": user_id, "passwordSet": True})
    else:
        desk.out.line(f"The password of {user} is set.")


def _show(desk: Desk, user: User) -> None:
    if desk.out.as_json:
        desk.out.document(user.raw)
        return
    desk.out.fields(
        {
            "id": user.id,
            "name": user.name,
            "e-mail": user.email,
            "external id": user.external_id,
            "role": user.role,
            "made": moment(user.created_at),
            "disabled": moment(user.disabled_at) or None,
        }
    )
