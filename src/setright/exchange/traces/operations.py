"""What comes in of traces: parts are kept, once each, whatever their order and however often they are sent."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict

from setright import jobs
from setright.exchange.otlp import Log, Received, Rejected
from setright.exchange.otlp.vocabularies import EVALUATION
from setright.exchange.traces import store
from setright.exchange.traces.lifecycle import TRACE_LIFE
from setright.exchange.traces.model import Taken
from setright.identity import find_project
from setright.kernel import json
from setright.kernel.actor import Role
from setright.kernel.events import Event
from setright.kernel.limits import Use
from setright.storage import Tx

ASSEMBLE = "assemble-trace"
MOST_SPANS = 10_000
NUL = "\\u0000"
MOST_PART_BYTES = 4 * 1024 * 1024
Part = Received | Log


def take_parts(tx: Tx, project_id: str, parts: Sequence[Part | Rejected], quiet: int) -> Taken:
    """Keep spans and log records of agents' traces; each trace becomes a run when nothing came for `quiet` microseconds.

    A span that is sent again while its trace is gathered takes the place of the first; once the trace is a run, a span
    that was there is passed over and a new one is kept as late. Where the runs of a day are used up no further trace
    is begun: the request is refused, and sent again later; what is gathered goes on.
    """
    project = find_project(tx, project_id)
    tx.actor.require(Role.WRITE, project.id)
    of_trace = defaultdict[str, list[Part]](list)
    rejected = [one.reason for one in parts if isinstance(one, Rejected)]
    for part in parts:
        if not isinstance(part, Rejected):
            of_trace[part.trace_id].append(part)
    over = tx.over_quota(Use(runs=1, run_bytes=1))
    if over is not None and any(
        store.hold(tx, project.id, trace_id) is None for trace_id in sorted(of_trace)
    ):
        raise over
    kept = 0
    for trace_id, own in sorted(of_trace.items()):
        refused = _take(tx, project.id, trace_id, own, quiet)
        rejected += refused
        kept += len(own) - len(refused)
    return Taken(kept, len(rejected), rejected[0] if rejected else None)


def _take(tx: Tx, project_id: str, trace_id: str, parts: Sequence[Part], quiet: int) -> list[str]:
    """Keep the parts of one trace; why some are not kept."""
    this = store.this(tx, project_id, trace_id)
    _begin(tx, project_id, trace_id)
    trace = store.hold(tx, project_id, trace_id)
    if trace is not None and trace.reason == store.ERASED:
        return [f"the run of the trace {trace_id} was erased, or kept for long enough"] * len(parts)
    gathers = trace is None or trace.state == "gathering"
    spans, late, refused = 0, 0, list[str]()
    for part in parts:
        written = json.write_text(asdict(part))
        if NUL in written and next(json.text_faults(asdict(part)), None) is not None:
            refused.append(f"a part of the trace {trace_id} holds U+0000, which no text here may hold")
            continue
        if len(written) > MOST_PART_BYTES or (trace is not None and trace.span_count + spans >= MOST_SPANS):
            refused.append(
                f"the trace {trace_id} has {MOST_SPANS} spans, or this one {MOST_PART_BYTES} bytes"
            )
            continue
        is_late = not gathers and isinstance(part, Received)
        new = _add(tx, this, part, written, late=is_late)
        if not new and gathers:
            tx.run(store.PUT_PART, **this, of_part=_key(part), new_content=written)
        spans += new and isinstance(part, Received)
        late += new and is_late
    tx.run(store.GROW, **this, spans=spans, late=late, now=tx.now)
    if gathers:
        arguments = {"projectId": project_id, "traceId": trace_id, "quiet": quiet}
        jobs.ask(tx, ASSEMBLE, f"{project_id}/{trace_id}", arguments, tx.now + quiet)
    return refused


def _begin(tx: Tx, project_id: str, trace_id: str) -> None:
    """Say that a trace is gathered, if nothing of it came before."""
    begun = tx.run(
        store.BEGIN,
        tenant_id=tx.actor.tenant_id,
        project_id=project_id,
        trace_id=trace_id,
        state="gathering",
        run_id=None,
        reason=None,
        span_count=0,
        late_count=0,
        created_at=tx.now,
        last_at=tx.now,
    )
    if begun:
        move = TRACE_LIFE.find("gather", None)
        if move is not None:
            tx.announce(Event(move.event, "trace", trace_id, project_id, ("state",)))


def _add(tx: Tx, this: dict[str, str], part: Part, written: str, *, late: bool) -> bool:
    return bool(
        tx.run(
            store.ADD_PART,
            tenant_id=this["of_tenant"],
            project_id=this["of_project"],
            trace_id=this["of_trace"],
            part_key=_key(part),
            kind=_kind(part),
            late=int(late),
            content=written,
            created_at=tx.now,
        )
    )


def _kind(part: Part) -> str:
    if isinstance(part, Received):
        return "span"
    return "evaluation" if part.name == EVALUATION else "log"


def _key(part: Part) -> str:
    """What tells a part apart within its trace: a span by its id, a record by all that it says."""
    if isinstance(part, Received):
        return part.span_id
    said = hashlib.sha256(json.write([part.name, part.attributes, part.body, part.time])).hexdigest()
    return f"{part.span_id}-{said[:32]}"
