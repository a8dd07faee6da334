"""Deciding on a lesson: where it stands, in which words its rule is read, and what it repeats."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from setright.kernel.actor import Role
from setright.kernel.errors import ChangedMeanwhile, invalid
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.lessons import beside, sessions, spaces, store
from setright.lessons.errors import (
    DuplicateCycle,
    LessonErased,
    LessonMoveRefused,
    LessonNotFound,
    PersonNeeded,
    RuleNeeded,
)
from setright.lessons.lifecycle import IF_ENDED, IF_VERIFIED, LESSON_LIFE, VERBS, may, open_to
from setright.lessons.model import Decision, Lesson, LessonChange, Similar, Updated, on_wire
from setright.lessons.operations import check_until
from setright.lessons.similar import NEAREST
from setright.storage import Tx

_WHY = {
    IF_VERIFIED: "a person verified its rule",
    IF_ENDED: "a person dismissed or retired it before",
}


def update_lesson(
    tx: Tx, lesson_id: str, change: LessonChange, known: Collection[int] | None = None
) -> Updated:
    """Decide on a lesson, or put its rule in other words; `known` are the states (updatedAt) the change is meant for.

    The same status and words again change nothing.
    """
    store.take_turn(tx)
    now = _to_change(tx, lesson_id)
    if known is not None and now.updated_at not in known:
        raise ChangedMeanwhile("lesson", Updated(now))
    moved = _moved(tx, _worded(tx, now, change), now, change)
    if moved == now and not change.over:
        return Updated(now)
    if moved.is_in_force and (not now.is_in_force or _words(moved) != _words(now)):
        spaces.require_to_put_in_force(tx.actor, moved)
    near = beside.near(tx, now, moved) if beside.is_to_be_held(now, moved) else ()
    if not beside.may_stand(tx, moved, near, change.over):
        return Updated(now, similar=near[:NEAREST], waits_for_person=True)
    same = next((other for other, word in (change.over or {}).items() if word == "same"), None)
    if same is not None:
        return Updated(_kept(tx, now, _as_duplicate(tx, now, same)), similar=near[:NEAREST])
    return _in_place(tx, now, moved, change.over or {}, near)


def _in_place(
    tx: Tx, now: Lesson, moved: Lesson, over: Mapping[str, str], near: Sequence[Similar]
) -> Updated:
    """Keep what a change came to, and retire the rules whose place it takes."""
    replaced = [_retired(tx, other, now) for other, word in over.items() if word == "replaces"]
    gone = [one.id for one in replaced]
    moved = replace(moved, supersedes=(*now.supersedes, *(one for one in gone if one not in now.supersedes)))
    if moved.status == "retired" and now.status != "retired":
        gone.append(now.id)
    still_had_by = sum(sessions.that_still_have(tx, one) for one in gone) if gone else None
    return Updated(_kept(tx, now, moved), still_had_by, near[:NEAREST])


def _retired(tx: Tx, other_id: str, by: Lesson) -> Lesson:
    """The lesson whose rule is replaced, retired."""
    other = _to_change(tx, other_id)
    if other.id == by.id:
        raise invalid("/over", "names the lesson itself", "other lessons whose rules are in force")
    _check(tx, other, "retire")
    gone = replace(other, status="retired", ended=True, updated_at=tx.now)
    store.move(tx, other, gone)
    tx.announce(Event("lesson.retired", "lesson", gone.id, gone.project_id, ("status",), by.id))
    return gone


def _to_change(tx: Tx, lesson_id: str) -> Lesson:
    """The lesson, held until the end of the transaction, if the caller may write where it counts."""
    now = store.hold(tx, with_prefix("les", lesson_id))
    if now is None or now.deleted_at is not None:
        raise LessonNotFound(lesson_id)
    spaces.require(tx.actor, Role.WRITE, now.project_id)
    if now.content_erased_at is not None:
        raise LessonErased(now.id)
    return now


def _worded(tx: Tx, now: Lesson, change: LessonChange) -> Lesson:
    """The lesson with its rule in other words, if any were given."""
    given = change.model_fields_set
    worded = replace(
        now,
        rule=change.rule or now.rule,
        until=change.until if "until" in given else now.until,
        must_not_call=on_wire(change.must_not_call) if "must_not_call" in given else now.must_not_call,
    )
    if worded == now:
        return now
    if worded.until != now.until:
        check_until(tx, worded.until)
    if change.status in (None, now.status):
        _check(tx, now, "reword")
    return worded


def _check(tx: Tx, now: Lesson, verb: str) -> None:
    """Refuse a move that is not in the table, or that the caller may not make."""
    is_person = tx.actor.is_person
    moves = open_to(now.standing, is_person=is_person)
    move = LESSON_LIFE.find(verb, now.status)
    if move is None:
        wanted = next(status for status, name in VERBS.items() if name == verb)
        raise LessonMoveRefused(now.id, now.status, wanted, moves)
    if not may(move, now.standing, is_person=is_person):
        raise PersonNeeded(now.id, verb, _WHY.get(move.who, "it ends or confirms what agents read"), moves)


def _moved(tx: Tx, worded: Lesson, now: Lesson, change: LessonChange) -> Lesson:
    """The lesson where the change puts it; who dismisses or retires it, and who takes that back, is remembered."""
    if change.status == "duplicate":
        return _as_duplicate(tx, now, change.duplicate_of or "")
    if change.status is None or change.status == now.status:
        return worded
    _check(tx, now, VERBS[change.status])
    decided = Decision(tx.actor.kind, tx.actor.id, tx.now)
    moved = replace(worded, status=change.status, duplicate_of=None, occurrence=False)
    if change.status == "adopted":
        if moved.rule is None:
            raise RuleNeeded(now.id)
        return replace(moved, adopted=decided, verified=None, ended=False)
    if change.status == "verified":
        return replace(moved, verified=decided)
    if change.status == "recurred":
        return replace(moved, broken_again=now.broken_again + 1)
    if change.status == "open":
        ended = now.ended and not tx.actor.is_person
        return replace(moved, adopted=None, verified=None, ended=ended)
    return replace(moved, ended=True)


def _as_duplicate(tx: Tx, now: Lesson, other_id: str) -> Lesson:
    """The lesson as a duplicate of another, or of what that one is a duplicate of itself."""
    other = store.hold(tx, with_prefix("les", other_id))
    if other is None or other.deleted_at is not None:
        raise LessonNotFound(other_id)
    spaces.require(tx.actor, Role.READ, other.project_id)
    root = other.duplicate_of or other.id
    if now.status == "duplicate" and root == now.duplicate_of:
        return now
    _check(tx, now, "duplicate")
    if root == now.id:
        raise DuplicateCycle(now.id, other.id)
    return replace(now, status="duplicate", duplicate_of=root)


def _words(of: Lesson) -> tuple[object, ...]:
    return of.rule, of.until, of.must_not_call


_FIELDS = {
    "status": "status",
    "rule": "rule",
    "until": "until",
    "must_not_call": "mustNotCall",
    "duplicate_of": "duplicateOf",
    "supersedes": "supersedes",
    "broken_again": "brokenAgain",
    "adopted": "adoptedBy",
    "verified": "verifiedBy",
}


def _kept(tx: Tx, now: Lesson, moved: Lesson) -> Lesson:
    """Store what a change came to, keep the words if they are new, and announce which fields changed."""
    changed = tuple(wire for name, wire in _FIELDS.items() if getattr(now, name) != getattr(moved, name))
    moved = replace(moved, updated_at=tx.now)
    store.move(tx, now, moved)
    if _words(moved) != _words(now):
        store.word(tx, moved)
    if moved.status == "duplicate" and moved.duplicate_of is not None:
        store.follow(tx, now.id, moved.duplicate_of)
    verb = "reword" if moved.status == now.status else VERBS[moved.status]
    move = LESSON_LIFE.find(verb, now.status)
    kind = "lesson.reworded" if move is None else move.event
    tx.announce(Event(kind, "lesson", now.id, now.project_id, changed, moved.duplicate_of))
    return moved
