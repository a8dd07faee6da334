"""What must be true of the rows of traces: a finished one is a run, a refused one says why, and a gathered one is neither."""

from collections.abc import Iterator

from sqlalchemy import bindparam, select

from setright.exchange.tables import traces
from setright.storage import Row, RowFault, Seen, Snapshot, Sql
from setright.storage.soundness import next_piece, pieces

_T = traces.c
_ORDER = (_T.created_at, _T.trace_id, _T.project_id)
PIECE = Sql(
    select(traces)
    .where(_T.tenant_id == bindparam("tenant_id"), next_piece(*_ORDER))
    .order_by(*_ORDER)
    .limit(bindparam("count"))
)


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Traces of the tenant that stand where nothing led them."""
    for piece in pieces(at, PIECE, _ORDER, tenant_id=at.actor.tenant_id):
        for trace in piece:
            place = f"{trace['project_id']}/{trace['trace_id']}"
            yield from (RowFault("traces", place, says) for says in _faults(trace))
        seen(len(piece))


def _faults(trace: Row) -> Iterator[str]:
    state = trace["state"]
    if (trace["run_id"] is not None) != (state == "finished"):
        yield f"its state is {state}, and it {'is a run' if trace['run_id'] else 'is no run'}"
    if state == "refused" and trace["reason"] is None:
        yield "it was refused, and nothing says why"
    if trace["late_count"] > trace["span_count"]:
        yield "more of its spans came late than came at all"
