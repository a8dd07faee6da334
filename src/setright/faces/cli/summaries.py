"""The commands that sum corrections up."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from setright.client import Subject, SubjectTally, Summary, Tally, VerdictCounts
from setright.client.summaries import SummaryHead
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.options import Project

STATUSES = ("open", "being-fixed", "with-owner", "fixed", "wont-fix", "removed")
_SUMS = ("ALL BUT REMOVED", "WEIGHTED", "DECISIONS WRONG", "ANSWER WRONG", "ITEMS WRONG")


@dataclass(frozen=True, slots=True)
class Counted:
    """Which corrections to count."""

    project: Project = None
    agent: Annotated[str | None, typer.Option(metavar="ID", help="Of runs of this agent.")] = None
    agent_version: Annotated[str | None, typer.Option(metavar="VERSION", help="At this version.")] = None
    flow: Annotated[str | None, typer.Option(metavar="ID", help="Of runs of this flow.")] = None
    expert: Annotated[
        bool | None,
        typer.Option(
            "--experts/--others", help="Only under a group that was restricted, or only the others."
        ),
    ] = None


def summary(desk: Desk, counted: Counted, wanted: lists.Wanted) -> None:
    """Count corrections by agent or flow and version, by status and by what they say.

    setright corrections summary --agent support
    """
    found = lists.read(desk.client.corrections.summary, wanted, **filters_of(desk, counted))
    if desk.out.as_json:
        desk.out.document(found.document())
        return
    if not found.entries:
        desk.out.note("There are no corrections like that; setright corrections add records one.")
        return
    rows = [_row(subject(tally.subject), tally) for tally in found.entries]
    if isinstance(found.first, Summary):
        rows.append(_row("all", found.first.whole))
    desk.out.table(("SUBJECT", *map(str.upper, STATUSES), *_SUMS), rows)
    found.tell_more(desk.out)


def filters_of(desk: Desk, counted: Counted) -> dict[str, Any]:
    """The filters of the request."""
    return {
        "project_id": None if counted.project is None else names.project(desk.client, counted.project),
        "agent_id": counted.agent,
        "agent_version": counted.agent_version,
        "flow_id": counted.flow,
        "expert": counted.expert,
    }


def subject(ran: Subject) -> str:
    """What ran, in a few words."""
    return f"{ran.kind} {ran.id} {ran.version}"


def _row(name: str, tally: SubjectTally | SummaryHead) -> list[object]:
    by_status = {one.status: one.corrections for one in tally.statuses}
    wrong = [verdicts.wrong.corrections if verdicts else 0 for verdicts in _verdicts(tally)]
    stands = [by_status.get(status, 0) for status in STATUSES]
    return [name, *stands, tally.corrections, f"{tally.weighted:g}", *wrong]


def _verdicts(tally: Tally) -> tuple[VerdictCounts | None, ...]:
    return tally.decisions, tally.answer, tally.items
