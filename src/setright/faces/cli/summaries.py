"""The commands that sum corrections up, and compare those who made them."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import typer

from setright.client import (
    Agreement,
    Coefficient,
    Disagreement,
    Rater,
    SubjectTally,
    Summary,
    Tally,
    VerdictCounts,
)
from setright.client.summaries import AgreementHead, SummaryHead
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.options import Project
from setright.faces.cli.out import Out, moment

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
    rows = [_row(names.ran(tally.subject), tally) for tally in found.entries]
    if isinstance(found.first, Summary):
        rows.append(_row("all", found.first.whole))
    desk.out.table(("SUBJECT", *map(str.upper, STATUSES), *_SUMS), rows)
    found.tell_more(desk.out)


@dataclass(frozen=True, slots=True)
class Agreed(Counted):
    """Whose agreement to show."""

    aspect: Annotated[
        Literal["decisions", "answer", "items"] | None,
        typer.Option(help="Which disagreements to list."),
    ] = None
    rater: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="One of two raters, whose kappa is shown: the id of a user or token, with / and a participant behind.",
        ),
    ] = None


def agreement(desk: Desk, agreed: Agreed, wanted: lists.Wanted) -> None:
    """Show how far those who corrected the same runs agree, and where they do not.

    setright corrections agreement --agent support --rater USER --rater USER
    """
    more = {"aspect": agreed.aspect, "rater": agreed.rater or None}
    found = lists.read(desk.client.corrections.agreement, wanted, **filters_of(desk, agreed), **more)
    if desk.out.as_json:
        desk.out.document(found.document())
        return
    if isinstance(found.first, Agreement):
        _show_figures(desk.out, found.first.whole)
    if found.entries:
        desk.out.line("")
        columns = (
            "RUN",
            "SUBJECT",
            "ASPECT",
            "ITEM",
            "RIGHT",
            "WRONG",
            "SAYS RIGHT",
            "SAYS WRONG",
            "CHANGED",
        )
        desk.out.table(columns, [_disagreement(one) for one in found.entries])
    else:
        desk.out.note("Nobody disagrees.")
    found.tell_more(desk.out)


def filters_of(desk: Desk, counted: Counted) -> dict[str, Any]:
    """The filters of the request."""
    return {
        "project_id": names.project_or_all(desk.client, counted.project),
        "agent_id": counted.agent,
        "agent_version": counted.agent_version,
        "flow_id": counted.flow,
        "expert": counted.expert,
    }


def _row(name: str, tally: SubjectTally | SummaryHead) -> list[object]:
    by_status = {one.status: one.corrections for one in tally.statuses}
    wrong = [verdicts.wrong.corrections if verdicts else 0 for verdicts in _verdicts(tally)]
    stands = [by_status.get(status, 0) for status in STATUSES]
    return [name, *stands, tally.corrections, f"{tally.weighted:g}", *wrong]


def _verdicts(tally: Tally) -> tuple[VerdictCounts | None, ...]:
    return tally.decisions, tally.answer, tally.items


def _show_figures(out: Out, whole: AgreementHead) -> None:
    out.table(
        ("ASPECT", "JUDGED BY TWO OR MORE", "AGREE", "SHARE", "ALPHA"),
        [
            (one.aspect, one.units, one.agreeing, _share(one.share), _value(one.alpha))
            for one in whole.aspects
        ],
    )
    if whole.pairs:
        out.line("")
        rows = [
            (
                " and ".join(map(_rater, one.raters)),
                one.aspect,
                one.units,
                one.agreeing,
                _share(one.share),
                _value(one.kappa),
            )
            for one in whole.pairs
        ]
        out.table(("RATERS", "ASPECT", "JUDGED BY BOTH", "AGREE", "SHARE", "KAPPA"), rows)
    if whole.more_pairs:
        out.note("There are more pairs; --rater ID --rater ID shows the one that you name.")


def _disagreement(one: Disagreement) -> list[object]:
    says = {
        verdict: ", ".join(_rater(voice) for voice in one.said if voice.verdict == verdict)
        for verdict in ("right", "wrong")
    }
    return [
        one.run_id,
        names.ran(one.subject),
        one.aspect,
        one.item_key,
        one.right,
        one.wrong,
        says["right"],
        says["wrong"],
        moment(one.changed_at),
    ]


def _rater(rater: Rater) -> str:
    """A rater as --rater takes it."""
    return f"{rater.by.id}/{rater.participant_id}" if rater.participant_id else str(rater.by.id)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _value(found: Coefficient) -> str:
    return f"none: {found.why_not}" if found.value is None else f"{found.value:.3f}"
