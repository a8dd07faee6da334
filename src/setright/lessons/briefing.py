"""Reading a briefing: the rules in force for an agent, then for every agent, and the newest lessons nobody decided on."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from setright.kernel.ids import with_prefix
from setright.lessons import reading, sessions, spaces, store
from setright.lessons.briefing_model import Asked, Briefing, Explained, RuleInForce
from setright.lessons.composing import BUDGET, compose, explanation
from setright.lessons.inert import FormWord
from setright.lessons.lifecycle import IN_FORCE
from setright.lessons.model import Lesson, LessonFilters
from setright.lessons.queries import list_lessons
from setright.lessons.reading import Spaces
from setright.lessons.remembered import Remembered
from setright.storage import Snapshot, Tx
from setright.subjects import fold

NEWEST_OPEN = 5
NEWEST_EXPLAINED = 50
_REMEMBERED = Remembered()


def read_briefing(at: Snapshot, asked: Asked) -> Briefing:
    """What an agent is told when a session begins, within a budget of characters."""
    there = spaces.with_account(spaces.to_read(at, asked.project_id))
    key = fold(asked.agent)
    total, stamp = reading.how_it_stands(at, key, there)
    same = replace(asked, session=None)
    wanted = (at.actor.tenant_id, None if there is None else tuple(there), same)
    known = None if asked.explain else _REMEMBERED.find(wanted, stamp, at.now)
    if known is None:
        known, ends = _put_together(at, same, key, there, total)
        if not asked.explain:
            known = replace(known, mark=(wanted, stamp))
            _REMEMBERED.keep(wanted, stamp, ends, known)
    return replace(known, asked=asked)


def _put_together(
    at: Snapshot, asked: Asked, key: str, there: Spaces, total: int
) -> tuple[Briefing, int | None]:
    """A briefing as the tables have it, and when the first of the rules that count ends."""
    keys = [key, ""] if key else [""]
    past, ends = reading.past_their_time(at, keys, there)
    told = chain.from_iterable(reading.rules(at, one, there) for one in keys)
    undecided = reading.open_lessons(at, keys, there, NEWEST_OPEN)
    form: FormWord = "text" if asked.format == "text" else "markdown"
    made = compose(asked.agent, told, total - past, undecided, form, asked.budget or BUDGET)
    guard = reading.guarding(at, keys, there)
    why = _why(at, asked, keys, there, made.rules) if asked.explain else []
    text = explanation(why, form) if asked.explain else None
    told_all = Briefing(asked, made.text, made.rules, made.open, made.left_out, guard, why, text)
    return told_all, ends


def _why(
    at: Snapshot, asked: Asked, keys: Sequence[str], there: Spaces, shown: Sequence[RuleInForce]
) -> list[Explained]:
    """Of the lessons that were asked about, or of the rules that are in and the newest others, why they are in or out."""
    if asked.about:
        return [_explained(at, with_prefix("les", one), keys, there, shown) for one in asked.about]
    newest = list_lessons(at, LessonFilters(), None, NEWEST_EXPLAINED).data
    ruled = [rule.id for rule in shown] + [one.id for one in newest if one.rule is not None]
    return [_explained(at, one, keys, there, shown) for one in dict.fromkeys(ruled)]


def note_session(told: Briefing) -> Callable[[Tx], None] | None:
    """What is to be written after a briefing was read: that a session has these rules; None without a session."""
    session = told.asked.session
    if not session:
        return None
    return lambda tx: sessions.told(tx, fold(told.asked.agent), session, told.rules)


def _explained(
    at: Snapshot, lesson_id: str, keys: Sequence[str], there: Spaces, shown: Sequence[RuleInForce]
) -> Explained:
    """Why a lesson's rule is in the briefing, or the first reason why not."""
    lesson = store.find(at, lesson_id)
    if lesson is None or not spaces.may_read(at.actor, lesson.project_id):
        return Explained(lesson_id, is_in=False, why="There is no such lesson.")
    reason = _why_not(at, lesson, keys, there)
    if reason is not None:
        return Explained(lesson.id, False, reason, lesson.rule)
    if all(rule.id != lesson.id for rule in shown):
        room = f"It is in force, but there is room for {len(shown)} rules only."
        return Explained(lesson.id, False, room, lesson.rule)
    whom = "every agent" if not lesson.agent_key else "this agent"
    where = "the whole account" if lesson.project_id is None else f"project {lesson.project_id}"
    return Explained(lesson.id, True, f"It is {lesson.status}, for {whom}, in {where}.", lesson.rule)


def _why_not(at: Snapshot, lesson: Lesson, keys: Sequence[str], there: Spaces) -> str | None:
    if lesson.status == "duplicate":
        return f"It is a duplicate of {lesson.duplicate_of}, whose rule counts."
    if lesson.status not in IN_FORCE:
        return f"It is {lesson.status}: only adopted, verified and recurred lessons are in force."
    if lesson.until is not None and lesson.until <= at.now:
        return "It is past its time."
    if lesson.agent_key not in keys:
        return "It is for another agent."
    if there is not None and (lesson.project_id or spaces.ACCOUNT) not in there:
        return "It counts in another project."
    return None
