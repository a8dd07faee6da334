"""The command that says what limits the caller, and how much of it is used."""

from setright.client import Limits, Quota
from setright.client.records import Record
from setright.faces.cli.desk import Desk
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("What limits you, and how much of it is used.")


@command(app, "limits", OF_LEDGER)
def limits(desk: Desk) -> None:
    """Say what limits your tenant, how much of it is used, and every other number that can refuse a request."""
    found = desk.client.limits()
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    show_used(desk, found)
    desk.out.line("")
    rows = [
        (f"{name}.{field}", value)
        for name in ("requests", "lists", "fields", "runs")
        for field, value in _fixed(getattr(found, name))
    ]
    desk.out.table(("LIMIT", "AT MOST"), rows)


def show_used(desk: Desk, found: Limits) -> None:
    """Print what is used, and of how much."""
    rows = [(one.quota, one.used, *_of(one)) for one in (*found.quotas, *found.caps)]
    desk.out.table(("OF", "USED", "LIMIT", "LEFT", "BEGINS AGAIN"), rows)


def _of(one: Quota) -> tuple[object, object, str]:
    return "none" if one.limit is None else one.limit, one.left, moment(one.resets_at)


def _fixed(limits: Record) -> list[tuple[str, object]]:
    return list(limits.raw.items())
