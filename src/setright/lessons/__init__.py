"""Lessons: what agents were taught by being corrected, the rules that came of it, and where each stands."""

from setright.lessons.briefing import note_session, read_briefing
from setright.lessons.briefing_model import Asked, Briefing, Explained, FormatWord, OpenLesson, RuleInForce
from setright.lessons.erasing import erase_lessons, erased_among, lessons_from, lessons_said_by
from setright.lessons.errors import (
    AccountWide,
    DuplicateCycle,
    LessonErased,
    LessonMoveRefused,
    LessonNotFound,
    PersonNeeded,
    RuleNeeded,
    SimilarRule,
)
from setright.lessons.jobs import drop_old_sessions, read_rules_again
from setright.lessons.lifecycle import LESSON_LIFE, STATUSES, StatusWord
from setright.lessons.model import (
    CountedStops,
    KindWord,
    Lesson,
    LessonChange,
    LessonEvent,
    LessonFilters,
    NewLesson,
    NewStops,
    NoticedWord,
    Recorded,
    SeverityWord,
    Similar,
    Updated,
)
from setright.lessons.moving import update_lesson
from setright.lessons.operations import delete_lesson, record_lesson
from setright.lessons.queries import get_lesson, lesson_history, list_lessons
from setright.lessons.sessions import count_sessions_before, drop_sessions_before
from setright.lessons.soundness import faults
from setright.lessons.stops import count_stops

__all__ = [
    "LESSON_LIFE",
    "STATUSES",
    "AccountWide",
    "Asked",
    "Briefing",
    "CountedStops",
    "DuplicateCycle",
    "Explained",
    "FormatWord",
    "KindWord",
    "Lesson",
    "LessonChange",
    "LessonErased",
    "LessonEvent",
    "LessonFilters",
    "LessonMoveRefused",
    "LessonNotFound",
    "NewLesson",
    "NewStops",
    "NoticedWord",
    "OpenLesson",
    "PersonNeeded",
    "Recorded",
    "RuleInForce",
    "RuleNeeded",
    "SeverityWord",
    "Similar",
    "SimilarRule",
    "StatusWord",
    "Updated",
    "count_sessions_before",
    "count_stops",
    "delete_lesson",
    "drop_old_sessions",
    "drop_sessions_before",
    "erase_lessons",
    "erased_among",
    "faults",
    "get_lesson",
    "lesson_history",
    "lessons_from",
    "lessons_said_by",
    "list_lessons",
    "note_session",
    "read_briefing",
    "read_rules_again",
    "record_lesson",
    "update_lesson",
]
