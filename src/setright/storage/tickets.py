"""Who waits for a piece of work, and how the outcomes of a whole group reach them at once."""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from setright.kernel.errors import StorageUnavailable
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


def stopping() -> StorageUnavailable:
    """What everybody gets who comes after the store was closed."""
    return StorageUnavailable("the server is stopping", 5)


def submit(threads: ThreadPoolExecutor, work: Callable[..., Any], *arguments: Any) -> "Future[Any]":
    """Have a thread do some work; refused with 503 once the threads are told to end."""
    try:
        return threads.submit(work, *arguments)
    except RuntimeError:
        refused = Future[Any]()
        refused.set_exception(stopping())
        return refused


def settle(tickets: Iterable[Ticket]) -> None:
    """Hand out results and errors, with one call into each event loop; nobody needs to wait for them any more."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Ticket]] = {}
    for ticket in tickets:
        if ticket.loop is not None:
            by_loop.setdefault(ticket.loop, []).append(ticket)
        elif ticket.future.set_running_or_notify_cancel():
            _hand_out(ticket)
    for loop, waiting in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed: whoever waited there is gone
            loop.call_soon_threadsafe(_hand_out_in_loop, waiting)


def _hand_out_in_loop(tickets: list[Ticket]) -> None:
    for ticket in tickets:
        if not ticket.future.done():
            _hand_out(ticket)


def _hand_out(ticket: Ticket) -> None:
    if ticket.error is not None:
        ticket.future.set_exception(ticket.error)
    else:
        ticket.future.set_result(ticket.result)
