"""The commands about runs: what agents and flows did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Annotated, Any

import typer

from setright.client import BatchResult, Run, SetrightError
from setright.faces.cli import content, lists, names
from setright.faces.cli.bars import counting
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import No, envelope, explain
from setright.faces.cli.options import Key, Project, Since, Until, ago
from setright.faces.cli.out import Out, compact, moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("What agents and flows did.")
CHUNK = 100
LOOKS = lists.Looks(
    ("ID", "STATUS", "PROJECT", "SUBJECT", "STARTED", "FINISHED"),
    lambda run: (
        run.id,
        run.status,
        run.project_id,
        names.ran(run.subject),
        moment(run.created_at),
        moment(run.finished_at),
    ),
    "There are no runs like that; setright runs add FILE records some.",
)


@dataclass(frozen=True, slots=True)
class Which:
    """Which runs to list."""

    project: Project = None
    agent: Annotated[str | None, typer.Option(metavar="ID", help="Runs of this agent.")] = None
    agent_version: Annotated[str | None, typer.Option(metavar="VERSION", help="At this version.")] = None
    flow: Annotated[str | None, typer.Option(metavar="ID", help="Runs of this flow.")] = None
    status: Annotated[
        list[str] | None, typer.Option(help="running, completed or failed; may be given several times.")
    ] = None
    participant: Annotated[str | None, typer.Option(metavar="ID", help="For this participant.")] = None
    since: Since = None
    until: Until = None


@command(app, "list", OF_LEDGER)
def list_runs(desk: Desk, which: Which, wanted: lists.Wanted) -> None:
    """List runs, newest first."""
    lists.show(
        desk.out,
        desk.client.runs.page,
        LOOKS,
        wanted,
        project_id=names.project_or_all(desk.client, which.project),
        agent_id=which.agent,
        agent_version=which.agent_version,
        flow_id=which.flow,
        status=which.status or None,
        participant_id=which.participant,
        since=ago("--since", which.since),
        until=ago("--until", which.until),
    )


@command(app, "show", OF_LEDGER)
def show(desk: Desk, run: Annotated[str, typer.Argument(metavar="RUN", help="Id of the run.")]) -> None:
    """Show a run with its content."""
    found = desk.client.runs.get(run)
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    tell(desk.out, found)


def tell(out: Out, found: Run) -> None:
    """Print a run for people, with its content."""
    out.fields(_fields(found))
    if found.calls:
        out.line("")
        out.table(
            ("#", "TOOL", "ARGS", "RESULT"),
            [
                (place, call.tool, compact(call.args, 100), _outcome(call))
                for place, call in enumerate(found.calls)
            ],
        )


@command(app, "add", OF_LEDGER)
def add(
    desk: Desk,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON: a run or an array of runs; or JSONL; - reads stdin.")
    ],
    project: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="Where runs go that name no projectId.")
    ] = None,
    key: Key = None,
) -> None:
    """Record runs; each is told by itself, and a refused one stops no other."""
    runs = content.many_objects(file, "a run", "runs")
    if project is not None:
        project_id = names.project(desk.client, project)
        runs = [{"projectId": project_id, **run} for run in runs]
    results = list(_record(desk, runs, key or token_hex(16)))
    refused = [result for result in results if result.error is not None]
    if desk.out.as_json:
        desk.out.document({"results": [_told(result) for result in results]})
    else:
        _tell(desk, results)
        if refused and any("projectId" not in run for run in runs):
            desk.out.note(
                "> --project NAME says where runs go that name no projectId; setright project list shows them"
            )
    if refused:
        raise typer.Exit(No.code)


def _record(desk: Desk, runs: list[dict[str, Any]], key: str) -> Iterator[BatchResult]:
    """The result of each run, its index counted through the whole file; `key` stands for all of them."""
    with counting("Recording runs", len(runs), hidden=len(runs) <= CHUNK) as advance:
        for start in range(0, len(runs), CHUNK):
            chunk = runs[start : start + CHUNK]
            try:
                results = desk.client.runs.create_many(chunk, key=f"{key}.{start}")
            except SetrightError as error:
                error.key = key
                raise
            for result in results:
                yield BatchResult(start + result.index, result.status, result.run, result.error)
            advance(len(chunk))


def _tell(desk: Desk, results: Sequence[BatchResult]) -> None:
    for result in results:
        if result.error is not None:
            why = explain(result.error)
            for line in (f"run {result.index}: {why.message}", *(f"  {fault}" for fault in why.faults)):
                desk.out.note(line)
        elif result.run is not None:
            desk.out.line(f"{result.run.id}  {result.run.status}")
    recorded = sum(result.error is None for result in results)
    desk.out.note(f"{recorded} of {len(results)} runs are recorded.")


def _told(result: BatchResult) -> dict[str, Any]:
    told: dict[str, Any] = {"index": result.index, "status": result.status}
    if result.run is not None:
        told["run"] = result.run.raw
    if result.error is not None:
        told["error"] = envelope(result.error)
    return told


def _outcome(call: Any) -> str:
    return f"error: {compact(call.error, 100)}" if call.error is not None else compact(call.result, 100)


def _fields(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "status": run.status,
        "project": run.project_id,
        "subject": names.ran(run.subject),
        "participant": run.participant_id,
        "tags": " ".join(run.tags) if run.tags else None,
        "started": moment(run.created_at),
        "finished": moment(run.finished_at) or None,
        "input": compact(run.input) if "input" in run.raw else None,
        "output": compact(run.output) if run.has_output else None,
        "answer": run.answer,
    }
