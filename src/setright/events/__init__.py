"""The append-only event log: what happened, in the transaction in which it happened."""

from setright.events.model import EventPage, LoggedEvent
from setright.events.operations import append
from setright.events.queries import feed, history, last_moment

__all__ = ["EventPage", "LoggedEvent", "append", "feed", "history", "last_moment"]
