"""Bringing runs that were read from a file into an open ledger: each is a call of its own, as somebody."""

import asyncio
from collections.abc import Iterable, Iterator

from setright.app.assemble import RunningApp
from setright.app.callers import Caller
from setright.app.catalog import OPERATIONS
from setright.app.perform import Arguments, Call
from setright.exchange import ImportReport, Into, ReadRun, Unread
from setright.identity import present
from setright.kernel.answer import Answer
from setright.kernel.errors import Kind, Refusal
from setright.kernel.fields import validate
from setright.runs import NewRun, RecordedRun, RunExists

AT_ONCE = 32
BYTES_AT_ONCE = 4 * 1024 * 1024
SECONDS = 60
OF_ONE_RUN = (Kind.INVALID, Kind.CONFLICT, Kind.TOO_LARGE)
"""The refusals that speak of one run; any other would meet all that follow, too."""


def caller_of(app: RunningApp, secret: str) -> Caller:
    """Who a token's secret lets in; refuses one that lets nobody in."""
    presented = present(secret)
    return app.store.read(lambda at: app.callers.read(at, presented)).result(SECONDS)


def bring_in(
    app: RunningApp,
    caller: Caller,
    found: Iterable[ReadRun | Unread],
    into: Into,
    file: str,
    report: ImportReport,
) -> None:
    """Record what a reader finds in `file`, and count it in the report; a run that cannot be kept stops no other.

    What was recorded stays, whatever comes later. Refuses when nothing more can be recorded, as without the right to
    write in the project or while the database is away; the report then holds what was done until there.
    """
    # Reading stands outside of the loop, so that Ctrl-C ends it also where a pipe gives nothing.
    with asyncio.Runner() as runner:
        for runs in _together(found, file, report):
            outcomes = runner.run(_record_all(app, caller, runs, into))
            ends: BaseException | None = None
            for run, outcome in zip(runs, outcomes, strict=True):
                if isinstance(outcome, RecordedRun):
                    report.took(outcome.run.call_count, created=outcome.created)
                elif isinstance(outcome, Refusal) and outcome.kind in OF_ONE_RUN:
                    report.missed(file, run.place, _reason(outcome))
                else:
                    ends = ends or outcome
            if ends is not None:
                raise ends


def _together(found: Iterable[ReadRun | Unread], file: str, report: ImportReport) -> Iterator[list[ReadRun]]:
    """The runs, as many as are recorded at once: they share commits, and memory holds no more than these."""
    runs: list[ReadRun] = []
    for one in found:
        if isinstance(one, Unread):
            report.missed(file, one.place, one.reason)
            continue
        runs.append(one)
        if len(runs) == AT_ONCE or sum(run.size for run in runs) >= BYTES_AT_ONCE:
            yield runs
            runs = []
    if runs:
        yield runs


async def _record_all(
    app: RunningApp, caller: Caller, runs: list[ReadRun], into: Into
) -> list[RecordedRun | BaseException]:
    return await asyncio.gather(*(_record(app, caller, run, into) for run in runs), return_exceptions=True)


async def _record(app: RunningApp, caller: Caller, run: ReadRun, into: Into) -> RecordedRun:
    kept: list[RecordedRun] = []

    def arguments() -> Arguments:
        return {"new": validate(NewRun, into.body(run))}

    def answer(recorded: RecordedRun) -> Answer:
        kept.append(recorded)
        return Answer(201 if recorded.created else 200)

    await app.performer.perform(Call(OPERATIONS["record-run"], arguments, caller, answer))
    return kept[-1]


def _reason(refusal: Refusal) -> str:
    if not isinstance(refusal, RunExists):
        return refusal.message
    fields = refusal.details.get("fields")
    where = f" in {', '.join(fields)}" if fields else ""
    return f"is there already with other content{where}; a recorded run never changes"
