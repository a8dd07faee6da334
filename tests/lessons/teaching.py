"""A tenant whose agents are taught: its lessons, said and decided by persons and assistants."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from setright import lessons
from setright.kernel.actor import Actor
from setright.kernel.fields import validate
from setright.lessons import Lesson, LessonChange, LessonFilters, NewLesson, Recorded, Updated
from setright.storage import Tx
from tests.support.rooms import Room

RULE = "Read the document again before you save it."


@dataclass(frozen=True, slots=True)
class Teaching(Room):
    """A tenant in which lessons are recorded and decided on."""

    def said(self, by: Actor | None = None, **more: Any) -> Recorded:
        """What recording a lesson came to."""
        new = validate(NewLesson, a_lesson(**more))
        return self.do(lambda tx: lessons.record_lesson(tx, new), by)

    def lesson(self, by: Actor | None = None, **more: Any) -> Lesson:
        """An open lesson; its words are new unless told otherwise."""
        return self.said(by, **more).lesson

    def change(self, lesson: Lesson, by: Actor | None = None, **change: Any) -> Updated:
        """What a change of a lesson came to."""
        wanted = validate(LessonChange, change)
        return self.do(lambda tx: lessons.update_lesson(tx, lesson.id, wanted), by)

    def moved(self, lesson: Lesson, status: str, by: Actor | None = None, **more: Any) -> Lesson:
        """A lesson, moved to a status."""
        return self.change(lesson, by, status=status, **more).lesson

    def adopted(self, by: Actor | None = None, **more: Any) -> Lesson:
        """A lesson whose rule is in force."""
        return self.moved(self.lesson(by, **more), "adopted", by)

    def adopted_at_once(self, rules: Sequence[str]) -> list[Lesson]:
        """Lessons whose rules are in force, all in one transaction."""
        adopts = validate(LessonChange, {"status": "adopted"})

        def adopt(tx: Tx, rule: str) -> Lesson:
            new = validate(NewLesson, a_lesson(rule=rule, session=rule[:200]))
            return lessons.update_lesson(tx, lessons.record_lesson(tx, new).lesson.id, adopts).lesson

        return self.do(lambda tx: [adopt(tx, rule) for rule in rules])

    def now(self, lesson: Lesson) -> Lesson:
        """The lesson as it stands."""
        return self.now_of(lesson.id)

    def now_of(self, lesson_id: str) -> Lesson:
        """The lesson with an id as it stands."""
        return self.ask(lambda at: lessons.get_lesson(at, lesson_id))

    def listed(self, by: Actor | None = None, **filters: Any) -> list[str]:
        """The ids of the lessons in a list."""
        page = self.ask(lambda at: lessons.list_lessons(at, LessonFilters(**filters), None, 100), by)
        return [one.id for one in page.data]

    def story(self, lesson: Lesson) -> list[str]:
        """What happened to a lesson."""
        return [one.kind for one in self.ask(lambda at: lessons.lesson_history(at, lesson.id)).data]


def a_lesson(**more: Any) -> dict[str, Any]:
    """The body of a lesson in the default project."""
    return {
        "projectId": "default",
        "agent": "Writer",
        "kind": "drift",
        "noticedBy": "person",
        "whatHappened": "It saved over a newer version.",
        "rule": RULE,
        **more,
    }
