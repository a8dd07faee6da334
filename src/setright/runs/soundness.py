"""What must be true of the rows of runs: calls without gaps, content that is there, and a history that fits."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sqlalchemy import bindparam, func, select

from setright import events
from setright.events import LoggedEvent
from setright.runs.lifecycle import RUN_LIFE
from setright.runs.tables import run_calls, run_contents, runs
from setright.storage import Row, RowFault, Seen, Snapshot, Sql
from setright.storage.lists import among, any_of
from setright.storage.soundness import next_piece, pieces

_R, _CONTENT, _CALL = runs.c, run_contents.c, run_calls.c
PIECE = Sql(
    select(
        _R.id,
        _R.status,
        _R.call_count,
        _R.byte_count,
        _R.created_at,
        _R.finished_at,
        _R.copy_kept_at,
        _R.content_expired_at,
        _R.content_erased_at,
    )
    .where(_R.tenant_id == bindparam("tenant_id"), next_piece(_R.created_at, _R.id))
    .order_by(_R.created_at, _R.id)
    .limit(bindparam("count"))
)
_BEGUN = {move.event for move in RUN_LIFE.moves if move.start is None}
_ENDED = {move.event for move in RUN_LIFE.moves if move.end in RUN_LIFE.final}
_NO_CALLS = {"calls": 0, "first": 0, "last": -1, "bytes": 0}


@lru_cache(maxsize=32)
def _calls(count: int) -> Sql:
    return Sql(
        select(
            _CALL.run_id,
            func.count().label("calls"),
            func.min(_CALL.position).label("first"),
            func.max(_CALL.position).label("last"),
            func.sum(_CALL.byte_count).label("bytes"),
        )
        .where(_CALL.tenant_id == bindparam("tenant_id"), any_of(_CALL.run_id, "run", count))
        .group_by(_CALL.run_id)
    )


@lru_cache(maxsize=32)
def _contents(count: int) -> Sql:
    these = (_CONTENT.tenant_id == bindparam("tenant_id"), any_of(_CONTENT.run_id, "run", count))
    return Sql(select(_CONTENT.run_id).where(*these))


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Runs of the tenant with gaps in their calls, without their content, or that their history does not explain."""
    tenant = {"tenant_id": at.actor.tenant_id}
    for piece in pieces(at, PIECE, (_R.created_at, _R.id), **tenant):
        ids = [run["id"] for run in piece]
        count, these = among("run", ids)
        calls = {row["run_id"]: row for row in at.all(_calls(count), **tenant, **these)}
        contents = {row["run_id"] for row in at.all(_contents(count), **tenant, **these)}
        histories = events.histories(at, "run", ids)
        for run in piece:
            told = [*_history_faults(run, histories.get(run["id"], ()))]
            gone = _says_gone(run)
            if gone is None:
                told += _call_faults(run, calls.get(run["id"], _NO_CALLS))
                told += [] if run["id"] in contents else ["its content is not there"]
            elif run["id"] in contents or run["id"] in calls:
                told.append(f"its content {gone}, and is there")
            yield from (RowFault("runs", run["id"], says) for says in told)
        seen(len(piece))


def _says_gone(run: Row) -> str | None:
    """How its content left, None where it is there or its corrections hold it."""
    if run["content_erased_at"] is not None:
        return "was erased"
    return "has expired" if run["content_expired_at"] is not None and run["copy_kept_at"] is None else None


def _call_faults(run: Row, calls: Row) -> Iterator[str]:
    if calls["calls"] != run["call_count"]:
        yield f"it has {calls['calls']} calls, and says that it has {run['call_count']}"
    if calls["first"] != 0 or calls["last"] != calls["calls"] - 1:
        yield (
            f"its {calls['calls']} calls stand at {calls['first']} to {calls['last']}: there is a gap among them"
        )
    if calls["bytes"] > run["byte_count"]:
        yield f"its calls have {calls['bytes']} bytes, and it says that it has {run['byte_count']} in all"


def _history_faults(run: Row, history: Sequence[LoggedEvent]) -> Iterator[str]:
    kinds = [event.kind for event in history]
    if not kinds or kinds[0] not in _BEGUN:
        yield "its history does not begin with its recording"
        return
    ended, finished = any(kind in _ENDED for kind in kinds), run["status"] in RUN_LIFE.final
    if ended != finished or finished != (run["finished_at"] is not None):
        yield f"its status is {run['status']}, and its history says that it {'ended' if ended else 'runs'}"
