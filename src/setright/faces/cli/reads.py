"""The commands about who was shown what runs said."""

from typing import Annotated

import typer

from setright.client import RunRead
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Who was shown what runs said.")

READS = lists.Looks(
    ("AT", "RUN", "BY", "VIA"),
    lambda read: (moment(read.at), read.run_id, read.by.id, read.via),
    "Nothing was logged here: setright reads log PROJECT says whether a log is kept.",
)
ProjectName = Annotated[str, typer.Argument(metavar="PROJECT", help="Id or name of the project.")]


@command(app, "list", OF_LEDGER)
def list_reads(
    desk: Desk,
    project: ProjectName,
    wanted: lists.Wanted,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="Only reads of this run.")] = None,
    user: Annotated[str | None, typer.Option(metavar="USER", help="Only reads by this user.")] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="Only reads since then.")] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Only reads before then.")] = None,
) -> None:
    """List who was shown what runs of a project said, newest first."""
    project_id = names.project(desk.client, project)

    def ask(limit: int, cursor: str | None) -> lists.Page[RunRead]:
        return desk.client.run_reads.page(
            project_id, run_id=run, user_id=user, since=since, until=until, limit=limit, cursor=cursor
        )

    lists.show(desk.out, ask, READS, wanted)


@command(app, "log", OF_LEDGER)
def log(
    desk: Desk,
    project: ProjectName,
    kept: Annotated[
        bool | None, typer.Option("--on/--off", help="Log reads from now on, or no more; else only say.")
    ] = None,
) -> None:
    """Say whether reads of a project's runs are logged, or have them logged."""
    project_id = names.project(desk.client, project)
    reads = desk.client.run_reads
    found = reads.log(project_id) if kept is None else reads.keep_log(project_id, kept=kept)
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    told = "every read by a person" if found.kept else "nothing"
    desk.out.fields({"project": found.project_id, "logged": told, "set": moment(found.updated_at) or None})
