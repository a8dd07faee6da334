"""What can be done about erasures: they are asked for and carried out, and legal holds keep them off."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from setright import corrections, identity, jobs, runs
from setright.erasure import linked, store
from setright.erasure.errors import ErasureNotFound, HeldByLaw, LegalHoldNotFound
from setright.erasure.lifecycle import ERASURE_LIFE, HOLD_LIFE
from setright.erasure.model import Erasure, LegalHold, NewErasure, NewLegalHold
from setright.erasure.phases import RUNS_AT_ONCE, phases_of
from setright.jobs import Batch
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.kernel.lifecycle import Lifecycle
from setright.runs import RunNotFound
from setright.storage import Snapshot, Tx

ERASE = "erase"
"""The job that carries an erasure out."""


def ask_for_erasure(tx: Tx, new: NewErasure) -> Erasure:
    """Have somebody's words leave every room; a dry run counts what that would be, and keeps nothing.

    Refuses (`legal-hold`) what is held. Asked for again, it takes out what has come since.
    """
    tx.actor.require_admin()
    made = _wanted(tx, new)
    held = _held_by(tx, made)
    if held is not None:
        raise HeldByLaw(*held)
    if new.dry_run:
        return replace(made, id="", state="dry-run", counts=_counted(tx, made))
    if made.kind == "user":
        made = replace(made, pseudonym=identity.retire_user(tx, made.target or ""))
    secret = store.secret_of(tx)
    store.add(tx, made, store.hash_of(tx.actor.tenant_id, made.kind, made.target or "", secret))
    jobs.ask(tx, ERASE, made.id, {"erasureId": made.id})
    _announce(tx, ERASURE_LIFE, "ask", None, ("erasure", made.id))
    return made


def carry_out(tx: Tx, arguments: Mapping[str, Any], cursor: Any) -> Batch:
    """Take some more out; the cursor is the phase and the place in it."""
    now = store.find(tx, arguments["erasureId"])
    if now is None:
        raise ErasureNotFound(arguments["erasureId"])
    if now.state != "running":
        return Batch(0)
    tx.happens_after(now.updated_at)
    held = _held_by(tx, now)
    if held is not None:
        _end(tx, replace(now, held_by=held[0]), "blocked", "block")
        return Batch(0)
    phases = phases_of(now)
    at, place = cursor or (0, None)
    gone, then = phases[at][1](tx, now, place)
    counts = Counter(now.counts) + gone
    now = replace(now, counts=dict(sorted(counts.items())), updated_at=tx.now)
    after = (at, then) if then is not None else (at + 1, None)
    if after[0] == len(phases):
        _finish(tx, now)
        return Batch(gone.total())
    store.set_standing(tx, now)
    return Batch(gone.total(), cursor=after)


def place_legal_hold(tx: Tx, new: NewLegalHold) -> LegalHold:
    """Keep something from being erased until the hold is released; an erasure that runs stops at its next batch."""
    tx.actor.require_admin()
    kind, target = new.target
    made = LegalHold(
        id=tx.new_id("lgh"),
        kind=kind,
        target=_stored(kind, target),
        reason=new.reason,
        placed_by_kind=tx.actor.kind,
        placed_by_id=tx.actor.id,
        created_at=tx.now,
    )
    store.add_hold(tx, made)
    _announce(tx, HOLD_LIFE, "place", None, ("legal-hold", made.id))
    return made


def release_legal_hold(tx: Tx, hold_id: str) -> LegalHold:
    """Let what a hold kept be erased again, unless another hold keeps it; again changes nothing."""
    tx.actor.require_admin()
    now = store.hold_hold(tx, with_prefix("lgh", hold_id))
    if now is None:
        raise LegalHoldNotFound(hold_id)
    if now.released_at is not None:
        return now
    tx.happens_after(now.created_at)
    store.release(tx, now.id)
    _announce(tx, HOLD_LIFE, "release", "placed", ("legal-hold", now.id))
    by = tx.actor
    return replace(now, released_by_kind=by.kind, released_by_id=by.id, released_at=tx.now)


def _wanted(tx: Tx, new: NewErasure) -> Erasure:
    """The erasure, not stored yet; refuses a run or user that is not there. Of a participant nobody knows who is one."""
    kind, target = new.target
    target = _stored(kind, target)
    if kind == "run" and target not in runs.run_states(tx, [target]):
        raise RunNotFound(target)
    if kind == "user":
        target = identity.erasable_user(tx, target).id
    return Erasure(
        id=tx.new_id("ers"),
        kind=kind,
        target=target,
        words=new.words or "keep",
        reason=new.reason,
        state="running",
        asked_by_kind=tx.actor.kind,
        asked_by_id=tx.actor.id,
        created_at=tx.now,
        updated_at=tx.now,
    )


def _stored(kind: str, target: str) -> str:
    prefix = {"run": "run", "user": "usr", "project": "prj"}.get(kind)
    return target if prefix is None else with_prefix(prefix, target)


def _held_by(at: Snapshot, one: Erasure) -> tuple[str, str] | None:
    """The legal hold that keeps what an erasure would take out next, and what it keeps."""
    target = one.target or ""
    held = store.holding(at, one.kind, [target])
    if held is not None:
        return held[0], f"the {one.kind}"
    if one.kind == "user" or not store.holds_runs(at):
        return None
    place: tuple[int, str] | None = (0, "")
    while place is not None:
        run_ids, place = _next_runs(at, one, place)
        held = _held_runs(at, run_ids)
        if held is not None:
            return held
    return None


def _held_runs(at: Snapshot, run_ids: Sequence[str]) -> tuple[str, str] | None:
    these = linked.linked(at, run_ids).run_ids
    held = store.holding(at, "run", these)
    if held is not None:
        return held[0], f"run {held[1]}"
    held = store.holding(at, "project", sorted(set(runs.projects_of(at, these).values())) if these else [])
    return None if held is None else (held[0], f"the runs of project {held[1]}")


def _next_runs(
    at: Snapshot, one: Erasure, after: tuple[int, str]
) -> tuple[Sequence[str], tuple[int, str] | None]:
    """The next runs that an erasure is about, and where to go on."""
    target = one.target or ""
    if one.kind == "run":
        return [target], None
    found = runs.runs_of_participant(at, target, one.created_at, after, RUNS_AT_ONCE)
    return [run_id for _, run_id in found], found[-1] if len(found) == RUNS_AT_ONCE else None


def _counted(at: Snapshot, one: Erasure) -> Mapping[str, int]:
    """What an erasure would take out, as far as it is known before."""
    counts: Counter[str] = Counter()
    if one.kind == "user":
        if one.words == "erase":
            counts["corrections"] = corrections.count_said_by(at, one.target or "")
        return counts
    place: tuple[int, str] | None = (0, "")
    while place is not None:
        run_ids, place = _next_runs(at, one, place)
        these = linked.linked(at, run_ids)
        counts.update(
            runs=len(these.run_ids), corrections=len(these.correction_ids), lessons=len(these.lesson_ids)
        )
    return counts


def _finish(tx: Tx, now: Erasure) -> None:
    if now.kind == "user" and now.target is not None:
        identity.forget_user(tx, now.target)
    _end(tx, replace(now, target=now.target if now.kind == "run" else None), "done", "finish")


def _end(tx: Tx, now: Erasure, state: str, verb: str) -> None:
    store.set_standing(tx, replace(now, state=state, updated_at=tx.now, ended_at=tx.now))
    _announce(tx, ERASURE_LIFE, verb, "running", ("erasure", now.id))


def _announce(tx: Tx, life: Lifecycle, verb: str, start: str | None, thing: tuple[str, str]) -> None:
    move = life.find(verb, start)
    if move is not None:
        tx.announce(Event(move.event, *thing, None, ("state",)))
