"""What a client can do with lessons, plain and asynchronous: one line per verb, described in `requests`."""

from setright.client.requests import lessons
from setright.client.verbs import AsyncResource, Resource, sends, sends_async, walks, walks_async


class Lessons(Resource):
    """What agents were corrected about, and the rules that came of it."""

    record = sends(lessons.record)
    get = sends(lessons.get)
    page = sends(lessons.page)
    list = walks(lessons.page)
    history_page = sends(lessons.history)
    history = walks(lessons.history)
    update = sends(lessons.update)
    delete = sends(lessons.delete)
    briefing = sends(lessons.briefing)
    count_stops = sends(lessons.count_stops)


class AsyncLessons(AsyncResource):
    """What agents were corrected about, and the rules that came of it."""

    record = sends_async(lessons.record)
    get = sends_async(lessons.get)
    page = sends_async(lessons.page)
    list = walks_async(lessons.page)
    history_page = sends_async(lessons.history)
    history = walks_async(lessons.history)
    update = sends_async(lessons.update)
    delete = sends_async(lessons.delete)
    briefing = sends_async(lessons.briefing)
    count_stops = sends_async(lessons.count_stops)
