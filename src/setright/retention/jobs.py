"""Keeping to retention, a batch at a time: everywhere in the tenant, one kind of content after another."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from setright.jobs import Batch
from setright.kernel.clock import SECOND
from setright.kernel.events import Event
from setright.retention import store
from setright.retention.kinds import KINDS, Some
from setright.retention.lifecycle import PASSING_LIFE
from setright.retention.model import Cut, Passing, Retention
from setright.storage import Snapshot, Tx

CUT = "cut-by-retention"
"""The job that keeps to it."""
DAY = 24 * 3600 * SECOND
AT_ONCE = 100
"""In how many places a batch looks where nothing is due."""


class Where(NamedTuple):
    """Where a passing is: from which project on, with which kind, and where among what is due of that."""

    project_id: str
    kind: int
    place: Any


class Step(NamedTuple):
    """What is to be looked at next."""

    retention: Retention
    kind: int
    place: Any


START = Where("", 0, None)
_NAMES = tuple(KINDS)


def cut_some(tx: Tx, arguments: Mapping[str, Any], cursor: Any) -> Batch:
    """Cut some more of what is due; the daily passing begins with its first batch.

    What is set is read again for every batch, so that nothing is cut that is to be kept for longer now.
    """
    passing_id = cursor[0] if cursor else arguments.get("passingId")
    now = begun(tx) if passing_id is None else store.hold_passing(tx, passing_id)
    if now is None or now.state != "running":
        return Batch(0)
    tx.happens_after(now.updated_at)
    for looked, step in enumerate(steps(tx, Where(*cursor[1:]) if cursor else START)):
        if looked == AT_ONCE:
            return _further(tx, now, step, 0)
        some = _cut(tx, now, step)
        if some.place is not None:
            return _further(tx, _with(now, step, some), step._replace(place=some.place), some.cut)
        if some.cut:
            then = step._replace(kind=step.kind + 1, place=None)
            return _further(tx, _with(now, step, some), then, some.cut)
    _finish(tx, now)
    return Batch(0)


def begun(tx: Tx) -> Passing:
    """A passing that begins."""
    made = Passing(
        id=tx.new_id("rtp"),
        state="running",
        asked_by_kind=tx.actor.kind,
        asked_by_id=tx.actor.id,
        created_at=tx.now,
        updated_at=tx.now,
    )
    store.add(tx, made)
    _announce(tx, "begin", None, made)
    return made


def steps(at: Snapshot, where: Where) -> Iterator[Step]:
    """Every kind that is kept only for some days, from a place on: the tenant's own, then project by project."""
    first, skipped, place = where
    while True:
        found = store.some(at, first, AT_ONCE)
        for retention in found:
            here = retention.project_id or ""
            for number, kind in enumerate(_NAMES):
                if kind in retention.days and not (here == where.project_id and number < skipped):
                    begins = here == where.project_id and number == skipped
                    yield Step(retention, number, place if begins else None)
        if len(found) < AT_ONCE:
            return
        first = f"{found[-1].project_id or ''}\0"


def cut_off(now: Passing, days: int) -> int:
    """The moment from before which a passing cuts what is kept for so many days."""
    return now.created_at - days * DAY


def _cut(tx: Tx, now: Passing, step: Step) -> Some:
    kind = _NAMES[step.kind]
    days, project_id = step.retention.days[kind], step.retention.project_id
    some = KINDS[kind].cut(tx, project_id or "", cut_off(now, days), step.place)
    if not (some.cut or some.held):
        return some
    before = next(
        (one for one in store.cuts(tx, now.id) if (one.project_id, one.kind) == (project_id, kind)), None
    )
    cut, held = (0, 0) if before is None else (before.cut, before.held)
    total = Cut(project_id, kind, days, cut_off(now, days), cut + some.cut, held + some.held)
    store.put_cut(tx, now.id, total)
    if before is None and some.cut:
        tx.announce(Event("retention.cut", "retention-passing", now.id, project_id, (kind,)))
    return some


def _with(now: Passing, step: Step, some: Some) -> Passing:
    counts = Counter(now.counts)
    counts[_NAMES[step.kind]] += some.cut
    return replace(now, counts={kind: count for kind, count in sorted(counts.items()) if count})


def _further(tx: Tx, now: Passing, step: Step, done: int) -> Batch:
    store.carry_on(tx, replace(now, updated_at=tx.now))
    return Batch(done, cursor=[now.id, step.retention.project_id or "", step.kind, step.place])


def _finish(tx: Tx, now: Passing) -> None:
    store.carry_on(tx, replace(now, state="done", updated_at=tx.now, ended_at=tx.now))
    _announce(tx, "finish", "running", now)


def _announce(tx: Tx, verb: str, start: str | None, passing: Passing) -> None:
    move = PASSING_LIFE.find(verb, start)
    if move is not None:
        tx.announce(Event(move.event, "retention-passing", passing.id, None, ("state",)))
