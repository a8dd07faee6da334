"""The commands about the database of this machine."""

import typer

from setright.app import machine
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import No
from setright.faces.cli.findings import show
from setright.faces.cli.wiring import OF_MACHINE, command, group

app = group("Upgrade or check the database of this machine.")


@command(app, "upgrade", OF_MACHINE)
def upgrade(desk: Desk) -> None:
    """Bring the database to the schema that this version needs; a SQLite file is copied aside first."""
    before, copy = machine.upgrade(desk.settings)
    place = machine.address(desk.settings).shown
    if desk.out.as_json:
        told = {"database": place, "before": before.found, "now": before.needed}
        desk.out.document(told | ({"copy": str(copy)} if copy else {}))
    elif before.fits:
        desk.out.line(f"{place} has the schema {before.needed} already.")
    else:
        was = "it is new" if before.found is None else f"it was {before.found}"
        desk.out.line(f"{place} has the schema {before.needed} now; {was}.")
        if copy is not None:
            desk.out.line(f"As it was before: {copy}")


@command(app, "check", OF_MACHINE)
def check(desk: Desk) -> None:
    """Read the whole database and say whether it is sound; exit 1 when it is not."""
    running = machine.open_app(desk.settings)
    try:
        found = machine.check(running)
    finally:
        running.close()
    show(desk.out, found)
    if any(finding.ok is False for finding in found):
        raise typer.Exit(No.code)
