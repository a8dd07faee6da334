"""The commands that bring texts in, list them and show them."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from setright.client import Conflict, InvalidRequest, Setright, TooLarge
from setright.exchange import CORPORA, CorpusForm, CorpusReport, Counted, Given, ReadArtifact, counted
from setright.faces.cli import lists
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot, No, explain
from setright.faces.cli.files import opened, shown, tell_unread, unread, usable
from setright.faces.cli.out import Out, moment
from setright.faces.cli.wiring import OF_LEDGER, command
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.knowledge import NewArtifact

KNOWN = ", ".join(CORPORA)
WHAT = "; ".join(f"{known.name}: {known.what}" for known in CORPORA.values())
Came = tuple[Counted, bool]
"""What was added to an artifact, and whether it is new."""
LOOKS = lists.Looks(
    ("ID", "TITLE", "PERIOD", "SOURCES", "UPDATED"),
    lambda artifact: (
        artifact.id,
        artifact.title,
        artifact.period,
        ", ".join(one.source for one in artifact.sources),
        moment(artifact.updated_at),
    ),
    "There are no artifacts like that; setright knowledge import FORM FILE brings some in.",
)
GOES_ON = "The same command again goes on from there"


def add_to(knowledge: typer.Typer) -> None:
    """Put the commands about texts beside those that ask."""
    command(knowledge, "import", OF_LEDGER)(import_files)
    command(knowledge, "list", OF_LEDGER)(list_artifacts)
    command(knowledge, "show", OF_LEDGER)(show)


def import_files(
    desk: Desk,
    form: Annotated[str, typer.Argument(metavar="FORM", help=f"One of: {KNOWN}. {WHAT}.")],
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="The files; - reads stdin.")],
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="The source of texts that name none themselves.")
    ] = None,
    licence: Annotated[
        str | None, typer.Option(metavar="NAME", help="On which terms they may be used.")
    ] = None,
    attribution: Annotated[
        str | None, typer.Option(metavar="WORDS", help="The words that must be shown with them.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only read and check; record nothing.")] = False,
) -> None:
    """Bring texts into the ledger, with what their sources say of each word.

    Each text is recorded by itself, and the same files again add nothing: what stopped half way goes on where it was.
    Exits with 1 when something of the files could not be read or kept; the report says what, where and why.
    """
    chosen = _form(form)
    usable(files)
    given, report = Given(source, licence, attribution), CorpusReport()
    record = _check if dry_run else _recording(desk.client)
    for file in files:
        with opened(file) as stream, _stopping(report, desk.out):
            for found in chosen.read(stream, given):
                if isinstance(found, ReadArtifact):
                    _bring(record, found, shown(file), report)
                else:
                    report.missed(shown(file), found.place, found.reason)
    _tell(desk.out, report, dry_run=dry_run)
    if report.not_read:
        raise typer.Exit(No.code)


def list_artifacts(
    desk: Desk,
    wanted: lists.Wanted,
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what came from this source.")
    ] = None,
) -> None:
    """List texts, newest first."""
    lists.show(desk.out, desk.client.artifacts.page, LOOKS, wanted, source=source)


def show(
    desk: Desk, artifact: Annotated[str, typer.Argument(metavar="ARTIFACT", help="Id of the text.")]
) -> None:
    """Show a text with its lines, each behind its target."""
    found = desk.client.artifacts.get(artifact)
    lines = list(desk.client.artifacts.lines(artifact))
    if desk.out.as_json:
        desk.out.document({**found.raw, "lines": [line.raw for line in lines]})
        return
    facts = (found.title, found.genre, found.period, found.language)
    desk.out.line(f"{found.id}: {', '.join(fact for fact in facts if fact)}")
    for one in found.sources:
        terms = ", ".join(term for term in (one.licence, one.attribution) if term)
        desk.out.line(f"from {one.source}" + (f" ({terms})" if terms else ""))
    for line in lines:
        desk.out.line(f"{line.target or '':10} {line.text}")


def _form(name: str) -> CorpusForm:
    found = CORPORA.get(name)
    if found is None:
        raise Cannot(f"There is no form {name!r}; one of: {KNOWN}.", kind="usage")
    return found


def _check(said: Mapping[str, Any]) -> Came:
    """What recording would add where nothing is yet; refuses what could not be recorded."""
    validate(NewArtifact, said)
    return counted(said), True


def _recording(client: Setright) -> Callable[[Mapping[str, Any]], Came]:
    """What records an artifact, and says what came of it."""

    def record(said: Mapping[str, Any]) -> Came:
        made = client.artifacts.record_document(said)
        added = Counted(made.added.lines, made.added.tokens, made.added.annotations)
        return added, made.receipt is not None and made.receipt.status == 201

    return record


def _bring(
    record: Callable[[Mapping[str, Any]], Came], found: ReadArtifact, file: str, report: CorpusReport
) -> None:
    """Record an artifact and count it; one that is refused for what it holds stops no other."""
    try:
        added, created = record(found.said)
    except (Refusal, InvalidRequest, Conflict, TooLarge) as error:
        why = explain(error)
        report.missed(file, found.place, "; ".join([why.message, *why.faults[1:]]))
    else:
        report.took(added, created=created)


@contextmanager
def _stopping(report: CorpusReport, out: Out) -> Generator[None]:
    """When an import stops, say what was done until there, and that it can go on."""
    try:
        yield
    except KeyboardInterrupt:
        out.note(f"Stopped; at least {report.artifacts} artifacts were recorded and stay. {GOES_ON}.")
        raise
    except Exception as error:
        stop = explain(error)
        advice = [f"{report.artifacts} artifacts were recorded and stay", *stop.advice, GOES_ON]
        told = {**(stop.told or {"code": stop.kind}), "report": _document(report)}
        raise type(stop)(stop.message, faults=stop.faults, advice=advice, told=told) from error


def _document(report: CorpusReport) -> dict[str, Any]:
    return {
        "artifacts": report.artifacts,
        "new": report.new,
        "extended": report.extended,
        "alreadyThere": report.already_there,
        "added": {"lines": report.lines, "tokens": report.tokens, "annotations": report.annotations},
        **unread(report),
    }


def _tell(out: Out, report: CorpusReport, *, dry_run: bool) -> None:
    if out.as_json:
        out.document({**_document(report), **({"dryRun": True} if dry_run else {})})
        return
    held = f"{report.lines} lines, {report.tokens} words and {report.annotations} annotations"
    if dry_run:
        out.line(f"{report.artifacts} artifacts can be recorded: {held}. Nothing was recorded.")
    else:
        out.line(
            f"{report.artifacts} artifacts were read: {report.new} new, {report.extended} extended, "
            f"{report.already_there} already there."
        )
        out.line(f"Added: {held}.")
    tell_unread(out, report)
