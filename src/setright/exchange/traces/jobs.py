"""The batches of work of traces."""

from collections.abc import Mapping, Sequence
from typing import Any

from setright import jobs, runs
from setright.exchange.model import Into, ReadRun
from setright.exchange.otlp import Log, Received
from setright.exchange.otlp.runs import TraceRun, has_ended, run_of
from setright.exchange.traces import store
from setright.exchange.traces.lifecycle import TRACE_LIFE
from setright.exchange.traces.model import Trace
from setright.exchange.traces.operations import ASSEMBLE
from setright.jobs import Batch
from setright.kernel import json
from setright.kernel.errors import Kind
from setright.kernel.events import Event
from setright.kernel.fields import validate
from setright.runs import NewRun
from setright.storage import Tx

MOST_TEXT = 64 * 1024 * 1024
LONGEST = 3_600_000_000
"""For how many microseconds a trace waits for the span that its spans are within, before it becomes a run without it."""


def assemble(tx: Tx, arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Make a run of a trace whose outermost span has come and to which nothing was added for a while."""
    project_id, trace_id, quiet = arguments["projectId"], arguments["traceId"], arguments["quiet"]
    trace = store.hold(tx, project_id, trace_id)
    if trace is None or trace.state != "gathering":
        return Batch(0)
    due = trace.last_at + quiet
    if tx.now >= due and _is_too_large(tx, trace):
        _end(tx, trace, "refuse", reason=f"its spans and records have more than {MOST_TEXT} characters")
        tx.run(store.EMPTY, **store.this(tx, project_id, trace_id))
        return Batch(1)
    spans, logs = _parts(tx, trace) if tx.now >= due else ((), ())
    if tx.now >= due and not has_ended(spans, logs) and tx.now < trace.last_at + LONGEST:
        due = tx.now + max(quiet, 1)
    if tx.now < due:
        jobs.ask(tx, ASSEMBLE, f"{project_id}/{trace_id}", arguments, due)
        return Batch(0)
    found = run_of(spans, logs)
    if found is None:
        _end(tx, trace, "pass-over")
    else:
        _record(tx, trace, found)
    tx.run(store.EMPTY, **store.this(tx, project_id, trace_id))
    return Batch(1)


def _is_too_large(tx: Tx, trace: Trace) -> bool:
    """Whether a trace has more than a run may hold and memory should: each part is small, and there may be many."""
    row = tx.one(store.SIZE, **store.this(tx, trace.project_id, trace.trace_id))
    return row is not None and (row["size"] or 0) > MOST_TEXT


def _parts(tx: Tx, trace: Trace) -> tuple[Sequence[Received], Sequence[Log]]:
    rows = tx.all(store.CONTENT, **store.this(tx, trace.project_id, trace.trace_id))
    parts = [(row["kind"], json.read_stored(row["content"])) for row in rows]
    spans = [Received(**part) for kind, part in parts if kind == "span"]
    return spans, [Log(**part) for kind, part in parts if kind == "log"]


def _record(tx: Tx, trace: Trace, found: TraceRun) -> None:
    """Record the run; one that is there already, from a file of the same trace, stays as it is."""
    read = ReadRun(trace.trace_id, found.version, "", 0, found.said, found.agent)
    into = Into("otlp", trace.project_id)

    def record() -> runs.RecordedRun:
        return runs.record_run(tx, validate(NewRun, into.body(read)))

    outcome = tx.attempt(record)
    if isinstance(outcome, runs.RecordedRun):
        _end(tx, trace, "finish", run_id=outcome.run.id)
    elif outcome.kind in (Kind.INVALID, Kind.CONFLICT, Kind.TOO_LARGE):
        _end(tx, trace, "refuse", reason=outcome.message)
    else:
        raise outcome


def _end(tx: Tx, trace: Trace, verb: str, run_id: str | None = None, reason: str | None = None) -> None:
    move = TRACE_LIFE.find(verb, trace.state)
    if move is None:
        return
    this = store.this(tx, trace.project_id, trace.trace_id)
    tx.run(store.END, **this, new_state=move.end, new_run=run_id, new_reason=reason)
    tx.announce(Event(move.event, "trace", trace.trace_id, trace.project_id, ("state",)))
