"""The commands about test runs that were begun: what came out, what changed, and how they end."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import typer

from setright.client import Comparison, FinishedTestRun, TestRun, TestSummary
from setright.client.summaries import Count
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.options import Key, Project
from setright.faces.cli.out import Out, compact, moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Versions held against corrections; setright test begins one.")

TestRunId = Annotated[str, typer.Argument(metavar="TEST-RUN", help="Id of the test run.")]
Against = Annotated[
    str | None, typer.Option(metavar="TEST-RUN", help="An earlier test run of the same agent or flow.")
]
Experts = Annotated[
    bool | None,
    typer.Option(
        "--experts/--others", help="Only what was said under a group that was restricted, or only the rest."
    ),
]
Outcome = Literal["right", "wrong", "not-evaluated"]

TEST_RUNS = lists.Looks(
    ("ID", "SUBJECT", "PROJECT", "STATUS", "DONE", "RIGHT", "WRONG", "NOT EVALUATED", "BEGUN"),
    lambda run: (
        run.id,
        names.ran(run.subject),
        run.project_id,
        run.status,
        f"{run.cases.done}/{run.cases.total}",
        run.verdicts.right,
        run.verdicts.wrong,
        run.verdicts.not_evaluated,
        moment(run.created_at),
    ),
    "There are no test runs like that; setright test begins one.",
)
VERDICTS = lists.Looks(
    ("CORRECTION", "TRY", "VERDICT", "REASON", "WHY"),
    lambda one: (one.correction_id, one.repetition, one.verdict, one.reason, compact(one.explanation, 200)),
    "There are no verdicts like that.",
)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Which verdicts to list."""

    verdict: Annotated[Outcome | None, typer.Option(help="Only these; with --aspect, these on it.")] = None
    aspect: Annotated[
        Literal["decisions", "answer", "items"] | None,
        typer.Option(help="Only about corrections that speak of this."),
    ] = None
    correction: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Only about this correction; may be given several times."),
    ] = None
    experts: Experts = None
    against: Against = None
    was: Annotated[
        Outcome | None, typer.Option(help="With --against: only what came out so in that test run.")
    ] = None


@command(app, "list", OF_LEDGER)
def list_test_runs(
    desk: Desk,
    wanted: lists.Wanted,
    project: Project = None,
    agent: Annotated[str | None, typer.Option(metavar="ID", help="Of this agent.")] = None,
    flow: Annotated[str | None, typer.Option(metavar="ID", help="Of this flow.")] = None,
    version: Annotated[str | None, typer.Option(metavar="VERSION", help="Of this version.")] = None,
    status: Annotated[
        Literal["running", "finished", "failed", "cancelled"] | None, typer.Option(help="In this status.")
    ] = None,
) -> None:
    """List test runs, newest first."""
    filters = {
        "project_id": names.project_or_all(desk.client, project),
        "agent_id": agent,
        "flow_id": flow,
        "version": version,
        "status": status,
    }
    lists.show(desk.out, desk.client.test_runs.page, TEST_RUNS, wanted, **filters)


@command(app, "show", OF_LEDGER)
def show(desk: Desk, test_run: TestRunId) -> None:
    """Show one test run: how far it is, and what came out so far."""
    _show(desk.out, desk.client.test_runs.get(test_run))


@command(app, "verdicts", OF_LEDGER)
def verdicts(desk: Desk, test_run: TestRunId, narrowed: Narrowed, wanted: lists.Wanted) -> None:
    """List what came out for each correction, and why.

    setright test-runs verdicts TEST-RUN --verdict wrong --against EARLIER --was right
    """
    filters = {
        "verdict": narrowed.verdict,
        "aspect": narrowed.aspect,
        "correction_id": narrowed.correction or None,
        "expert": narrowed.experts,
        "against": narrowed.against,
        "was": narrowed.was,
    }
    ask = partial(desk.client.test_runs.verdicts_page, test_run)
    lists.show(desk.out, ask, VERDICTS, wanted, **filters)


@command(app, "summary", OF_LEDGER)
def summary(desk: Desk, test_run: TestRunId, against: Against = None, experts: Experts = None) -> None:
    """Sum a test run up, alone or against an earlier one.

    setright test-runs summary TEST-RUN --against EARLIER
    """
    found = desk.client.test_runs.summary(test_run, against=against, expert=experts)
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    _sum_up(desk.out, found)


