"""The command that brings runs in from the files of other tools."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from setright.app.imports import bring_in, caller_of
from setright.exchange import FORMATS, Format, ImportReport, Into
from setright.faces.cli import names
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot, No, explain
from setright.faces.cli.files import opened, shown, tell_unread, unread, usable
from setright.faces.cli.in_process import enter
from setright.faces.cli.options import InProject
from setright.faces.cli.out import Out
from setright.faces.cli.wiring import OF_MACHINE, command, group
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.runs import NewSubject

app = group("Bring runs in from the files of other tools.")
GOES_ON = "The same command again goes on from there"
KNOWN = ", ".join(FORMATS)
WHAT = "; ".join(f"{known.name}: {known.what}" for known in FORMATS.values())


@command(app, "import", OF_MACHINE)
def import_files(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="FORMAT", help=f"One of: {KNOWN}. {WHAT}.")],
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="The files; - reads stdin.")],
    project: InProject,
    agent: Annotated[str, typer.Option(metavar="NAME", help="The agent that ran.")],
) -> None:
    """Bring runs into the ledger of this machine from files of another tool.

    Each run is recorded by itself, and the same files again add nothing: what stopped half way goes on where it was.
    Exits with 1 when something of the files could not be read; the report says what, where and why.
    """
    chosen = _format(name)
    _nameable(agent)
    _local(desk)
    usable(files)
    entered = enter(desk.settings, desk.out.note)
    report = ImportReport()
    with entered.client:
        caller = caller_of(entered.app, entered.secret)
        into = Into(chosen.name, names.project(entered.client, project), agent)
        for file in files:
            with opened(file) as stream, _stopping(report, desk.out):
                bring_in(entered.app, caller, chosen.read(stream), into, shown(file), report)
    _tell(desk.out, report)
    if report.not_read:
        raise typer.Exit(No.code)


def _format(name: str) -> Format:
    found = FORMATS.get(name)
    if found is None:
        raise Cannot(f"There is no format {name!r}; one of: {KNOWN}.", kind="usage")
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
    tell_unread(out, report)
