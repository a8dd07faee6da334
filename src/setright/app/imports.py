"""Bringing runs that were read from a file into an open ledger: each is a call of its own, as somebody."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from setright.app.assemble import RunningApp
from setright.app.callers import Caller
from setright.app.catalog import OPERATIONS, QUERIES
from setright.app.perform import Arguments, Call, Question
from setright.corrections import CorrectionFilters, NewCorrection
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
        for runs in _together(_nameable(found, into), file, report):
            outcomes = runner.run(_record_all(app, caller, runs, into))
            ends: BaseException | None = None
            for run, outcome in zip(runs, outcomes, strict=True):
                if isinstance(outcome, Recorded):
                    report.took(outcome.run.run.call_count, created=outcome.run.created)
                    report.corrections += outcome.corrections
                    for refusal in outcome.refused:
                        report.missed(file, run.place, f"a correction of the run: {_reason(refusal)}")
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


def _nameable(found: Iterable[ReadRun | Unread], into: Into) -> Iterator[ReadRun | Unread]:
    for one in found:
        if isinstance(one, ReadRun) and into.agent_of(one) is None:
            yield Unread(one.place, "does not say which agent ran; name it with the import")
        else:
            yield one


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run that is in the ledger now, how many corrections of it are new, and what was refused of them."""

    run: RecordedRun
    corrections: int
    refused: Sequence[Refusal]


async def _record_all(
    app: RunningApp, caller: Caller, runs: list[ReadRun], into: Into
) -> list[Recorded | BaseException]:
    return await asyncio.gather(*(_whole(app, caller, run, into) for run in runs), return_exceptions=True)


async def _whole(app: RunningApp, caller: Caller, run: ReadRun, into: Into) -> Recorded:
    """Record a run and, once each, what people said of it in its source; what stopped between them goes on here."""
    recorded = await _record(app, caller, run, into)
    made, refused = 0, list[Refusal]()
    for said in run.corrections:
        try:
            made += await _correct(app, caller, {"runId": recorded.run.id, **said})
        except Refusal as refusal:
            if refusal.kind not in OF_ONE_RUN:
                raise
            refused.append(refusal)
    return Recorded(recorded, made, refused)


async def _correct(app: RunningApp, caller: Caller, body: Mapping[str, Any]) -> bool:
    """Record a correction, unless there is one of the run by this participant; whether it was recorded."""
    filters = CorrectionFilters(
        run_id=body["runId"], participant_id=body["participantId"], include_unregistered=True
    )
    question = Question(
        QUERIES["list-corrections"], lambda: {"filters": filters, "after": None, "limit": 1}, caller
    )
    if (await app.performer.ask(question)).data:
        return False

    def arguments() -> Arguments:
        return {"wanted": validate(NewCorrection, body)}

    await app.performer.perform(
        Call(OPERATIONS["record-correction"], arguments, caller, lambda _: Answer(201))
    )
    return True


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
