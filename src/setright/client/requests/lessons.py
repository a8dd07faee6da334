"""The requests about lessons."""

from collections.abc import Sequence
from typing import Unpack

from setright.client.inputs import AnyFields, FeedFilters
from setright.client.lessons import (
    Briefing,
    BriefingFields,
    CountedStops,
    Lesson,
    LessonChanges,
    LessonEvent,
    LessonFields,
    LessonFilters,
    RecordedLesson,
    StopFields,
    UpdatedLesson,
)
from setright.client.paging import Page, feed_of, page_of
from setright.client.request import Request, nothing
from setright.client.requests.corrections import expected_call
from setright.client.values import each, ours, query, segment

_FIELDS = {"mustNotCall": each(expected_call)}


def record(*, key: str | None = None, **lesson: Unpack[LessonFields]) -> Request[RecordedLesson]:
    """Record what an agent was corrected about; a rule that is in force already was broken again (`recurrence_of`)."""
    body = ours(lesson, _FIELDS)
    return Request[RecordedLesson].write("POST", "/v1/lessons", RecordedLesson.read, body, key=key)


def get(lesson_id: str) -> Request[Lesson]:
    """Read a lesson."""
    return Request[Lesson].get(_lesson(lesson_id), Lesson.read)


def page(**filters: Unpack[LessonFilters]) -> Request[Page[Lesson]]:
    """Read one page of the lessons, newest first."""
    return Request[Page[Lesson]].get("/v1/lessons", page_of(Lesson), query(**filters))


def history(lesson_id: str, **place: Unpack[FeedFilters]) -> Request[Page[LessonEvent]]:
    """Read what happened to a lesson, oldest first, with the words in which its rule was put each time."""
    parse = feed_of(LessonEvent, lambda event: event.seq)
    path = f"{_lesson(lesson_id)}/history"
    return Request[Page[LessonEvent]].get(path, parse, query(**place), goes_on_by="after")


def update(
    lesson_id: str,
    *,
    if_match: str | None = None,
    key: str | None = None,
    **changes: Unpack[LessonChanges],
) -> Request[UpdatedLesson]:
    """Decide on a lesson, or put its rule in other words.

    With `if_match`, the ETag of the state that you read (`.receipt.etag`), a lesson that another changed since is
    refused (`ChangedMeanwhile`).
    """
    path, body = _lesson(lesson_id), ours(changes, _FIELDS)
    return Request[UpdatedLesson].write("PATCH", path, UpdatedLesson.read, body, key=key, if_match=if_match)


def delete(lesson_id: str, *, key: str | None = None) -> Request[None]:
    """Delete a lesson: it leaves every list and every briefing; again changes nothing."""
    return Request[None].write("DELETE", _lesson(lesson_id), nothing, key=key)


def briefing(**asked: Unpack[BriefingFields]) -> Request[Briefing]:
    """Read the rules that an agent follows, its own first, and the newest open lessons."""
    return Request[Briefing].get("/v1/briefing", Briefing.read, query(**asked))


def count_stops(stops: Sequence[StopFields | AnyFields], *, key: str | None = None) -> Request[CountedStops]:
    """Tell how many calls a hook stopped, each by the lesson whose rule forbids it."""
    body = {"stops": each(ours)(stops)}
    return Request[CountedStops].write("POST", "/v1/lessons/stops", CountedStops.read, body, key=key)


def _lesson(lesson_id: str) -> str:
    return f"/v1/lessons/{segment('lesson_id', lesson_id)}"
