"""The command that says whether the record can be believed."""

import typer

from setright.app import machine, verifying
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import No
from setright.faces.cli.wiring import OF_MACHINE, command

app = typer.Typer(add_completion=False)


@command(app, "verify", OF_MACHINE)
def verify(desk: Desk) -> None:
    """Hold every event of the ledger of this machine against its seal; exit 1 when one was changed, moved or cut out.

    Each event is sealed over the one before it: on SQLite when it is written, on PostgreSQL by a worker within a minute.
    """
    running = machine.open_app(desk.settings)
    try:
        found = verifying.verify(running, lambda _: None)
    finally:
        running.close()
    if desk.out.as_json:
        desk.out.document(
            {
                "tenants": [
                    {
                        "name": name,
                        "id": one.tenant_id,
                        "sealed": one.sealed,
                        "waiting": one.waiting,
                        "ok": one.wrong is None,
                        **({} if one.wrong is None else {"wrong": one.wrong, "seq": one.broken_at}),
                    }
                    for name, one in found
                ]
            }
        )
    else:
        for name, one in found:
            waits = f", {one.waiting} not sealed yet" if one.waiting else ""
            if one.wrong is None:
                desk.out.line(f"{name}: {one.sealed} events are as they were sealed{waits}.")
            else:
                where = "" if one.broken_at is None else f" at event {one.broken_at}"
                desk.out.line(f"{name}: broken{where} after {one.sealed} that are whole: {one.wrong}.")
    if any(one.wrong is not None for _, one in found):
        raise typer.Exit(No.code)
