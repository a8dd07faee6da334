"""The requests about the log of events."""

from typing import Unpack

from setright.client.answers import Event
from setright.client.inputs import EventFilters
from setright.client.paging import Page, feed_of
from setright.client.request import Request
from setright.client.values import query


def page(**filters: Unpack[EventFilters]) -> Request[Page[Event]]:
    """Read one page of the events, oldest first; the next one begins after the last `seq` of this one."""
    return feed("/v1/events", **filters)


def feed(path: str, **place: Unpack[EventFilters]) -> Request[Page[Event]]:
    """Read one page of the events at `path`."""
    parse = feed_of(Event, lambda event: event.seq)
    return Request[Page[Event]].get(path, parse, query(**place), goes_on_by="after")
