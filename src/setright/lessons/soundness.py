"""What must be true of the rows of lessons: each stands where its history led it, and the kept counts are those of the rows."""

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import bindparam, select

from setright import events
from setright.events import LoggedEvent
from setright.lessons import store
from setright.lessons.lifecycle import LESSON_LIFE, VERBS
from setright.lessons.model import Lesson
from setright.lessons.tables import lesson_counts, lessons
from setright.storage import RowFault, Seen, Snapshot, Sql
from setright.storage.lists import among, any_of
from setright.storage.soundness import next_piece, pieces

_L, _N = lessons.c, lesson_counts.c
_ORDER = (_L.created_at, _L.id)
_OF_TENANT = _L.tenant_id == bindparam("tenant_id")
PIECE = Sql(
    select(lessons).where(_OF_TENANT, next_piece(*_ORDER)).order_by(*_ORDER).limit(bindparam("count"))
)
COUNTS = Sql(select(lesson_counts).where(_N.tenant_id == bindparam("tenant_id")))
_LED_TO = {move.event: move.end for move in LESSON_LIFE.moves if move.verb in VERBS.values()}
"""The status to which each event led, of those that led to one."""


def _roots(count: int) -> Sql:
    return Sql(select(_L.id, _L.status).where(_OF_TENANT, any_of(_L.id, "id", count)))


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Lessons of the tenant that do not stand where their history led them, and counts that are not theirs."""
    counted: dict[tuple[str, str], list[int]] = {}
    for piece in pieces(at, PIECE, _ORDER, tenant_id=at.actor.tenant_id):
        made = [store.record(row) for row in piece]
        histories = events.histories(at, "lesson", [one.id for one in made])
        roots = _roots_of(at, made)
        for one, row in zip(made, piece, strict=True):
            told = [*_life_faults(one, histories.get(one.id, ())), *_root_faults(one, roots)]
            if (row["in_force"] == 1) != one.is_in_force:
                told.append(f"its status is {one.status}, and agents read it or do not as if it were another")
            yield from (RowFault("lessons", one.id, says) for says in told)
            if one.deleted_at is None:
                sums = counted.setdefault((one.agent_key, one.project_id or ""), [0, 0])
                sums[0] += one.is_in_force
                sums[1] += one.status == "open"
        seen(len(piece))
    yield from _count_faults(at, counted)


def _roots_of(at: Snapshot, made: Sequence[Lesson]) -> Mapping[str, str]:
    wanted = sorted({one.duplicate_of for one in made if one.duplicate_of is not None})
    if not wanted:
        return {}
    count, names = among("id", wanted)
    return {row["id"]: row["status"] for row in at.all(_roots(count), tenant_id=at.actor.tenant_id, **names)}


def _life_faults(one: Lesson, history: Sequence[LoggedEvent]) -> Iterator[str]:
    kinds = [event.kind for event in history]
    if kinds[:1] != ["lesson.recorded"] or kinds.count("lesson.recorded") != 1:
        yield "its history does not begin with its recording, once"
        return
    led = [_LED_TO[kind] for kind in kinds if kind in _LED_TO]
    at_first = "duplicate" if one.occurrence else "open"
    if one.status != (led[-1] if led else at_first):
        yield f"its status is {one.status}, and its history says otherwise"
    if (one.deleted_at is not None) != ("lesson.deleted" in kinds):
        yield f"it is {'' if one.deleted_at else 'not '}deleted, and its history says otherwise"
    if one.updated_at > max(event.at for event in history):
        yield "it was changed after the last event of its history"


def _root_faults(one: Lesson, roots: Mapping[str, str]) -> Iterator[str]:
    if (one.status == "duplicate") != (one.duplicate_of is not None):
        yield f"its status is {one.status}, and it {'repeats another' if one.duplicate_of else 'repeats none'}"
    if one.duplicate_of is None:
        return
    if one.duplicate_of == one.id or one.duplicate_of not in roots:
        yield f"it repeats {one.duplicate_of}, which is itself or not there"
    elif roots[one.duplicate_of] == "duplicate":
        yield f"it repeats {one.duplicate_of}, which repeats another"


def _count_faults(at: Snapshot, counted: dict[tuple[str, str], list[int]]) -> Iterator[RowFault]:
    for row in at.all(COUNTS, tenant_id=at.actor.tenant_id):
        there = counted.pop((row["agent_key"], row["space_key"]), [0, 0])
        kept = [row["rules"], row["open_lessons"]]
        if kept != there:
            says = (
                f"{kept[0]} rules and {kept[1]} open lessons are kept, instead of {there[0]} and {there[1]}"
            )
            yield RowFault("lesson_counts", f"{row['agent_key']}/{row['space_key']}", says)
    for (agent, space), there in sorted(counted.items()):
        if any(there):
            yield RowFault("lesson_counts", f"{agent}/{space}", "is not kept, and must be")
