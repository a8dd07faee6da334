"""The command that lets the first person into the ledger of this machine."""

from typing import Annotated, Any

import typer

from setright import identity
from setright.app import machine
from setright.app.assemble import RunningApp
from setright.faces.cli import local_token
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import No
from setright.faces.cli.wiring import OF_MACHINE, command, group
from setright.kernel.errors import Refusal

app = group("Make the first tenant, project, user and token.")
CALLED = "bootstrap"


@command(app, "bootstrap", OF_MACHINE)
def bootstrap(
    desk: Desk,
    tenant: Annotated[str, typer.Option(metavar="NAME", help="The tenant's name.")] = "local",
    project: Annotated[str, typer.Option(metavar="ID", help="The id of its first project.")] = "default",
    user: Annotated[
        str, typer.Option(metavar="NAME", help="The name of its first user, an admin.")
    ] = "admin",
) -> None:
    """Make the first tenant, project, user and token; a lost token is replaced by a new one.

    It needs no token, because whoever can open the database holds everything in it. A missing SQLite file is made.
    """
    machine.make_ready(desk.settings)
    running = machine.open_app(desk.settings)
    try:
        told = _let_in(running, tenant, project, user)
    finally:
        running.close()
    if desk.out.as_json:
        desk.out.document(told)
        return
    desk.out.fields({name: told.get(key) for key, name in _NAMES.items()})
    if told["made"] == "nothing":
        desk.out.note("There is a tenant already, and the token in that file lets you in; nothing was made.")
    else:
        desk.out.note("The token is shown this once, and kept in that file for the commands of this machine.")


_NAMES = {
    "database": "database",
    "tenant": "tenant",
    "project": "project",
    "user": "user",
    "token": "token",
    "tokenFile": "kept in",
}


def _let_in(running: RunningApp, tenant: str, project: str, user: str) -> dict[str, Any]:
    file = local_token.token_file(running.settings)
    told: dict[str, Any] = {
        "made": "nothing",
        "database": machine.address(running.settings).shown,
        "tokenFile": str(file),
    }
    made = machine.first_tenant(running, tenant, project, user, lambda secret: local_token.keep(file, secret))
    if made is not None:
        told |= {
            "made": "tenant",
            "tenant": made.tenant.name,
            "project": made.project.id,
            "user": made.user.name,
        }
        return told | {"token": made.issued.secret}
    found = _wanted(running, tenant)
    told["tenant"] = found.name
    if _still_lets_in(running, local_token.kept(file), found):
        return told
    again = machine.new_token(running, found, CALLED)
    if again is None:
        raise No(f"The tenant {found.name} has no active admin who could get a token.", kind="no-admin")
    admin, secret = again
    local_token.keep(file, secret)
    return told | {"made": "token", "user": admin.name, "token": secret}


def _wanted(running: RunningApp, name: str) -> identity.Tenant:
    """The tenant of that name among those that are there already."""
    known = machine.tenants(running)
    for tenant in known:
        if tenant.name == name:
            return tenant
    raise No(
        f"There are tenants already ({', '.join(tenant.name for tenant in known)}), and none is named {name}.",
        advice=[f"setright tenant create {name} makes a further one", "--tenant NAME names the one you mean"],
        kind="tenants-exist",
    )


def _still_lets_in(running: RunningApp, secret: str | None, tenant: identity.Tenant) -> bool:
    try:
        return secret is not None and machine.authenticates(running, secret).tenant.id == tenant.id
    except Refusal:
        return False
