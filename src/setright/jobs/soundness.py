"""What must be true of the rows of jobs: a lease where one runs, a time where one waits, and the end that was told."""

from collections.abc import Iterator

from sqlalchemy import bindparam, select

from setright.jobs.tables import jobs
from setright.storage import Row, RowFault, Seen, Snapshot, Sql
from setright.storage.soundness import next_piece, pieces

_J = jobs.c
_ORDER = (_J.created_at, _J.id)
PIECE = Sql(
    select(jobs)
    .where(_J.tenant_id == bindparam("tenant_id"), next_piece(*_ORDER))
    .order_by(*_ORDER)
    .limit(bindparam("count"))
)


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Jobs of the tenant that no worker could take or end, or that stand where nothing led them."""
    for piece in pieces(at, PIECE, _ORDER, tenant_id=at.actor.tenant_id):
        for job in piece:
            yield from (RowFault("jobs", job["id"], says) for says in _faults(job))
        seen(len(piece))


def _faults(job: Row) -> Iterator[str]:
    state = job["state"]
    if (job["next_at"] is not None) != (state in ("waiting", "running")):
        yield f"its state is {state}, and a worker would {'never ' if job['next_at'] is None else ''}take it"
    if (job["lease"] is not None) != (state == "running"):
        yield f"its state is {state}, and it is {'' if job['lease'] else 'not '}leased"
    if (job["finished_at"] is not None) != (state in ("done", "cancelled")):
        yield f"its state is {state}, and it {'ended' if job['finished_at'] else 'never ended'}"
    if job["place"] not in ("", job["id"]) or (state == "running" and job["place"] == ""):
        yield "it does not stand in the place that is its own"
    if state == "running" and job["attempt"] < 1:
        yield "it runs, and nobody began it"
    if state == "failed" and job["failure"] is None:
        yield "it was given up, and nothing says why"
