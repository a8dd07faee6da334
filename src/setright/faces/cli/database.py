"""The commands about the database of this machine."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from setright.app import backups, machine, scrubbing, soundness
from setright.faces.cli.bars import steps
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot, No
from setright.faces.cli.findings import show
from setright.faces.cli.wiring import OF_MACHINE, command, group

app = group("Back up, restore, upgrade or check the database of this machine.")
PgBin = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Where pg_dump and pg_restore are, for PostgreSQL (default: on the PATH)."
    ),
]


@command(app, "upgrade", OF_MACHINE)
def upgrade(desk: Desk) -> None:
    """Bring the database to the schema that this version needs; a SQLite file is copied aside first."""
    before, copy = machine.upgrade(desk.settings)
    place = machine.address(desk.settings).shown
    if desk.out.as_json:
        told = {"database": place, "before": before.found, "now": before.needed}
        desk.out.document(told | ({"copy": str(copy)} if copy else {}))
    elif before.fits:
        desk.out.line(f"{place} has the schema {before.needed} already.")
    else:
        was = "it is new" if before.found is None else f"it was {before.found}"
        desk.out.line(f"{place} has the schema {before.needed} now; {was}.")
        if copy is not None:
            desk.out.line(f"As it was before: {copy}")


@command(app, "check", OF_MACHINE)
def check(desk: Desk) -> None:
    """Read the whole ledger, while servers go on writing to it, and say whether it is sound; exit 1 when it is not.

    It looks at the database's own pages, indexes and keys, and holds every correction and run against its history.
    """
    with steps() as progress:
        found = soundness.check(desk.settings, progress)
    show(desk.out, found.findings, faults=[asdict(fault) for fault in found.faults])
    for fault in found.faults:
        desk.out.line(f"{fault.table} {fault.id}: {fault.says}")
    if any(finding.ok is False for finding in found.findings):
        raise typer.Exit(No.code)


@command(app, "scrub", OF_MACHINE)
def scrub(desk: Desk) -> None:
    """Write the database anew, so that its files hold nothing of what was erased before; who writes waits meanwhile.

    An erasure does not need it on SQLite: it leaves nothing in the file or its log. On PostgreSQL erased rows stay in
    the server's files until they are overwritten, and this overwrites them now.
    """
    emptied = scrubbing.scrub(desk.settings)
    place = machine.address(desk.settings).shown
    if desk.out.as_json:
        desk.out.document({"database": place, "logEmptied": emptied})
    elif emptied:
        desk.out.line(f"{place} was written anew.")
    if not emptied:
        raise Cannot(
            "The log beside the file is in use by somebody who reads.",
            advice=["run it again, or while no server runs"],
            kind="in-use",
        )


@command(app, "recount", OF_MACHINE)
def recount(desk: Desk) -> None:
    """Count anew what is kept as counts, for when db check says that one is wrong; who corrects meanwhile waits."""
    running = machine.open_app(desk.settings)
    try:
        wrong = soundness.recount(running)
    finally:
        running.close()
    if desk.out.as_json:
        desk.out.document({"database": machine.address(desk.settings).shown, "wrong": wrong})
    else:
        desk.out.line(
            f"Everything was counted anew; {wrong or 'no'} kept count{'s were' if wrong > 1 else ' was'} wrong."
        )


@command(app, "backup", OF_MACHINE)
def backup(
    desk: Desk,
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="TARGET", help="A new file, or a folder for one named by the time (default: here)."
        ),
    ] = None,
    pg_bin: PgBin = None,
) -> None:
    """Copy the whole ledger into one new file, while servers go on writing to it.

    It holds everything that was acknowledged before: words, histories and the hashes of tokens. Only you can read it.
    PostgreSQL is copied by pg_dump, which must be as new as the server. The file with your own token is not in it.
    """
    with _stopping(), steps() as progress:
        made = backups.back_up(desk.settings, target, pg_bin, progress)
    manifest, place = made.manifest, machine.address(desk.settings).shown
    if desk.out.as_json:
        desk.out.document({"backup": str(made.path), "database": place, **manifest.document()})
        return
    what = manifest.contents
    desk.out.line(f"Backed up {place} into {made.path}")
    desk.out.fields(
        {
            "size": f"{made.path.stat().st_size:,} bytes",
            "made by": f"{what.tool}, of {backups.ENGINES[what.engine]} {what.engine_version}",
            "schema": what.schema,
            "holds": backups.told_rows(what.rows),
        }
    )
    desk.out.note("Only you can read the file. Your own token's file is not part of it.")


@command(app, "restore", OF_MACHINE)
def restore(
    desk: Desk,
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A file that db backup made.")],
    pg_bin: PgBin = None,
) -> None:
    """Put a backup where no ledger is: a missing or empty SQLite file, or an empty PostgreSQL database.

    The backup is held against its checksum first, and what is not empty is not touched. Tokens work as before.
    """
    with _stopping(), steps() as progress:
        manifest, schema = backups.restore(desk.settings, source, pg_bin, progress)
        if schema.fits:
            progress("Erasing again what was erased since", 0, None)
            machine.open_app(desk.settings).close()
    place = machine.address(desk.settings).shown
    if desk.out.as_json:
        told: dict[str, Any] = {"database": place, "upgradeNeeded": not schema.fits, **manifest.document()}
        desk.out.document(told)
        return
    what = manifest.contents
    desk.out.line(f"Restored {source} into {place}")
    desk.out.fields({"schema": what.schema, "holds": backups.told_rows(what.rows)})
    if not schema.fits:
        desk.out.line(f"This version needs the schema {schema.needed}: run setright db upgrade.")
    desk.out.note(
        "Tokens work as they did when the backup was made. The file with your own token is not part of a backup; "
        "setright bootstrap makes one if yours is gone."
    )


@contextmanager
def _stopping() -> Generator[None]:
    """What stopped a backup or a restore, as a command ends."""
    try:
        yield
    except backups.BackupStopped as stop:
        kind = No if isinstance(stop, backups.BackupRefused) else Cannot
        raise kind(str(stop), advice=stop.advice, kind=stop.code) from stop
