"""The command that shows and sets what one tenant of this machine's ledger may use."""

from dataclasses import dataclass, fields
from typing import Annotated, Any

import typer

from setright import identity
from setright.app import machine
from setright.app.limits import Held
from setright.app.machine import TenantLimits
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot, No
from setright.faces.http.shapes import time
from setright.faces.http.wire.limits import held
from setright.kernel.json import MAX_INTEGER

DEFAULT = "default"


def _limit(what: str) -> Any:
    return typer.Option(metavar="NUMBER", help=f"{what}; 0: no limit, default: as every tenant.")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The limits to set, each a number or `default`; what is not given stays."""

    runs_per_day: Annotated[str | None, _limit("Runs it may record in a day (UTC)")] = None
    run_bytes_per_day: Annotated[str | None, _limit("Bytes of runs it may record in a day (UTC)")] = None
    corrections_per_day: Annotated[str | None, _limit("Corrections it may record in a day (UTC)")] = None
    tokens: Annotated[str | None, _limit("Tokens it may have")] = None
    users: Annotated[str | None, _limit("Users it may have")] = None
    projects: Annotated[str | None, _limit("Projects it may have")] = None
    corrector_groups: Annotated[str | None, _limit("Corrector groups it may have")] = None

    def changes(self) -> dict[str, int | None]:
        """What was given, by the words for limits; None is `default`."""
        given = {entry.name.replace("_", "-"): getattr(self, entry.name) for entry in fields(self)}
        return {word: _number(word, text) for word, text in given.items() if text is not None}


def limit(desk: Desk, name: str, wanted: Wanted) -> None:
    """Set what was given, if anything was, and show how it is then."""
    changes = wanted.changes()
    running = machine.open_app(desk.settings)
    try:
        tenant = _named(machine.tenants(running), name)
        found = (
            machine.limit_tenant(running, tenant, changes)
            if changes
            else machine.limits_of_tenant(running, tenant)
        )
    finally:
        running.close()
    _show(desk, found)


def _show(desk: Desk, found: TenantLimits) -> None:
    each = (*found.now.quotas, *found.now.caps)
    if desk.out.as_json:
        tenant = {"id": found.tenant.id, "name": found.tenant.name}
        quotas, caps = map(held, found.now.quotas), map(held, found.now.caps)
        desk.out.document({"tenant": tenant, "quotas": [*quotas], "caps": [*caps], "own": {**found.own}})
        return
    rows = [(*_row(one), "its own" if one.word in found.own else "every tenant's") for one in each]
    desk.out.table(("OF", "USED", "LIMIT", "BEGINS AGAIN", "WHOSE LIMIT"), rows)


def _row(one: Held) -> tuple[object, ...]:
    return one.word, one.used, one.limit or "none", time(one.resets_at)


def _named(known: Any, name: str) -> identity.Tenant:
    for tenant in known:
        if name in (tenant.name, tenant.id):
            return tenant
    names = ", ".join(tenant.name for tenant in known) or "there is none yet"
    raise No(
        f"There is no tenant {name!r}: {names}.",
        advice=["setright tenant list shows them all"],
        kind="tenant-not-found",
    )


def _number(word: str, text: str) -> int | None:
    if text == DEFAULT:
        return None
    if not (text.isascii() and text.isdecimal() and int(text[:20]) <= MAX_INTEGER):
        raise Cannot(
            f"--{word} {text!r} is no limit: give a whole number, 0 for no limit, or {DEFAULT}.", kind="usage"
        )
    return int(text)
