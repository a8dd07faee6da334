"""The commands about which version runs where."""

from functools import partial
from typing import Annotated

import typer

from setright.client import VersionChange
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.options import InProject
from setright.faces.cli.out import compact, moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Which version of an agent or flow runs where.")

Subject = Annotated[str, typer.Argument(metavar="AGENT", help="The agent's id; with --flow a flow's.")]
Version = Annotated[str, typer.Argument(metavar="VERSION", help="The version.")]
IsFlow = Annotated[bool, typer.Option("--flow", help="It is a flow, not an agent.")]
Why = Annotated[str | None, typer.Option(metavar="TEXT", help="Why; it stands in the history.")]

CHANGES = lists.Looks(
    ("AT", "VERB", "SUBJECT", "VERSION", "BEFORE", "BY", "WHY", "ID"),
    lambda change: (
        moment(change.at),
        change.verb,
        names.told(change.subject),
        change.version,
        change.before,
        change.by.id if change.by else None,
        compact(change.why, 60) if change.why else None,
        change.id,
    ),
    "Nothing was deployed or pinned there yet.",
)
RUNNING = lists.Looks(
    ("SUBJECT", "VERSION", "HOW", "SINCE", "SETTLING", "WHY", "PIN"),
    lambda running: (
        names.told(running.subject),
        running.version or "(none deployed)",
        running.how,
        moment(running.since),
        f"{running.settling.left} left" if running.settling else None,
        compact(running.why, 60) if running.why else None,
        running.pin_id,
    ),
    "No run of any agent or flow was seen in this project yet.",
)


@command(app, "deploy", OF_LEDGER)
def deploy(desk: Desk, subject: Subject, version: Version, flow: IsFlow = False, why: Why = None) -> None:
    """Deploy a version: it becomes Latest, and every project without a pin runs it."""
    resource = desk.client.flows if flow else desk.client.agents
    _show(desk, resource.deploy(subject, version, why=why))


@command(app, "pin", OF_LEDGER)
def pin(
    desk: Desk,
    subject: Subject,
    version: Version,
    project: InProject,
    flow: IsFlow = False,
    why: Why = None,
) -> None:
    """Pin a version in a project: it runs there, whatever is deployed."""
    named = {"kind": "flow" if flow else "agent", "id": subject}
    project_id = names.project(desk.client, project)
    _show(desk, desk.client.projects.pins.create(project_id, subject=named, version=version, why=why))


@command(app, "unpin", OF_LEDGER)
def unpin(
    desk: Desk,
    pin_id: Annotated[str, typer.Argument(metavar="PIN", help="Id of the pin that holds.")],
    project: InProject,
    why: Why = None,
) -> None:
    """Lift a pin: the project follows Latest again."""
    project_id = names.project(desk.client, project)
    _show(desk, desk.client.projects.pins.lift(project_id, pin_id, why=why))


@command(app, "running", OF_LEDGER)
def running(desk: Desk, project: InProject, wanted: lists.Wanted) -> None:
    """List which version of each agent and flow a project runs, and why; SETTLING while corrections move by it."""
    project_id = names.project(desk.client, project)

    lists.show(desk.out, partial(desk.client.projects.running_page, project_id), RUNNING, wanted)


@command(app, "history", OF_LEDGER)
def history(
    desk: Desk,
    wanted: lists.Wanted,
    subject: Annotated[
        str | None, typer.Argument(metavar="AGENT", help="Deploys of this agent, or flow with --flow.")
    ] = None,
    flow: IsFlow = False,
    project: Annotated[
        str | None, typer.Option("--project", metavar="PROJECT", help="Pins and unpins of this project.")
    ] = None,
) -> None:
    """List who deployed, or who pinned and unpinned, when and why."""
    if (subject is None) == (project is None):
        raise typer.BadParameter("name an agent for its deploys, or --project for a project's pins, not both")
    if project is not None:
        project_id = names.project(desk.client, project)
        lists.show(desk.out, partial(desk.client.projects.pins.page, project_id), CHANGES, wanted)
        return
    resource = desk.client.flows if flow else desk.client.agents
    lists.show(desk.out, partial(resource.deploys_page, subject or ""), CHANGES, wanted)


def _show(desk: Desk, change: VersionChange) -> None:
    if desk.out.as_json:
        desk.out.document(change.raw)
        return
    where = f" in project {change.project_id}" if change.project_id else " wherever nothing is pinned"
    runs = change.version or "no version"
    before = f" (before: {change.before})" if change.before else ""
    desk.out.line(f"{names.told(change.subject)} runs {runs}{where}{before}.")
    desk.out.line(f"{change.verb} {change.id}")
