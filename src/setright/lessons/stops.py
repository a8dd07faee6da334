"""Calls that hooks stopped because of a rule: counted, each by the rule that forbids it."""

from collections import Counter

from sqlalchemy import bindparam, select

from setright.kernel.actor import Role
from setright.kernel.ids import with_prefix
from setright.lessons import spaces, store
from setright.lessons.model import CountedStops, NewStops
from setright.lessons.tables import lesson_stops
from setright.storage import Snapshot, Sql, Sums, Tx

STOPS = Sums(lesson_stops)
_P = lesson_stops.c
_COUNTED = Sql(
    select(_P.stops).where(_P.tenant_id == bindparam("tenant_id"), _P.lesson_id == bindparam("lesson_id"))
)


def count_stops(tx: Tx, told: NewStops) -> CountedStops:
    """Count calls that were stopped; what names no lesson that the caller can see is told, and disturbs no other."""
    spaces.require(tx.actor, Role.READ, None)
    by_lesson: Counter[str] = Counter()
    for stop in told.stops:
        by_lesson[with_prefix("les", stop.lesson_id)] += stop.count or 1
    known = {lesson_id: count for lesson_id, count in by_lesson.items() if _is_seen(tx, lesson_id)}
    for lesson_id, count in known.items():
        tx.count(STOPS, (tx.actor.tenant_id, lesson_id), [count])
    return CountedStops(sum(known.values()), [one for one in by_lesson if one not in known])


def stops_of(at: Snapshot, lesson_id: str) -> int:
    """How many calls the rule of a lesson has stopped."""
    row = at.one(_COUNTED, tenant_id=at.actor.tenant_id, lesson_id=lesson_id)
    return 0 if row is None else row["stops"]


def _is_seen(tx: Tx, lesson_id: str) -> bool:
    lesson = store.find(tx, lesson_id)
    return lesson is not None and spaces.may_read(tx.actor, lesson.project_id)
