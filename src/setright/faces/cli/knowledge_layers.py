"""The commands that correct an answer, show what was said of a reading in layers, and decide on it."""

from typing import Annotated, Literal

import typer

from setright.client import AnnotationInLayers, AnnotationRun
from setright.faces.cli import lists, names
from setright.faces.cli.asking import ask_person
from setright.faces.cli.desk import Desk
from setright.faces.cli.options import Key
from setright.faces.cli.out import compact, moment
from setright.faces.cli.wiring import OF_LEDGER, command

LONGEST = 80
Interaction = Annotated[
    int, typer.Argument(min=1, metavar="INTERACTION", help="The number that the answer was given.")
]
AnnotationId = Annotated[
    str, typer.Argument(metavar="ANNOTATION", help="The annotation's id, as answers cite it.")
]
As = Annotated[
    int | None,
    typer.Option("--scholar", min=1, metavar="NUMBER", help="As which scholar, for whom you may speak."),
]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="Why.")]


def _run(one: AnnotationRun) -> tuple[object, ...]:
    of = one.artifact_id or ""
    return one.id, one.source_name, one.method, one.scholar_id, of, one.evidence or "", moment(one.created_at)


RUNS = lists.Looks(
    ("RUN", "SOURCE", "METHOD", "SCHOLAR", "ARTIFACT", "EVIDENCE", "MADE"),
    _run,
    "Nobody annotated like that.",
)


def add_to(app: typer.Typer) -> None:
    """Put them beside the other commands about knowledge."""
    command(app, "correct", OF_LEDGER)(correct)
    command(app, "rate", OF_LEDGER)(rate)
    command(app, "annotation", OF_LEDGER)(annotation)
    command(app, "accept", OF_LEDGER)(accept)
    command(app, "reject", OF_LEDGER)(reject)
    command(app, "runs", OF_LEDGER)(list_runs)


def correct(
    desk: Desk,
    interaction: Interaction,
    claim: Annotated[str, typer.Option(metavar="TEXT", help="What the answer said that is wrong.")],
    correction: Annotated[str, typer.Option(metavar="TEXT", help="What is right.")],
    evidence: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What supports it, such as a publication and a page.")
    ] = None,
    scholar: As = None,
    key: Key = None,
) -> None:
    """Correct an answer: a layer over each cited reading that the claim names; nothing is deleted.

    setright knowledge correct 44 --claim 'lugal[king]N' --correction 'lugal[owner]N' --evidence 'FAOS 9/2, p. 62'
    """
    made = desk.client.interactions.correct(
        interaction, key=key, claim=claim, correction=correction, evidence=evidence, scholar_id=scholar
    )
    if desk.out.as_json:
        desk.out.document(made.raw)
        return
    desk.out.line(made.message)
    desk.out.note(f"It is annotation run {made.new_annotation_run_id}.")


def rate(
    desk: Desk,
    interaction: Interaction,
    rating: Annotated[Literal["up", "down"], typer.Argument(help="up or down.")],
    key: Key = None,
) -> None:
    """Rate an answer up or down; your newest rating counts."""
    made = desk.client.interactions.rate(interaction, rating, key=key)
    if desk.out.as_json:
        desk.out.document(made.raw)
        return
    desk.out.line(f"Interaction {made.interaction_id} is rated {made.rating}.")


def annotation(desk: Desk, annotation_id: AnnotationId) -> None:
    """Show a reading with its layers: what it contests, what contests it, and what scholars decided."""
    _show(desk, desk.client.annotations.get(annotation_id))


def accept(
    desk: Desk, annotation_id: AnnotationId, reason: Reason = None, scholar: As = None, key: Key = None
) -> None:
    """Hold, as a scholar, a contested reading for right."""
    ask_person(desk, f"Accept {annotation_id}?")
    _show(desk, desk.client.annotations.accept(annotation_id, reason=reason, scholar_id=scholar, key=key))


def reject(
    desk: Desk, annotation_id: AnnotationId, reason: Reason = None, scholar: As = None, key: Key = None
) -> None:
    """Hold, as a scholar, a contested reading for wrong; it stays, and is shown last."""
    ask_person(desk, f"Reject {annotation_id}?")
    _show(desk, desk.client.annotations.reject(annotation_id, reason=reason, scholar_id=scholar, key=key))


def list_runs(
    desk: Desk,
    wanted: lists.Wanted,
    scholar: As = None,
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only of this source; user-correction for corrections.")
    ] = None,
    source_type: Annotated[
        Literal["human", "model", "hybrid", "import"] | None, typer.Option(help="Only of such a source.")
    ] = None,
    method: Annotated[str | None, typer.Option(metavar="NAME", help="Only made by this method.")] = None,
    artifact: Annotated[
        str | None, typer.Option(metavar="ARTIFACT", help="Only those that said something of this artifact.")
    ] = None,
) -> None:
    """List who annotated, newest first: imports, models, scholars and corrections."""
    lists.show(
        desk.out,
        desk.client.annotations.runs_page,
        RUNS,
        wanted,
        scholar_id=scholar,
        source_name=source,
        source_type=source_type,
        method=method,
        artifact_id=artifact,
    )


def _show(desk: Desk, found: AnnotationInLayers) -> None:
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    desk.out.fields(
        {
            "id": found.id,
            "of": f"{found.artifact_id} {found.target}".strip(),
            found.field: found.value,
            "standing": found.standing,
            "said by": found.scholar or found.run.source_name,
            "evidence": found.run.evidence,
            "confidence": found.confidence,
            "contests": ", ".join(found.contests or ()) or None,
            "run": found.annotation_run_id,
            "since": moment(found.created_at),
        }
    )
    if found.contested_by:
        desk.out.line("")
        rows = [
            (one.id, compact(one.value, LONGEST), one.annotation_run_id, moment(one.created_at))
            for one in found.contested_by
        ]
        desk.out.table(("CONTESTED BY", "WHICH SAYS", "RUN", "SINCE"), rows)
    if found.decisions:
        desk.out.line("")
        decided = [
            (one.scholar, one.verdict, one.reason or "", names.told(one.by), moment(one.at))
            for one in found.decisions
        ]
        desk.out.table(("SCHOLAR", "VERDICT", "REASON", "SAID BY", "WHEN"), decided)
