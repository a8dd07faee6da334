"""The commands about corrections that wait for their run to finish."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from setright.client import WaitingCorrection
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.options import Key, Project
from setright.faces.cli.out import compact, moment

_RUN = {
    "missing": "not there yet",
    "running": "not finished",
    "elsewhere": "in another project: it waits in vain",
}
_UNITS = (("d", 86_400), ("h", 3_600), ("m", 60))


def _row(held: WaitingCorrection) -> Sequence[object]:
    return (
        held.id,
        held.state,
        held.run_id,
        held.project_id,
        _why(held),
        _age(held.age_seconds or 0),
        moment(held.held_at),
    )


LOOKS = lists.Looks(
    ("ID", "STATE", "RUN", "PROJECT", "WHY", "AGE", "HELD"),
    _row,
    "No corrections wait for a run; setright corrections add --hold holds one.",
)


@dataclass(frozen=True, slots=True)
class Which:
    """Which held corrections to list."""

    project: Project = None
    run: Annotated[str | None, typer.Option(metavar="ID", help="For this run.")] = None
    state: Annotated[
        list[str] | None,
        typer.Option(help="waiting, refused or withdrawn; may be given several times."),
    ] = None
    made_by: Annotated[str | None, typer.Option(metavar="ID", help="By this user or service.")] = None


def list_waiting(desk: Desk, which: Which, wanted: lists.Wanted) -> None:
    """List the corrections that wait for their run, or were refused when it finished."""
    lists.show(
        desk.out,
        desk.client.corrections.waiting.page,
        LOOKS,
        wanted,
        project_id=names.project_or_all(desk.client, which.project),
        run_id=which.run,
        state=which.state or None,
        made_by=which.made_by,
    )


def withdraw(
    desk: Desk,
    correction: Annotated[str, typer.Argument(metavar="CORRECTION", help="Id of the held correction.")],
    key: Key = None,
) -> None:
    """Take back a correction that waits for its run; it stays readable."""
    show(desk, desk.client.corrections.waiting.withdraw(correction, key=key))


def show(desk: Desk, held: WaitingCorrection) -> None:
    """Print what is known of a held correction."""
    if desk.out.as_json:
        desk.out.document(held.raw)
        return
    desk.out.fields(
        {
            "id": held.id,
            "state": held.state or "waiting",
            "waits for run": held.run_id,
            "in project": held.project_id,
            "why": _why(held) or None,
            "made by": None if held.made_by is None else names.told(held.made_by),
            "held": moment(held.held_at),
            "age": None if held.age_seconds is None else _age(held.age_seconds),
            "withdrawn": moment(held.withdrawn_at) or None,
            "says": compact(held.request),
        }
    )


def _why(held: WaitingCorrection) -> str:
    """Why it is not recorded: how it is with its run, or why it was refused."""
    if held.refusal is not None:
        return f"{held.refusal.message} [{held.refusal.code}]"
    return "" if held.run_state is None else f"the run is {_RUN.get(held.run_state, held.run_state)}"


def _age(seconds: int) -> str:
    """A span in its largest whole unit."""
    for unit, length in _UNITS:
        if seconds >= length:
            return f"{seconds // length}{unit}"
    return f"{seconds}s"
