"""What can be said: a lesson is recorded, once, and perhaps as one more time that a rule was broken."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from setright import corrections, subjects
from setright.kernel import json
from setright.kernel.actor import Role
from setright.kernel.clock import SECOND
from setright.kernel.errors import invalid
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.lessons import spaces, store
from setright.lessons.errors import LessonNotFound, PersonNeeded
from setright.lessons.lifecycle import open_to
from setright.lessons.model import Lesson, NewLesson, Principal, Recorded, Similar, on_wire
from setright.lessons.similar import NEAREST, Audience, nearest
from setright.lessons.wording import fold
from setright.storage import Tx

SAME_FOR = 10 * 60 * SECOND
"""How long the same words without a session are the same lesson, in microseconds."""


def record_lesson(tx: Tx, new: NewLesson) -> Recorded:
    """Keep what an agent was corrected about; a rule that is in force already was broken again.

    The same caller, agent, session, rule and words again are the first answer.
    """
    check_until(tx, new.until)
    project_id = _space(tx, new)
    made = _new(tx, new, project_id)
    first = _said_before(tx, made)
    if first is not None:
        return Recorded(first, _root(tx, first), created=False, similar=_near(tx, first))
    earlier = broken_by(tx, made)
    if earlier is not None:
        made = replace(made, status="duplicate", duplicate_of=earlier.id, occurrence=True)
    made = replace(made, created_at=tx.now, updated_at=tx.now)
    store.add(tx, made)
    if made.rule is not None:
        store.word(tx, made)
    tx.announce(Event("lesson.recorded", "lesson", made.id, project_id, ("status",), made.duplicate_of))
    near = _near(tx, made)
    return Recorded(made, None if earlier is None else recur(tx, earlier, made.id), similar=near)


def delete_lesson(tx: Tx, lesson_id: str) -> None:
    """Take a lesson out of every list and briefing for good; again changes nothing."""
    now = store.hold(tx, with_prefix("les", lesson_id))
    if now is None:
        raise LessonNotFound(lesson_id)
    spaces.require(tx.actor, Role.WRITE, now.project_id)
    if not tx.actor.is_person:
        moves = open_to(now.standing, is_person=False)
        raise PersonNeeded(now.id, "delete", "what was said is not an assistant's to take away", moves)
    if now.deleted_at is not None:
        return
    store.move(tx, now, replace(now, deleted_at=tx.now, updated_at=tx.now))
    tx.announce(Event("lesson.deleted", "lesson", now.id, now.project_id, ("deletedAt",)))


def recur(tx: Tx, earlier: Lesson, occurrence_id: str | None = None) -> Lesson:
    """Count that the rule of a lesson was broken again; who verified it stays known."""
    moved = replace(earlier, status="recurred", broken_again=earlier.broken_again + 1, updated_at=tx.now)
    store.move(tx, earlier, moved)
    changed = ("brokenAgain",) if earlier.status == "recurred" else ("status", "brokenAgain")
    tx.announce(Event("lesson.recurred", "lesson", moved.id, moved.project_id, changed, occurrence_id))
    return moved


def check_until(tx: Tx, until: int | None) -> None:
    """Refuse an end that is past already."""
    if until is not None and until <= tx.now:
        raise invalid("/until", "is past", "a time in the future, or none for no end")


def broken_by(tx: Tx, made: Lesson) -> Lesson | None:
    """The rule in force that says the same as a new lesson's, of several the most specific, held.

    It stands in the briefing that this agent would read there; of the agent before every agent's, of the project
    before the account's.
    """
    if made.rule is None:
        return None
    projects = tx.actor.readable_projects() if made.project_id is None else [made.project_id]
    there = spaces.with_account(projects)
    same = store.saying_the_same(tx, made.rule, made.agent_key, there)
    by_how_near = sorted(same, key=lambda one: (one.agent_key == "", one.project_id is None, one.id))
    return by_how_near[0] if by_how_near else None


def _space(tx: Tx, new: NewLesson) -> str | None:
    """Where a new lesson counts: as asked for, else where the correction is that it comes from."""
    if not new.from_correction_id:
        return spaces.to_write(tx, new.project_id)
    source = corrections.get_correction(tx, new.from_correction_id).correction
    return spaces.to_write(tx, new.project_id or source.project_id)


def _new(tx: Tx, new: NewLesson, project_id: str | None) -> Lesson:
    key = subjects.fold(new.agent or "")
    return Lesson(
        id=tx.new_id("les"),
        tenant_id=tx.actor.tenant_id,
        project_id=project_id,
        agent=_spelling(tx, key, new.agent or ""),
        agent_key=key,
        kind=new.kind,
        severity=new.severity or "medium",
        noticed_by=new.noticed_by,
        what_happened=new.what_happened,
        expected=new.expected or None,
        rule=new.rule or None,
        status="open",
        evidence=tuple(new.evidence or ()),
        session=new.session or None,
        broken_again=0,
        duplicate_of=None,
        occurrence=False,
        supersedes=(),
        until=new.until,
        must_not_call=on_wire(new.must_not_call),
        from_correction_id=new.from_correction_id and with_prefix("cor", new.from_correction_id),
        recorded_by=Principal(tx.actor.kind, tx.actor.id),
        adopted=None,
        verified=None,
        ended=False,
        created_at=tx.now,
        updated_at=tx.now,
        deleted_at=None,
    )


def _spelling(tx: Tx, key: str, written: str) -> str:
    """An agent as it was first written, in a run or else in a lesson."""
    if not key:
        return ""
    seen = subjects.spellings(tx, [("agent", key)]).get(("agent", key))
    return seen or store.spelling(tx, key) or written.strip()


def _said_before(tx: Tx, made: Lesson) -> Lesson | None:
    """The lesson as which the caller said the same before: in this session, or without one in the last ten minutes."""
    words = [
        made.recorded_by,
        made.project_id,
        made.agent_key,
        made.session,
        made.rule and fold(made.rule),
        made.what_happened,
    ]
    said_key = hashlib.sha256(json.write(words)).hexdigest()
    since = 0 if made.session else tx.now - SAME_FOR
    first_id = store.say_first(tx, said_key, made.id, since)
    if first_id is None:
        return None
    first = store.find(tx, first_id)
    if first is None:
        store.say_anew(tx, said_key, made.id)
    return first


def _near(tx: Tx, made: Lesson) -> Sequence[Similar]:
    """The five rules in force that are nearest to what was said, but for the one that it repeats."""
    of = Audience(made.agent_key, made.project_id)
    return nearest(tx, made.rule, of, but=[made.id, made.duplicate_of or ""])[:NEAREST]


def _root(tx: Tx, lesson: Lesson) -> Lesson | None:
    return store.find(tx, lesson.duplicate_of) if lesson.occurrence and lesson.duplicate_of else None
