"""What can be done to runs: each verb in one transaction."""

from collections.abc import Sequence

from setright.identity import find_project
from setright.kernel import json
from setright.kernel.actor import Role
from setright.kernel.canonical import canonical
from setright.kernel.errors import Refusal
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.kernel.lifecycle import Move
from setright.kernel.limits import QuotaExceeded, Use
from setright.runs import store
from setright.runs.errors import (
    CallExists,
    CallPositionGap,
    RunContentExpired,
    RunErased,
    RunExists,
    RunFinished,
    RunNotFound,
)
from setright.runs.lifecycle import RUN_LIFE, VERB_TO
from setright.runs.model import BatchOutcome, Finish, NewCall, NewRun, RecordedRun, Run, RunToCorrect
from setright.storage import Tx
from setright.subjects import SubjectRef, fold, see


def record_run(tx: Tx, new: NewRun) -> RecordedRun:
    """Keep a run; the same content again under the caller's id is the run that is there, other content is refused."""
    project_id = _writable_project(tx, new.project_id)
    written, given = store.write_down(new), json.write_text(new.input)
    size = store.sized(written.size + store.bytes_of(given))
    over = tx.over_quota(Use(runs=1, run_bytes=size))
    if over is not None:
        return _there_already(tx, new, project_id, over)
    subject = see(tx, project_id, new.subject.kind, new.subject.id, new.subject.version)
    run = _new_run(tx, new, subject, (project_id, len(written.calls), size))
    hashes = new.hashes(project_id, subject.key) if new.id else {}
    if not store.add(tx, run, hashes, given, written):
        return RecordedRun(_same_run(tx, run.id, hashes), created=False)
    tx.use(Use(runs=1, run_bytes=size))
    _announce(tx, RUN_LIFE.find(VERB_TO[run.status], None), run, ("status",))
    return RecordedRun(run, created=True)


def finish_run(tx: Tx, run_id: str, finish: Finish) -> Run:
    """Say how a running run ended; the same end again is the run as it is, another one is refused."""
    run, ended_with = _held(tx, run_id)
    move, end_hash = RUN_LIFE.find(VERB_TO[finish.final_status], run.status), finish.hash
    if move is None and ended_with == end_hash:
        return run
    if move is None:
        raise RunFinished(run.id, run.status)
    written = store.write_down(finish)
    tx.use(Use(run_bytes=written.size))
    ended = store.finish(tx, run, move.end, end_hash, written, finish.messages)
    _announce(tx, move, ended, ("status", *finish.said()))
    return ended


def append_calls(tx: Tx, run_id: str, position: int, calls: Sequence[NewCall]) -> Run:
    """Add calls to a running run; those that stand at their position already, the same, are passed over."""
    run, _ = _held(tx, run_id)
    told = [call.content() for call in calls]
    there = store.calls_in(tx.all(store.CALLS, **_this(tx, run.id), first=position, count=len(told)))
    differs = [place for place, call in enumerate(there) if canonical(call) != canonical(told[place])]
    if len(there) == len(told) and not differs:
        return run
    if run.content_expired_at is not None and not there:
        raise RunContentExpired(run.id)
    move = RUN_LIFE.find("append-calls", run.status)
    if move is None:
        raise RunFinished(run.id, run.status)
    if position > run.call_count:
        raise CallPositionGap(position, run.call_count)
    if differs:
        raise CallExists(position + differs[0])
    written = [store.write_call(call) for call in told[len(there) :]]
    tx.use(Use(run_bytes=sum(size for _, size in written)))
    grown = store.grow(tx, run, written)
    _announce(tx, move, grown, ("calls",))
    return grown


def record_batch(tx: Tx, runs: Sequence[NewRun | Refusal]) -> list[BatchOutcome]:
    """Record each run by itself: one that is refused leaves nothing behind and stops no other."""
    return [_record_one(tx, index, run) for index, run in enumerate(runs)]


def to_correct(tx: Tx, run_id: str, *, with_output: bool, hold: bool) -> RunToCorrect | None:
    """What a correction needs to know of a run, None when the tenant has no such run; whose rights are not checked.

    With `hold` nothing else changes the run until the end of this transaction.
    """
    this = _this(tx, with_prefix("run", run_id))
    row = tx.one(store.TO_CORRECT_HELD if hold else store.TO_CORRECT, **this)
    if row is None or not with_output:
        return None if row is None else RunToCorrect(**row)
    content = tx.one(store.OUTPUT, **this)
    if content is None or content["output"] is None:
        return RunToCorrect(**row)
    return RunToCorrect(**row, output=json.read_stored(content["output"]), has_output=True)


