"""Lessons: what agents were taught by being corrected, the rules that came of it, and where each stands."""

from setright.lessons.errors import (
    AccountWide,
    DuplicateCycle,
    LessonMoveRefused,
    LessonNotFound,
    PersonNeeded,
    RuleNeeded,
)
from setright.lessons.lifecycle import LESSON_LIFE, STATUSES, StatusWord
from setright.lessons.model import (
    KindWord,
    Lesson,
    LessonChange,
    LessonEvent,
    LessonFilters,
    NewLesson,
    NoticedWord,
    Recorded,
    SeverityWord,
    Updated,
)
from setright.lessons.moving import update_lesson
from setright.lessons.operations import delete_lesson, record_lesson
from setright.lessons.queries import get_lesson, lesson_history, list_lessons

__all__ = [
    "LESSON_LIFE",
    "STATUSES",
    "AccountWide",
    "DuplicateCycle",
    "KindWord",
    "Lesson",
    "LessonChange",
    "LessonEvent",
    "LessonFilters",
    "LessonMoveRefused",
    "LessonNotFound",
    "NewLesson",
    "NoticedWord",
    "PersonNeeded",
    "Recorded",
    "RuleNeeded",
    "SeverityWord",
    "StatusWord",
    "Updated",
    "delete_lesson",
    "get_lesson",
    "lesson_history",
    "list_lessons",
    "record_lesson",
    "update_lesson",
]
