"""Who waits for a piece of work, and how the outcomes of a whole group reach them at once."""

import asyncio
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from setright.storage.store import Write


@dataclass(slots=True)
class Ticket:
    """A piece of work and its future; `loop` is None when a thread waits instead of an event loop."""

    work: Write[Any]
    future: Any
    loop: asyncio.AbstractEventLoop | None = None
    result: Any = None
    error: BaseException | None = None


def for_thread(work: Write[Any]) -> Ticket:
    """A ticket whose future a thread can wait for."""
    return Ticket(work, Future[Any]())


def for_loop(work: Write[Any], loop: asyncio.AbstractEventLoop) -> Ticket:
    """A ticket whose future a coroutine of `loop` can await."""
    return Ticket(work, loop.create_future(), loop)


def settle(tickets: Iterable[Ticket]) -> None:
    """Hand out results and errors, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Ticket]] = {}
    for ticket in tickets:
        if ticket.loop is None:
            _hand_out([ticket])
        else:
            by_loop.setdefault(ticket.loop, []).append(ticket)
    for loop, waiting in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_hand_out, waiting)


def _hand_out(tickets: list[Ticket]) -> None:
    for ticket in tickets:
        future = ticket.future
        if future.cancelled() or future.done():
            continue
        if ticket.error is not None:
            future.set_exception(ticket.error)
        else:
            future.set_result(ticket.result)
