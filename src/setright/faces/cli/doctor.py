"""The command that says what is set up on this machine, and what is wrong or unsafe."""

from dataclasses import asdict
from typing import Any, cast

import typer

from setright.app import machine
from setright.app.settings import database_url, sources
from setright.faces.cli import looks
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import No
from setright.faces.cli.findings import show
from setright.faces.cli.wiring import OF_SERVER, command, group

app = group("Say what is set up, and what is wrong or unsafe.")


@command(app, "doctor", OF_SERVER)
def doctor(desk: Desk) -> None:
    """Say what is set up, and what is wrong or unsafe; exit 1 when something is.

    It looks with the settings that `serve` would have: give it the same flags.
    """
    settings = desk.settings
    found = [finding for look in looks.ALL for finding in looks.safely(look, settings)]
    given = _settings(desk)
    show(desk.out, found, settings=given)
    if not desk.out.as_json:
        desk.out.line("")
        desk.out.table(
            ("SETTING", "VALUE", "FROM"),
            [(name, each["value"], each["from"]) for name, each in given.items()],
        )
    if any(finding.ok is False for finding in found):
        raise typer.Exit(No.code)


def _settings(desk: Desk) -> dict[str, dict[str, Any]]:
    """Every setting with its source; an address is shown without its password."""
    values = asdict(desk.settings)
    if values["database"]:
        values["database"] = machine.address(desk.settings).shown
    origins = sources(desk.flags, file=desk.config)
    given = {name: {"value": _shown(value), "from": origins[name]} for name, value in values.items()}
    if not values["database"]:
        given["database"]["value"] = database_url(desk.settings)
    return given


def _shown(value: object) -> object:
    return ", ".join(map(str, cast("tuple[str, ...]", value))) if isinstance(value, tuple) else value
