"""The command that brings runs in from the files of other tools."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from setright.app.imports import bring_in, caller_of
from setright.exchange import (
    FORMATS,
    MAPPED,
    NAMES,
    Ahead,
    Format,
    ImportReport,
    Into,
    Mapping,
    by_mapping,
    recognise,
)
from setright.faces.cli import names
from setright.faces.cli.content import STDIN
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot, No, explain
from setright.faces.cli.files import opened, shown, tell_unread, unread, usable
from setright.faces.cli.in_process import enter
from setright.faces.cli.options import InProject
from setright.faces.cli.out import Out
from setright.faces.cli.wiring import OF_MACHINE, command, group
from setright.kernel import json
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.runs import NewSubject

app = group("Bring runs in from the files of other tools.")
GOES_ON = "The same command again goes on from there"
KNOWN = ", ".join(NAMES)
WHAT = "; ".join(f"{known.name}: {known.what}" for known in FORMATS.values())


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="[FORMAT] FILE...",
        help=f"A format, one of {KNOWN}, which is recognised where it is left out; and the files: - reads stdin. "
        f"{WHAT}; {MAPPED}: as --mapping says.",
    ),
]
Agent = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The agent that ran; left out, the one that the file names."),
]
ByMapping = Annotated[
    str | None,
    typer.Option(metavar="FILE", help=f"For {MAPPED}: a JSON file that says where the parts of a run stand."),
]


@command(app, "import", OF_MACHINE)
def import_files(
    desk: Desk, files: Files, project: InProject, agent: Agent = None, mapping: ByMapping = None
) -> None:
    """Bring runs into the ledger of this machine from files of another tool.

    Each run is recorded by itself, and the same files again add nothing: what stopped half way goes on where it was.
    What people said of a run there becomes their correction as participants: open, and unsorted.
    Exits with 1 when something of the files could not be read; the report says what, where and why.
    """
    chosen, files = _chosen(files, mapping)
    if agent is not None:
        _nameable(agent)
    _local(desk)
    usable(files)
    entered = enter(desk.settings, desk.out.note)
    report = ImportReport()
    with entered.client:
        caller = caller_of(entered.app, entered.secret)
        project_id = names.project(entered.client, project)
        for file in files:
            with opened(file) as stream, _stopping(report, desk.out):
                ahead = Ahead(stream)
                known = chosen or _recognised(ahead, file, desk.out)
                into = Into(known.name, project_id, agent)
                bring_in(entered.app, caller, known.read(ahead), into, shown(file), report)
    _tell(desk.out, report)
    if report.not_read:
        raise typer.Exit(No.code)


def _chosen(arguments: list[str], mapping: str | None) -> tuple[Format | None, list[str]]:
    """The format that was named, None where none was, and the files."""
    first, *others = arguments
    if first in NAMES and not others:
        raise Cannot(f"setright import {first} needs the files to read.", kind="usage")
    if (first == MAPPED) != (mapping is not None):
        told = (
            f"{MAPPED} needs --mapping FILE"
            if mapping is None
            else f"--mapping goes with the format {MAPPED}"
        )
        raise Cannot(f"{told}.", kind="usage")
    if mapping is not None:
        return by_mapping(_mapping(mapping)), others
    if first in FORMATS:
        return FORMATS[first], others
    if others and first != STDIN and not Path(first).exists():
        raise Cannot(
            f"There is no format {first!r} and no file of this name; formats: {KNOWN}.", kind="usage"
        )
    return None, arguments


def _mapping(file: str) -> Mapping:
    usable([file])
    try:
        return validate(Mapping, json.read(Path(file).read_bytes()))
    except Refusal as refusal:
        raise Cannot(f"{file}: {refusal.message}", kind="usage") from None


def _recognised(ahead: Ahead, file: str, out: Out) -> Format:
    found = recognise(ahead)
    if found is None:
        raise Cannot(
            f"{shown(file)} is of no format that is known here.",
            advice=[f"setright import FORMAT {file}, where FORMAT is one of: {KNOWN}"],
            kind="format-unknown",
        )
    out.note(f"{shown(file)} is read as {found.name}.")
    return found


def _nameable(agent: str) -> None:
    """Look at the agent's name once, and not again with every run."""
    try:
        validate(NewSubject, {"kind": "agent", "id": agent, "version": "0"})
    except Refusal as refusal:
        fault = refusal.message.removeprefix("/id: ")
        raise Cannot(f"--agent {agent!r:.80} {fault}", kind="usage") from None


def _local(desk: Desk) -> None:
    if desk.url is not None:
        raise Cannot(
            f"setright import works on the ledger of this machine only, and SETRIGHT_URL names {desk.url}.",
            advice=[
                "unset SETRIGHT_URL, on the machine that holds the ledger",
                "setright runs add FILE records runs on a server, in the form of the API",
            ],
            kind="local-only",
        )


@contextmanager
def _stopping(report: ImportReport, out: Out) -> Generator[None]:
    """When an import stops, say what was done until there, and that it can go on."""
    try:
        yield
    except KeyboardInterrupt:
        out.note(f"Stopped; at least {report.new} new runs were recorded and stay. {GOES_ON}.")
        raise
    except (Refusal, OSError) as error:
        stop = explain(error)
        done = f"{report.new} new runs were recorded and stay, {report.already_there} were there already"
        advice = [done, *stop.advice, GOES_ON]
        told = {**(stop.told or {"code": stop.kind}), "report": _document(report)}
        raise type(stop)(stop.message, faults=stop.faults, advice=advice, told=told) from error


def _document(report: ImportReport) -> dict[str, Any]:
    return {
        "read": report.read,
        "new": report.new,
        "alreadyThere": report.already_there,
        "calls": report.calls,
        "withoutCalls": report.without_calls,
        "corrections": report.corrections,
        **unread(report),
    }


def _tell(out: Out, report: ImportReport) -> None:
    if out.as_json:
        out.document(_document(report))
        return
    out.line(
        f"{report.read} runs with {report.calls} calls were read: {report.new} new, "
        f"{report.already_there} already there."
    )
    if report.without_calls:
        out.line(f"{report.without_calls} of them made no call.")
    if report.corrections:
        out.line(
            f"{report.corrections} corrections by people of the source were recorded; "
            "theirs are open, and nobody sorted them yet."
        )
    tell_unread(out, report)
