"""Every kind of content that retention cuts: how a batch of it is cut, and how much of it is due."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from setright import erasure, exchange, knowledge, lessons, runs
from setright.kernel.paging import Place
from setright.retention.holds import held_questions, held_reads, held_runs
from setright.storage import Snapshot, Tx

RUNS_AT_ONCE = 100
QUESTIONS_AT_ONCE = 100
OUTPUTS_AT_ONCE = 100
SESSIONS_AT_ONCE = 200
READS_AT_ONCE = 500
BYTES_AT_ONCE = 8 * 1024 * 1024
COUNTED_AT_ONCE = 500
FIRST = Place(-1, "")


class Some(NamedTuple):
    """How much of what was due a batch cut, how much holds kept, and where the next batch begins, None at the end."""

    cut: int
    held: int
    place: Any


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of content: `cut(tx, project_id, before, place)` cuts a batch of what is from before a moment.

    `count` tells how much a passing would cut, and how much holds would keep from it.
    """

    cut: Callable[[Tx, str, int, Any], Some]
    count: Callable[[Snapshot, str, int], tuple[int, int]]


def cut_runs(tx: Tx, project_id: str, before: int, place: Any) -> Some:
    """Cut the content of the next runs: some, and no more than a few megabytes of them at once."""
    after = Place(*place) if place else FIRST
    found = runs.due_runs(tx, project_id, before, after, RUNS_AT_ONCE)
    few, size = list[runs.DueRun](), 0
    for one in found:
        size += one.byte_count
        if few and size > BYTES_AT_ONCE:
            break
        few.append(one)
    ids = [one.id for one in few]
    held = held_runs(tx, ids)
    free = [one for one in ids if one not in held]
    gone = runs.expire_runs(tx, free)
    exchange.erase_traces(tx, free)
    more = len(few) < len(found) or len(found) == RUNS_AT_ONCE
    return Some(gone, len(held), [few[-1].finished_at, few[-1].id] if more else None)


def count_runs(at: Snapshot, project_id: str, before: int) -> tuple[int, int]:
    """How many runs would be cut, and how many holds keep."""
    due, held = runs.count_due_runs(at, project_id, before), 0
    place: Place | None = FIRST if erasure.holds_anything(at) else None
    while place is not None:
        found = runs.due_runs(at, project_id, before, place, COUNTED_AT_ONCE)
        held += len(held_runs(at, [one.id for one in found]))
        place = Place(found[-1].finished_at, found[-1].id) if len(found) == COUNTED_AT_ONCE else None
    return due - held, held


def cut_outputs(tx: Tx, _project_id: str, before: int, _place: Any) -> Some:
    """Cut the next kept answers; no hold speaks of any, since they say what is said of published texts."""
    gone = knowledge.expire_outputs(tx, before, OUTPUTS_AT_ONCE)
    return Some(gone, 0, "more" if gone == OUTPUTS_AT_ONCE else None)


def cut_questions(tx: Tx, _project_id: str, before: int, place: Any) -> Some:
    """Cut the next questions with their answers."""
    after = (place[0], place[1]) if place else (-1, 0)
    found = knowledge.due_questions(tx, before, after, QUESTIONS_AT_ONCE)
    held = held_questions(tx, found)
    gone = knowledge.expire_questions(tx, [one.number for one in found if one.number not in held])
    more = len(found) == QUESTIONS_AT_ONCE
    return Some(gone, len(held), [found[-1].created_at, found[-1].number] if more else None)


def count_questions(at: Snapshot, _project_id: str, before: int) -> tuple[int, int]:
    """How many questions would be cut, and how many holds keep."""
    due, held = knowledge.count_due_questions(at, before), 0
    place: tuple[int, int] | None = (-1, 0) if erasure.holds_anything(at) else None
    while place is not None:
        found = knowledge.due_questions(at, before, place, COUNTED_AT_ONCE)
        held += len(held_questions(at, found))
        place = (found[-1].created_at, found[-1].number) if len(found) == COUNTED_AT_ONCE else None
    return due - held, held


def cut_sessions(tx: Tx, _project_id: str, before: int, _place: Any) -> Some:
    """Forget the next sessions that were told rules."""
    gone = lessons.drop_sessions_before(tx, before, SESSIONS_AT_ONCE)
    return Some(gone, 0, "more" if gone == SESSIONS_AT_ONCE else None)


def cut_reads(tx: Tx, project_id: str, before: int, place: Any) -> Some:
    """Drop the next logged reads."""
    found = runs.due_reads(tx, project_id, before, Place(*place) if place else FIRST, READS_AT_ONCE)
    held = held_reads(tx, found)
    gone = runs.drop_reads(tx, project_id, [one for one in found if one["id"] not in held])
    more = len(found) == READS_AT_ONCE
    return Some(gone, len(held), [found[-1]["at"], found[-1]["id"]] if more else None)


def count_reads(at: Snapshot, project_id: str, before: int) -> tuple[int, int]:
    """How many logged reads would be dropped, and how many holds keep."""
    due, held = runs.count_due_reads(at, project_id, before), 0
    place: Place | None = FIRST if erasure.holds_anything(at) else None
    while place is not None:
        found = runs.due_reads(at, project_id, before, place, COUNTED_AT_ONCE)
        held += len(held_reads(at, found))
        place = Place(found[-1]["at"], found[-1]["id"]) if len(found) == COUNTED_AT_ONCE else None
    return due - held, held


KINDS: Mapping[str, Kind] = {
    "runs": Kind(cut_runs, count_runs),
    "reads": Kind(cut_reads, count_reads),
    "interactions": Kind(cut_questions, count_questions),
    "outputs": Kind(cut_outputs, lambda at, _, before: (knowledge.count_due_outputs(at, before), 0)),
    "briefings": Kind(cut_sessions, lambda at, _, before: (lessons.count_sessions_before(at, before), 0)),
}
"""Every kind by the name under which its days are set, in the order in which they are cut."""
