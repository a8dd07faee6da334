"""The commands that ask about knowledge; each answer can be corrected by its number."""

from typing import Annotated, Literal

import typer

from setright.client import KnowledgeAnswer, SearchHit
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.out import Out, compact
from setright.faces.cli.wiring import OF_LEDGER, command

LONGEST = 80
Artifact = Annotated[str, typer.Argument(metavar="ARTIFACT", help="The artifact's id, such as a P-number.")]
Run = Annotated[
    str | None,
    typer.Option("--run", metavar="ID", help="The run in which you ask, so that it is corrected, too."),
]


def add_to(app: typer.Typer) -> None:
    """Put the questions beside the other commands about knowledge."""
    command(app, "search", OF_LEDGER)(search)
    command(app, "summary", OF_LEDGER)(summary)
    command(app, "interpret", OF_LEDGER)(interpret)


def search(
    desk: Desk,
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="What is looked for.")],
    kind: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="artifact, line or token; may be given several times."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many hits at most.")] = 10,
    mode: Annotated[
        Literal["hybrid", "lexical", "semantic"], typer.Option(help="By words, by meaning, or both.")
    ] = "hybrid",
    run: Run = None,
) -> None:
    """Find artifacts, lines and words, however they are written: lugal, lu2-gal and LUGAL are one."""
    told = desk.client.knowledge.search(
        " ".join(words), types=kind or None, limit=limit, mode=mode, run_id=run
    )
    if desk.out.as_json:
        desk.out.document(told.raw)
        return
    if not told.data.hits:
        desk.out.note(f"Nothing was found in {', '.join(source.name for source in told.sources)}.")
    else:
        desk.out.table(("ARTIFACT", "WHERE", "AS WRITTEN", "SAID OF IT"), map(_row, told.data.hits))
    if told.degraded is not None and mode == "semantic":
        desk.out.note(f"Note: {told.degraded}.")
    _below(desk.out, told)


def summary(
    desk: Desk,
    artifact: Artifact,
    focus: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Lines (o.3), a stretch (o.1--o.20), or words.")
    ] = None,
    run: Run = None,
) -> None:
    """Tell what is known of an artifact, each sentence with its citations."""
    told = desk.client.knowledge.summary(artifact, focus=focus, run_id=run)
    _show(desk.out, told)


def interpret(
    desk: Desk,
    artifact: Artifact,
    word: Annotated[
        str | None, typer.Argument(metavar="[TOKEN]", help="Surface, line and position, such as o.1.2.")
    ] = None,
    line: Annotated[str | None, typer.Option(metavar="LINE", help="Instead: the line, such as o.1.")] = None,
    position: Annotated[int | None, typer.Option(min=1, help="With --line: which word of it.")] = None,
    run: Run = None,
) -> None:
    """Tell what a word is taken to be, and where opinions differ."""
    knowledge = desk.client.knowledge
    if word is not None and line is None and position is None:
        _show(desk.out, knowledge.interpret(artifact, word, run_id=run))
    elif word is None and line is not None and position is not None:
        _show(desk.out, knowledge.interpret_at(artifact, line, position, run_id=run))
    else:
        raise Cannot("Name the word by TOKEN, or by --line and --position.", kind="usage")


def _show(out: Out, told: KnowledgeAnswer) -> None:
    if out.as_json:
        out.document(told.raw)
        return
    for sentence in told.summary.splitlines():
        out.line(sentence)
    out.line("")
    rows = [
        (f"[{one.n}]", one.scholar or one.source, one.standing, one.evidence or "", one.annotation_id)
        for one in told.citations
    ]
    out.table(("CITED", "SAID BY", "STANDING", "EVIDENCE", "ANNOTATION"), rows)
    _below(out, told)


def _below(out: Out, told: KnowledgeAnswer) -> None:
    """What must be shown with an answer, and by which number it is corrected."""
    for words in told.required_attributions:
        out.line(words)
    out.note(f"This answer is interaction {told.interaction_id}.")


def _row(hit: SearchHit) -> tuple[object, ...]:
    said = ", ".join(dict.fromkeys(match.value for match in hit.matched))
    written = hit.form or hit.text or hit.title or ""
    return hit.artifact_id, hit.target or "", compact(written, LONGEST), compact(said, LONGEST)
