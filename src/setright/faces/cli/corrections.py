"""The commands about corrections: what was right instead."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from setright.client import Correction, CorrectionEvent, Event, NotFound, WaitingCorrection
from setright.faces.cli import lists, names, summaries, waiting
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.options import Key, Project, Since, Until, ago
from setright.faces.cli.out import compact, moment
from setright.faces.cli.saying import Said, Verdict, words_or_file
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("What was right instead.")
command(app, "summary", OF_LEDGER)(summaries.summary)
command(app, "waiting", OF_LEDGER)(waiting.list_waiting)
command(app, "withdraw", OF_LEDGER)(waiting.withdraw)
command(app, "agreement", OF_LEDGER)(summaries.agreement)
CorrectionId = Annotated[str, typer.Argument(metavar="CORRECTION", help="Id of the correction.")]


def _row(correction: Correction) -> Sequence[object]:
    return (
        correction.id,
        correction.status if correction.superseded_by is None else "superseded",
        correction.sorted_to,
        _said(correction),
        names.ran(correction.subject),
        correction.run_id,
        moment(correction.created_at),
    )


LOOKS = lists.Looks(
    ("ID", "STATUS", "SORTED TO", "SAYS", "SUBJECT", "RUN", "MADE"),
    _row,
    "There are no corrections like that; setright corrections add records one.",
)


@dataclass(frozen=True, slots=True)
class Which:
    """Which corrections to list."""

    project: Project = None
    run: Annotated[str | None, typer.Option(metavar="ID", help="Of this run.")] = None
    agent: Annotated[str | None, typer.Option(metavar="ID", help="Of runs of this agent.")] = None
    agent_version: Annotated[str | None, typer.Option(metavar="VERSION", help="At this version.")] = None
    flow: Annotated[str | None, typer.Option(metavar="ID", help="Of runs of this flow.")] = None
    status: Annotated[
        list[str] | None, typer.Option(help="Such as open or fixed; may be given several times.")
    ] = None
    sorted_to: Annotated[str | None, typer.Option(help="improve, developer or owner.")] = None
    decisions: Annotated[Verdict | None, typer.Option(help="The verdict on the tool calls.")] = None
    answer: Annotated[Verdict | None, typer.Option(help="The verdict on the answer.")] = None
    corrector_group: Annotated[
        str | None, typer.Option(metavar="GROUP", help="Under this corrector group, by id or name.")
    ] = None
    expert: Annotated[
        bool | None,
        typer.Option("--expert/--no-expert", help="Under a group that was restricted, or only the others."),
    ] = None
    participant: Annotated[str | None, typer.Option(metavar="ID", help="For this participant.")] = None
    made_by: Annotated[str | None, typer.Option(metavar="ID", help="By this user or service.")] = None
    since: Since = None
    until: Until = None
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Also those that a newer one superseded.")
    ] = False


@command(app, "list", OF_LEDGER)
def list_corrections(desk: Desk, which: Which, wanted: lists.Wanted) -> None:
    """List corrections, newest first."""
    lists.show(
        desk.out,
        desk.client.corrections.page,
        LOOKS,
        wanted,
        project_id=names.project_or_all(desk.client, which.project),
        run_id=which.run,
        agent_id=which.agent,
        agent_version=which.agent_version,
        flow_id=which.flow,
        status=which.status or None,
        sorted_to=which.sorted_to,
        decisions=which.decisions,
        answer=which.answer,
        corrector_group_id=which.corrector_group
        and names.corrector_group(desk.client, which.corrector_group),
        expert=which.expert,
        participant_id=which.participant,
        made_by=which.made_by,
        since=ago("--since", which.since),
        until=ago("--until", which.until),
        include_unregistered=True if which.superseded else None,
    )


@command(app, "add", OF_LEDGER)
def add(
    desk: Desk,
    said: Said,
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="Id of the finished run to correct.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The whole correction as JSON instead of options; - reads stdin."),
    ] = None,
    hold: Annotated[
        bool,
        typer.Option("--hold", help="Wait for a run that is not there or not finished yet, in --project."),
    ] = False,
    project: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="With --hold: the project of the run.")
    ] = None,
    key: Key = None,
) -> None:
    """Correct a finished run: say what was wrong, and what would have been right.

    setright corrections add RUN --decisions wrong --should-call 'cancel_booking {"id": 7}'
    """
    if hold != (project is not None):
        raise Cannot(
            "--hold and --project go together: --project says where the run is awaited.",
            advice=["setright corrections add RUN --hold --project PROJECT --answer wrong --should-say TEXT"],
            kind="usage",
        )
    made = _sent(desk, _body(desk, said, run, file), project, key)
    if made.receipt is not None and made.receipt.replayed:
        desk.out.note("This is the kept answer to the same command sent before.")
    if isinstance(made, WaitingCorrection):
        desk.out.note("It waits for its run, and is recorded with this id when that finishes.")
        waiting.show(desk, made)
    else:
        tell(desk, made, ())


def _body(desk: Desk, said: Said, run: str | None, file: str | None) -> dict[str, Any]:
    """What is to be sent: from a file, or from the options."""
    if file is not None and run is not None:
        raise Cannot("--file holds the whole correction, its run too; give it alone.", kind="usage")
    body = words_or_file(said, file)
    if run is not None:
        body["runId"] = run
    if not body:
        raise Cannot(
            "Say which run, and what was right or wrong with it.",
            advice=["setright corrections add RUN --answer wrong --should-say 'what was right'"],
            kind="usage",
        )
    if said.corrector_group is not None:
        body["correctorGroupId"] = names.corrector_group(desk.client, said.corrector_group)
    for field, instead in (
        ("key", "--key sets the Idempotency-Key"),
        ("project_id", "--project, with --hold"),
    ):
        if field in body:
            raise Cannot(f"{field} is no field of a correction; {instead}.", kind="usage")
    return body


def _sent(
    desk: Desk, body: dict[str, Any], project: str | None, key: str | None
) -> Correction | WaitingCorrection:
    if project is None:
        return desk.client.corrections.create(key=key, **body)
    return desk.client.corrections.hold(names.project(desk.client, project), key=key, **body)


@command(app, "show", OF_LEDGER)
def show(
    desk: Desk,
    correction: CorrectionId,
    history: Annotated[
        bool, typer.Option("--history", help="With --json, also what happened to it.")
    ] = False,
) -> None:
    """Show a correction with the copy of its run, and what happened to it; or one that waits for its run."""
    try:
        found = desk.client.corrections.get(correction)
    except NotFound as refused:
        if "state" not in refused.details:
            raise
        waiting.show(desk, desk.client.corrections.waiting.get(correction))
        return
    happened = list(desk.client.corrections.history(correction)) if history or not desk.out.as_json else []
    tell(desk, found, happened, with_history=history)


@command(app, "move", OF_LEDGER)
def move(
    desk: Desk,
    correction: CorrectionId,
    status: Annotated[
        str | None,
        typer.Option(help="open, being-fixed, with-owner or wont-fix; fixed is never set by hand."),
    ] = None,
    sort_to: Annotated[
        str | None, typer.Option(help="improve, developer or owner; nobody leaves it unsorted.")
    ] = None,
    reason: Annotated[str | None, typer.Option(help="Why it is sorted there.")] = None,
    note: Annotated[
        str | None, typer.Option(help="A note on where it stands; an empty one is taken away.")
    ] = None,
    if_match: Annotated[
        str | None,
        typer.Option(metavar="ETAG", help="Only this state of it; without, the state as it is now."),
    ] = None,
    key: Key = None,
) -> None:
    """Move a correction by hand: its status, the desk it is sorted to, a note.

    setright corrections move CORRECTION --status being-fixed --note 'looking into it'
    """
    wanted: dict[str, Any] = {"status": status, "reason": reason}
    changes = {name: value for name, value in wanted.items() if value is not None}
    if sort_to is not None:
        changes["sorted_to"] = None if sort_to == "nobody" else sort_to
    if note is not None:
        changes["status_note"] = note or None
    if if_match is None:
        read = desk.client.corrections.get(correction)
        if_match = (read.receipt.etag if read.receipt else None) or ""
    moved = desk.client.corrections.change(correction, if_match=if_match, key=key, **changes)
    tell(desk, moved, ())


@command(app, "unregister", OF_LEDGER)
def unregister(desk: Desk, correction: CorrectionId, key: Key = None) -> None:
    """Remove a correction for good; it stays readable."""
    tell(desk, desk.client.corrections.unregister(correction, key=key), ())


def tell(
    desk: Desk, correction: Correction, happened: Sequence[Event], *, with_history: bool = False
) -> None:
    """Print a correction, and what happened to it."""
    if desk.out.as_json:
        told = {"history": [event.raw for event in happened]} if with_history else {}
        desk.out.document({**correction.raw, **told})
        return
    desk.out.fields(_fields(correction))
    if happened:
        desk.out.line("")
        desk.out.table(
            ("WHEN", "WHAT", "WHY", "BY"),
            [
                (moment(event.at), _happening(event), _why(event), names.told(event.by) if event.by else "")
                for event in happened
            ],
        )


def _happening(event: Event) -> str:
    """What happened, with the fields that it changed where that is not all the same."""
    if event.kind not in _CHANGES or not event.changed:
        return event.kind or ""
    return f"{event.kind}: {', '.join(event.changed)}"


def _why(event: Event) -> str:
    """What was said of a move, and which version made it."""
    if not isinstance(event, CorrectionEvent) or not event.changed:
        return ""
    fixed = event.fixed_in and f"fixed in {event.fixed_in.version}"
    wrong = event.reopened_in and f"wrong again in {event.reopened_in.version}"
    reason = event.sorted and event.sorted.reason
    note = event.status_note and event.status_note.text
    return "; ".join(said for said in (fixed, wrong, reason, note) if said)


_CHANGES = ("correction.moved", "correction.fixed", "correction.reopened")


def _fields(correction: Correction) -> Mapping[str, Any]:
    raw = correction.raw
    fields: dict[str, Any] = {
        "id": correction.id,
        "status": correction.status,
        "sorted to": correction.sorted_to,
        "project": correction.project_id,
        "run": correction.run_id,
        "subject": names.ran(correction.subject),
        "made by": names.told(correction.made_by),
        "under": correction.corrector_group_id,
        "expert": "yes" if correction.expert else None,
        "for": correction.participant_id,
        "made": moment(correction.created_at),
        "superseded by": correction.superseded_by,
        "blind": correction.blind and f"until the review in {correction.blind} is complete",
        "adjudicates": ", ".join(correction.adjudicates or ()) or None,
        "adjudicated by": correction.adjudicated_by,
    }
    for name, shown in _TOLD.items():
        fields[shown] = compact(raw[name]) if name in raw else None
    if correction.copy is not None:
        fields["the run's answer"] = correction.copy.answer
        fields["the run's calls"] = (
            "\n".join(f"{call.tool} {compact(call.args, 100)}" for call in correction.copy.calls or ())
            or None
        )
    return fields


_TOLD = {
    "decisions": "decisions",
    "shouldCall": "should call",
    "mustNotCall": "must not call",
    "callsMatch": "calls match",
    "callsOrder": "calls order",
    "answer": "answer",
    "shouldSay": "should say",
    "answerMatch": "answer match",
    "why": "why",
    "items": "items",
    "evidence": "evidence",
    "fixedIn": "fixed in",
    "reopenedIn": "reopened in",
    "statusNote": "note",
}


def _said(correction: Correction) -> str:
    """What a correction says, in a few words."""
    parts = [
        f"{aspect} {verdict}"
        for aspect, verdict in (("decisions", correction.decisions), ("answer", correction.answer))
        if verdict is not None
    ]
    if correction.items:
        wrong = sum(item.verdict == "wrong" for item in correction.items)
        parts.append(f"{wrong} of {len(correction.items)} items wrong")
    return ", ".join(parts)
