"""The commands about how long content is kept, and about the passings that keep to it."""

import time
from typing import Annotated, cast

import typer

from setright.client import Retention, RetentionPassing
from setright.client.keeping import AccountRetentionFields, ProjectRetentionFields
from setright.faces.cli import lists, names
from setright.faces.cli.asking import ask_person
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("How long content is kept, and cutting what is older.")

PAUSE_SECONDS = 0.2
PATIENCE_SECONDS = 600.0
FOREVER = "forever"
OF_PROJECT = ("runs", "reads")
OF_ACCOUNT = ("outputs", "interactions", "briefings")
PASSINGS = lists.Looks(
    ("ID", "STATE", "CUT", "BEGUN", "DONE"),
    lambda passing: (
        passing.id,
        passing.state,
        _counted(passing),
        moment(passing.created_at),
        moment(passing.ended_at) or None,
    ),
    "No passing has come by yet: the first comes a day after retention was set.",
)
ProjectName = Annotated[
    str | None,
    typer.Option("--project", metavar="PROJECT", help="Of a project; left out, of what belongs to none."),
]


def _days(text: str) -> typer.models.OptionInfo:
    return typer.Option(metavar="DAYS", help=f"{text}: whole days, or {FOREVER}.")


@command(app, "show", OF_LEDGER)
def show(desk: Desk, project: ProjectName = None) -> None:
    """Say how many days content is kept."""
    if project is None:
        _show(desk, desk.client.retention.of_account())
    else:
        _show(desk, desk.client.retention.of_project(names.project(desk.client, project)))


@command(app, "set", OF_LEDGER)
def set_days(
    desk: Desk,
    project: ProjectName = None,
    runs: Annotated[str | None, _days("With --project: what runs said")] = None,
    reads: Annotated[str | None, _days("With --project: the log of who read runs")] = None,
    outputs: Annotated[str | None, _days("Kept answers about texts")] = None,
    interactions: Annotated[str | None, _days("Questions about texts, with their answers")] = None,
    briefings: Annotated[str | None, _days("Which session was told which rules (90 at most)")] = None,
) -> None:
    """Say how many days content is kept; the next daily passing keeps to it. First: retention run --dry-run."""
    given = {
        "runs": runs,
        "reads": reads,
        "outputs": outputs,
        "interactions": interactions,
        "briefings": briefings,
    }
    wanted = {kind: _read(kind, text) for kind, text in given.items() if text is not None}
    fitting, place = (OF_ACCOUNT, "without --project") if project is None else (OF_PROJECT, "with --project")
    strange = [kind for kind in wanted if kind not in fitting]
    if strange or not wanted:
        told = f"--{strange[0]} is not set {place}" if strange else "Nothing was given to set"
        raise Cannot(f"{told}: {place} there are {', '.join(f'--{kind}' for kind in fitting)}.")
    if project is None:
        _show(desk, desk.client.retention.change_account(**cast("AccountRetentionFields", wanted)))
    else:
        project_id = names.project(desk.client, project)
        _show(
            desk, desk.client.retention.change_project(project_id, **cast("ProjectRetentionFields", wanted))
        )


@command(app, "run", OF_LEDGER)
def run(
    desk: Desk,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would be cut now.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask. There is no way back.")] = False,
) -> None:
    """Cut what is older than it may be now, and not at the next daily passing."""
    if dry_run:
        _show_passing(desk, desk.client.retention.due())
        return
    if not yes:
        ask_person(desk, "What is cut cannot be brought back. Cut?")
    _show_passing(desk, _followed(desk, desk.client.retention.begin()))


@command(app, "list", OF_LEDGER)
def list_passings(desk: Desk, wanted: lists.Wanted) -> None:
    """List the passings, newest first, with how much each cut."""
    lists.show(desk.out, desk.client.retention.page, PASSINGS, wanted)


@command(app, "passing", OF_LEDGER)
def passing(
    desk: Desk, passing: Annotated[str, typer.Argument(metavar="PASSING", help="Id of the passing.")]
) -> None:
    """Say what a passing cut, where, and from before which moment."""
    _show_passing(desk, desk.client.retention.get(passing))


def _read(kind: str, text: str) -> int | None:
    if text == FOREVER:
        return None
    if not text.isascii() or not text.isdecimal():
        raise Cannot(f"--{kind} is {text!r}: it takes whole days such as 30, or {FOREVER}.")
    return int(text)


def _followed(desk: Desk, made: RetentionPassing) -> RetentionPassing:
    """The passing at its end."""
    until = time.monotonic() + PATIENCE_SECONDS
    while made.id is not None and made.state == "running":
        if time.monotonic() > until:
            raise Cannot(
                f"Retention passing {made.id} still runs.",
                advice=[f"setright retention passing {made.id} tells how far it is"],
                kind="not-done-yet",
            )
        desk.wait(PAUSE_SECONDS)
        made = desk.client.retention.get(made.id)
    return made


def _show(desk: Desk, found: Retention) -> None:
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    kinds = OF_ACCOUNT if found.project_id is None else OF_PROJECT
    days = {kind: getattr(found, kind) or FOREVER for kind in kinds}
    if days.get("briefings") == FOREVER:
        days["briefings"] = 90
    desk.out.fields({"project": found.project_id, **days, "set": moment(found.updated_at) or None})
    if found.notice:
        desk.out.note(found.notice)


def _show_passing(desk: Desk, found: RetentionPassing) -> None:
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    told = {
        "id": found.id,
        "state": found.state,
        "cut": _counted(found),
        "done": moment(found.ended_at) or None,
    }
    desk.out.fields(told)
    if found.cuts:
        rows = [
            (one.project_id, one.kind, one.days, moment(one.before), one.cut, one.held) for one in found.cuts
        ]
        desk.out.table(("PROJECT", "KIND", "DAYS", "BEFORE", "CUT", "HELD"), rows)


def _counted(found: RetentionPassing) -> str:
    told = [f"{count} {kind}" for kind, count in (found.counts or {}).items() if count]
    return ", ".join(told) or "nothing"
