"""The commands about the tenants of this machine's ledger."""

from typing import Annotated

import typer

from setright.app import machine
from setright.faces.cli.desk import Desk
from setright.faces.cli.tenant_limits import Wanted, limit
from setright.faces.cli.wiring import OF_MACHINE, command, group
from setright.kernel.clock import to_wire

app = group("Tenants of the ledger of this machine.")


@command(app, "list", OF_MACHINE)
def list_tenants(desk: Desk) -> None:
    """List the tenants, oldest first."""
    running = machine.open_app(desk.settings)
    try:
        found = machine.tenants(running)
    finally:
        running.close()
    if desk.out.as_json:
        desk.out.document(
            {
                "data": [
                    {"id": tenant.id, "name": tenant.name, "createdAt": to_wire(tenant.created_at)}
                    for tenant in found
                ],
                "hasMore": False,
            }
        )
    elif found:
        desk.out.table(
            ("ID", "NAME", "MADE"), [(tenant.id, tenant.name, to_wire(tenant.created_at)) for tenant in found]
        )
    else:
        desk.out.note("There is no tenant yet; setright bootstrap makes the first.")


@command(app, "create", OF_MACHINE)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The tenant's name, one of its kind.")],
    project: Annotated[str, typer.Option(metavar="ID", help="The id of its first project.")] = "default",
    user: Annotated[
        str, typer.Option(metavar="NAME", help="The name of its first user, an admin.")
    ] = "admin",
) -> None:
    """Make a further tenant with its first project and admin; the admin's token is shown this once."""
    running = machine.open_app(desk.settings)
    try:
        made = machine.new_tenant(running, name, project, user)
    finally:
        running.close()
    told = {
        "tenant": {"id": made.tenant.id, "name": made.tenant.name},
        "project": {"id": made.project.id, "name": made.project.name},
        "user": {"id": made.user.id, "name": made.user.name},
        "token": {"id": made.issued.token.id, "secret": made.issued.secret},
    }
    if desk.out.as_json:
        desk.out.document(told)
        return
    desk.out.fields(
        {
            "tenant": f"{made.tenant.name} ({made.tenant.id})",
            "project": made.project.id,
            "user": f"{made.user.name} ({made.user.id})",
            "token": made.issued.secret,
        }
    )
    desk.out.note("The token is shown this once, and kept nowhere; keep it now.")


@command(app, "limits", OF_MACHINE)
def limits(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The tenant, by name or id.")],
    wanted: Wanted,
) -> None:
    """Show what limits a tenant, how much of it is used, and set limits of its own; they hold from its next call on."""
    limit(desk, name, wanted)