@command(app, "finish", OF_LEDGER)
def finish(
    desk: Desk,
    test_run: TestRunId,
    partial: Annotated[
        bool, typer.Option("--partial", help="Although cases have no result; those have no verdict then.")
    ] = False,
    key: Key = None,
) -> None:
    """Finish a test run, and learn what it means for its project."""
    _show(desk.out, desk.client.test_runs.finish(test_run, partial=partial or None, key=key))


@command(app, "cancel", OF_LEDGER)
def cancel(desk: Desk, test_run: TestRunId, key: Key = None) -> None:
    """Cancel a test run, which then counts for nothing."""
    _show(desk.out, desk.client.test_runs.cancel(test_run, key=key))


def _show(out: Out, run: TestRun) -> None:
    if out.as_json:
        out.document(run.raw)
        return
    out.fields(
        {
            "id": run.id,
            "subject": names.ran(run.subject),
            "project": run.project_id,
            "status": run.status,
            "failure": None if run.failure is None else run.failure.message,
            "filter": compact(run.filter) if run.filter else None,
            "tries": run.repeat,
            "cases": f"{run.cases.done} of {run.cases.total} done",
            "erased cases": run.cases.erased,
            "corrections": run.corrections,
            "right": run.verdicts.right,
            "wrong": run.verdicts.wrong,
            "not evaluated": run.verdicts.not_evaluated,
            "begun": moment(run.created_at),
            "ended": moment(run.ended_at) or None,
            "means": run.says if isinstance(run, FinishedTestRun) else None,
        }
    )


def _sum_up(out: Out, found: TestSummary) -> None:
    run = found.test_run
    out.line(f"Test run {run.id}: {names.ran(run.subject)}, {run.status}.")
    out.line("")
    rows = [("all", found.corrections), *((one.aspect, one) for one in found.aspects)]
    cells = [(name, *map(_told, (one.right, one.wrong, one.not_evaluated))) for name, one in rows]
    out.table(("CORRECTIONS", "RIGHT", "WRONG", "NOT EVALUATED"), cells)
    for one in found.reasons:
        out.line(f"{_told(one)} not evaluated: {one.reason}")
    if found.without_verdict:
        out.line(f"{found.without_verdict} without a verdict.")
    if run.cases.erased:
        out.line(f"{run.cases.erased} cases were left out, because their runs were erased.")
    _steadiness(out, found)
    if found.against is not None:
        _changes(out, found.against)
    if run.says is not None:
        out.line("")
        out.line(run.says)


def _steadiness(out: Out, found: TestSummary) -> None:
    told = found.repetitions
    if told is None:
        return
    out.line("")
    cells = [
        (
            one.repetition,
            one.right,
            one.wrong,
            one.not_evaluated,
            f"{told.pass_hat[place]:.3f}" if place < len(told.pass_hat) else None,
        )
        for place, one in enumerate(told.tries)
    ]
    out.table(("TRY", "RIGHT", "WRONG", "NOT EVALUATED", "SO MANY TRIES ALL RIGHT"), cells)
    if told.spread is not None:
        spread = told.spread
        out.line(
            f"Right in {100 * spread.lowest:.1f} % to {100 * spread.highest:.1f} % of what was evaluated, "
            f"{told.unsteady} corrections now right, now wrong."
        )


def _changes(out: Out, found: Comparison) -> None:
    out.line("")
    counts = (found.newly_right, found.newly_wrong, found.still_right, found.still_wrong)
    columns = ("AGAINST", "NEWLY RIGHT", "NEWLY WRONG", "STILL RIGHT", "STILL WRONG", "NOT COMPARED")
    name = f"{found.test_run.subject.version} ({found.test_run.id})"
    out.table(columns, [(name, *map(_told, counts), found.not_compared)])
    out.line(found.says)


def _told(count: Count) -> str:
    """A count, with what it weighs where that is something else."""
    same = count.weighted == count.corrections
    return str(count.corrections) if same else f"{count.corrections} (weighs {count.weighted:g})"
