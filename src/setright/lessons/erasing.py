"""Taking the words of lessons out for good: a rule in force is retired with them, and leaves every briefing."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from sqlalchemy import and_, bindparam, delete, literal_column, null, select, update

from setright.kernel.events import Event
from setright.lessons import similar, store, tallies
from setright.lessons.lifecycle import IN_FORCE
from setright.lessons.model import Lesson
from setright.lessons.tables import lesson_firsts, lesson_wordings, lessons
from setright.storage import Snapshot, Sql, Tx
from setright.storage.lists import among, any_of

_L, _W, _F = lessons.c, lesson_wordings.c, lesson_firsts.c
_EMPTY = Sql(
    update(lessons)
    .where(_L.tenant_id == bindparam("of_tenant"), _L.id == bindparam("of_id"))
    .values(
        what_happened=literal_column("''"),
        expected=null(),
        rule=null(),
        rule_key=null(),
        skeleton_key=null(),
        evidence=null(),
        session=null(),
        must_not_call=null(),
        status=bindparam("new_status"),
        in_force=null(),
        content_erased_at=bindparam("now"),
        updated_at=bindparam("now"),
    )
)
_EMPTY_WORDINGS = Sql(
    update(lesson_wordings)
    .where(_W.tenant_id == bindparam("of_tenant"), _W.lesson_id == bindparam("of_lesson"))
    .values(rule=null(), must_not_call=null())
)
_FORGET_FIRST = Sql(
    delete(lesson_firsts).where(
        _F.tenant_id == bindparam("of_tenant"), _F.lesson_id == bindparam("of_lesson")
    )
)
_RECORDED_BY = Sql(
    select(_L.id)
    .where(
        _L.tenant_id == bindparam("tenant_id"),
        _L.recorded_by_kind == literal_column("'user'"),
        _L.recorded_by_id == bindparam("user_id"),
        _L.content_erased_at.is_(None),
        _L.created_at <= bindparam("until"),
    )
    .order_by(_L.created_at, _L.id)
    .limit(bindparam("count"))
)
_WORDED_BY = Sql(
    select(_L.id)
    .distinct()
    .select_from(lesson_wordings.join(lessons, and_(_L.tenant_id == _W.tenant_id, _L.id == _W.lesson_id)))
    .where(
        _W.tenant_id == bindparam("tenant_id"),
        _W.by_kind == literal_column("'user'"),
        _W.by_id == bindparam("user_id"),
        _W.at <= bindparam("until"),
        _L.content_erased_at.is_(None),
    )
    .order_by(_L.id)
    .limit(bindparam("count"))
)


@lru_cache(maxsize=16)
def _from(count: int) -> Sql:
    these = (_L.tenant_id == bindparam("tenant_id"), any_of(_L.from_correction_id, "correction", count))
    return Sql(select(_L.id).where(*these))


@lru_cache(maxsize=16)
def _erased(count: int) -> Sql:
    these = (_L.tenant_id == bindparam("tenant_id"), any_of(_L.id, "id", count))
    return Sql(select(_L.id).where(*these, _L.content_erased_at.is_not(None)))


def lessons_from(at: Snapshot, correction_ids: Sequence[str]) -> Sequence[str]:
    """Ids of the lessons that were made from these corrections."""
    if not correction_ids:
        return ()
    count, names = among("correction", correction_ids)
    return [row["id"] for row in at.all(_from(count), tenant_id=at.actor.tenant_id, **names)]


def lessons_said_by(at: Snapshot, user_id: str, until: int, count: int) -> Sequence[str]:
    """Ids of some lessons that a user recorded or put in words, and that have their words still."""
    values = {"user_id": user_id, "until": until, "count": count}
    tenant = at.actor.tenant_id
    recorded = [row["id"] for row in at.all(_RECORDED_BY, tenant_id=tenant, **values)]
    return recorded or [row["id"] for row in at.all(_WORDED_BY, tenant_id=tenant, **values)]


def erased_among(at: Snapshot, lesson_ids: Sequence[str]) -> set[str]:
    """Those of these lessons whose words were erased."""
    if not lesson_ids:
        return set()
    count, names = among("id", lesson_ids)
    return {row["id"] for row in at.all(_erased(count), tenant_id=at.actor.tenant_id, **names)}


def erase_lessons(tx: Tx, lesson_ids: Sequence[str]) -> int:
    """Take out what lessons say, in every wording; how many of them said something still."""
    if not lesson_ids:
        return 0
    store.take_turn(tx)
    gone = 0
    for lesson_id in sorted(set(lesson_ids)):
        now = store.hold(tx, lesson_id)
        if now is not None and now.content_erased_at is None:
            _erase(tx, now)
            gone += 1
    return gone


def _erase(tx: Tx, now: Lesson) -> None:
    ends = "retired" if now.status in IN_FORCE else "dismissed" if now.status == "open" else None
    then = replace(
        now,
        what_happened="",
        expected=None,
        rule=None,
        evidence=(),
        session=None,
        must_not_call=(),
        status=ends or now.status,
        content_erased_at=tx.now,
        updated_at=tx.now,
    )
    tx.run(
        _EMPTY,
        of_tenant=now.tenant_id,
        of_id=now.id,
        new_status=then.status,
        now=tx.now,
    )
    for statement in (_EMPTY_WORDINGS, _FORGET_FIRST):
        tx.run(statement, of_tenant=now.tenant_id, of_lesson=now.id)
    tallies.changed(tx, now, then)
    similar.changed(tx, now, then)
    if ends is not None:
        tx.announce(Event(f"lesson.{ends}", "lesson", now.id, now.project_id, ("status",)))
    tx.announce(Event("lesson.erased", "lesson", now.id, now.project_id, ("contentErasedAt",)))
