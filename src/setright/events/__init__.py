"""The append-only event log: what happened, in the transaction in which it happened."""

from setright.events.model import EventPage, LoggedEvent, with_more
from setright.events.operations import append
from setright.events.queries import feed, histories, history, last_moment
from setright.events.soundness import faults

__all__ = [
    "EventPage",
    "LoggedEvent",
    "append",
    "faults",
    "feed",
    "histories",
    "history",
    "last_moment",
    "with_more",
]
