"""What can be asked about lessons."""

from dataclasses import replace
from typing import Any

from setright import events
from setright.events import EventPage, with_more
from setright.kernel.actor import Role
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place, page_of
from setright.lessons import lists, spaces, store
from setright.lessons.errors import LessonNotFound
from setright.lessons.model import Lesson, LessonEvent, LessonFilters
from setright.lessons.stops import stops_of
from setright.storage import Snapshot
from setright.storage.lists import among, page_values
from setright.subjects import fold


def get_lesson(at: Snapshot, lesson_id: str) -> Lesson:
    """A lesson that the caller may read."""
    lesson = store.find(at, with_prefix("les", lesson_id))
    if lesson is None:
        raise LessonNotFound(lesson_id)
    spaces.require(at.actor, Role.READ, lesson.project_id)
    return replace(lesson, stops=stops_of(at, lesson.id))


def lesson_history(at: Snapshot, lesson_id: str, after: int = 0, limit: int = 100) -> EventPage:
    """What happened to a lesson, oldest first, with the words in which its rule was put each time."""
    lesson = get_lesson(at, lesson_id)
    page = events.history(at, lesson.id, after, limit)
    if not page.data:
        return page
    words = store.wordings(at, lesson.id, page.data[0].at, page.data[-1].at)
    return EventPage(
        [with_more(event, LessonEvent, wording=words.get(event.at)) for event in page.data], page.has_more
    )


def list_lessons(at: Snapshot, filters: LessonFilters, after: Place | None, limit: int) -> Page[Lesson]:
    """A page of the lessons that the caller may read, newest first; duplicates only where they are asked for."""
    projects = spaces.to_read(at, filters.project_id)
    there = projects if filters.project_id else spaces.with_account(projects)
    count, names = (None, {}) if there is None else among("space", there)
    statuses = filters.status or (("duplicate",) if filters.duplicate_of else ())
    wanted, words = among("status", statuses) if statuses else (0, {})
    present = _present(filters)
    statement = lists.page(frozenset(present), wanted, count)
    values = present | names | words | page_values(after, limit)
    rows = at.all(statement, tenant_id=at.actor.tenant_id, **values)
    return page_of(rows, limit, store.place_of, store.record)


def _present(filters: LessonFilters) -> dict[str, Any]:
    found = {
        "agent_key": None if filters.agent is None else fold(filters.agent),
        "kind": filters.kind,
        "noticed_by": filters.noticed_by,
        "duplicate_of": filters.duplicate_of and with_prefix("les", filters.duplicate_of),
        "from_correction_id": filters.from_correction_id and with_prefix("cor", filters.from_correction_id),
    }
    return {name: value for name, value in found.items() if value is not None}
