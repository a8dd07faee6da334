"""The append-only event log: what happened, in the transaction in which it happened."""

from setright.events.chain import hash_of_id
from setright.events.model import EventPage, LoggedEvent, with_more
from setright.events.operations import append
from setright.events.queries import feed, histories, history, last_moment
from setright.events.sealing import AT_ONCE as SEALED_AT_ONCE
from setright.events.sealing import seal_some
from setright.events.soundness import faults
from setright.events.verifying import Verified, verify

__all__ = [
    "SEALED_AT_ONCE",
    "EventPage",
    "LoggedEvent",
    "Verified",
    "append",
    "faults",
    "feed",
    "hash_of_id",
    "histories",
    "history",
    "last_moment",
    "seal_some",
    "verify",
    "with_more",
]
