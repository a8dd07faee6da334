"""The command that starts the server."""

import json
from pathlib import Path
from typing import Annotated

import typer

from setright.app import machine
from setright.app.settings import unsafe_bind
from setright.faces.cli import local_server, opening
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.wiring import OF_SERVER, command, group
from setright.faces.http.serve import serve as serve_over_network

app = group("Start the server; without any setting it makes a ledger for you.")


@command(app, "serve", OF_SERVER)
def serve(
    desk: Desk,
    workers: Annotated[int, typer.Option(min=1, metavar="NUMBER", help="Processes that serve; only 1.")] = 1,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Leave the jobs of a SQLite file undone.")
    ] = False,
) -> None:
    """Start the server, and say its address when it answers; without any setting it makes a ledger for you.

    A new ledger has the tenant `local`, the project `default` and a token, shown once. An old SQLite file is copied
    aside and upgraded; a PostgreSQL database is upgraded only by `setright db upgrade`.
    """
    settings = desk.settings
    unsafe = unsafe_bind(settings)
    if unsafe is not None:
        raise Cannot(f"This is not safe to start: {unsafe}", kind="unsafe-address")
    if workers > 1:
        raise _one_only(machine.address(settings).engine)
    opened = opening.open_ledger(settings, may_upgrade=True)
    _ask_issuer(desk, opened)
    if not machine.tenants(opened.app):
        desk.out.note("Nobody can come in yet: setright bootstrap makes the first tenant and a token.")
    for sentence in opened.news():
        desk.out.line(sentence)
    if opened.made is not None:
        desk.out.line(f"Its token, shown this once and kept in {opened.file}:")
        desk.out.line(f"  {opened.made.issued.secret}")
    if not no_worker and machine.address(settings).engine == "sqlite":
        opened.app.worker.start()
    with local_server.found_by_hooks(settings) as file:
        serve_over_network(opened.app, lambda address: _say_ready(desk, opened, address, file))


def _ask_issuer(desk: Desk, opened: opening.Opened) -> None:
    """Hold the issuer's own words against the settings, before a client finds that they differ."""
    issuer = opened.app.issuer
    fault = None if issuer is None else issuer.start_fault()
    if fault is None:
        return
    stops, told = fault
    if not stops:
        desk.out.note(told)
        return
    opened.app.close()
    raise Cannot(told, advice=["copy `issuer` from its metadata, letter for letter"], kind="issuer-differs")


def _say_ready(desk: Desk, opened: opening.Opened, address: str, file: Path) -> None:
    local_server.tell(file, address)
    if not desk.out.as_json:
        desk.out.line(f"Setright is ready at {address} (Ctrl+C stops it)")
        return
    told: dict[str, object] = {"url": address, "database": opened.place, "tokenFile": str(opened.file)}
    if opened.made is not None:
        told["token"] = opened.made.issued.secret
    print(json.dumps(told), flush=True)


def _one_only(engine: str) -> Cannot:
    if engine == "sqlite":
        return Cannot(
            "--workers: a SQLite file has one writer, so one process serves it.",
            advice=["use PostgreSQL for more: --database postgresql://HOST/NAME"],
            kind="usage",
        )
    return Cannot(
        "--workers: one command serves in one process.",
        advice=["start `setright serve` several times, each with its own --port, on the same database"],
        kind="usage",
    )