def to_await(tx: Tx, run_id: str, project_id: str) -> RunToCorrect | None:
    """The run for which somebody in a project wants to wait, None where it is missing.

    Until the end of this transaction nobody else ends it, and nobody records one with this id that was missing.
    """
    found = to_correct(tx, run_id, with_output=False, hold=True)
    if found is None and not store.take_place(tx, with_prefix("run", run_id), project_id):
        return to_correct(tx, run_id, with_output=False, hold=True)
    return found


def hold(tx: Tx, run_id: str) -> None:
    """Let nobody else change or correct a run until the end of this transaction; whose rights are not checked."""
    tx.one(store.TO_CORRECT_HELD, **_this(tx, run_id))


def keep_copy(tx: Tx, run_id: str) -> None:
    """Hold a finished run's content for its corrections: it never changes, so holding it is keeping a copy."""
    tx.add(store.KEEP_COPY, **_this(tx, with_prefix("run", run_id)), now=tx.now)


def _record_one(tx: Tx, index: int, run: NewRun | Refusal) -> BatchOutcome:
    outcome = run if isinstance(run, Refusal) else tx.attempt(lambda: record_run(tx, run))
    if isinstance(outcome, Refusal):
        return BatchOutcome(index, refusal=outcome)
    return BatchOutcome(index, outcome.run, outcome.created)


def _writable_project(tx: Tx, project_id: str) -> str:
    """The stored id of a project in which the caller may write; a project role shows that the project exists."""
    stored = with_prefix("prj", project_id)
    if stored not in tx.actor.roles:
        stored = find_project(tx, project_id).id
    tx.actor.require(Role.WRITE, stored)
    return stored


def _new_run(tx: Tx, new: NewRun, subject: SubjectRef, kept: tuple[str, int, int]) -> Run:
    project_id, call_count, byte_count = kept
    status = new.final_status
    return Run(
        id=new.id or tx.new_id("run"),
        tenant_id=tx.actor.tenant_id,
        project_id=project_id,
        subject=subject,
        status=status,
        participant_id=new.participant_id,
        tags=None if new.tags is None else tuple(new.tags),
        call_count=call_count,
        byte_count=byte_count,
        recorded_by_kind=tx.actor.kind,
        recorded_by_id=tx.actor.id,
        created_at=tx.now,
        finished_at=None if status == "running" else tx.now,
        copy_kept_at=None,
        content_expired_at=None,
        content_erased_at=None,
    )


def _there_already(tx: Tx, new: NewRun, project_id: str, over: QuotaExceeded) -> RecordedRun:
    """The run that was recorded before, for who sends it again when the quota is used up; anything else is over it."""
    if new.id is None or tx.one(store.GET, **_this(tx, new.id)) is None:
        raise over
    hashes = new.hashes(project_id, fold(new.subject.id))
    return RecordedRun(_same_run(tx, new.id, hashes), created=False)


def _same_run(tx: Tx, run_id: str, hashes: dict[str, str]) -> Run:
    """The run that has the caller's id already, if it began with the same content."""
    row = tx.one(store.GET_STARTED, **_this(tx, run_id))
    if row is None:
        raise RunNotFound(run_id)
    if row["content_erased_at"] is not None and tx.actor.may(Role.READ, row["project_id"]):
        raise RunErased(run_id)
    began: dict[str, str] = json.read_stored(row["start_hash"])
    if began == hashes:
        return store.run_in(row)
    if not tx.actor.may(Role.READ, row["project_id"]):
        raise RunExists(run_id, None)
    raise RunExists(run_id, sorted(name for name in began | hashes if began.get(name) != hashes.get(name)))


def _held(tx: Tx, run_id: str) -> tuple[Run, str | None]:
    """A run that the caller may change, held until the end of the transaction, and the hash of what ended it."""
    row = tx.one(store.HOLD, **_this(tx, with_prefix("run", run_id)))
    if row is None:
        raise RunNotFound(run_id)
    tx.actor.require(Role.WRITE, row["project_id"])
    if row["content_erased_at"] is not None:
        raise RunErased(run_id)
    return store.run_in(row), row["finish_hash"]


def _announce(tx: Tx, move: Move | None, run: Run, changed: tuple[str, ...]) -> None:
    if move is not None:
        tx.announce(Event(move.event, "run", run.id, run.project_id, changed))


def _this(tx: Tx, run_id: str) -> dict[str, str]:
    return {"tenant_id": tx.actor.tenant_id, "run_id": run_id}
