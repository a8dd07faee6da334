"""The two ways into the database: reading works on a snapshot, writing works in a transaction."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from setright.storage.sql import EngineName
from setright.storage.tx import Snapshot, Tx

T = TypeVar("T")

Write = Callable[[Tx], T]
Read = Callable[[Snapshot], T]


class Store(Protocol):
    """An open database of either engine; work is plain synchronous functions that run in the store's threads."""

    engine: EngineName

    def write(self, work: Write[T]) -> "Future[T]":
        """Do `work` in one transaction; the future is done after the commit. Work may run twice, the last counts."""
        ...

    def write_in_loop(self, work: Write[T], loop: asyncio.AbstractEventLoop) -> "asyncio.Future[T]":
        """`write` for a caller in an event loop."""
        ...

    def read(self, work: Read[T]) -> "Future[T]":
        """Do `work` on a snapshot in a reader thread."""
        ...

    def figures(self) -> dict[str, Any]:
        """Live figures for the metrics: write_queue_depth, group sizes, commit latencies."""
        ...

    def forget(self) -> None:
        """Have the log beside the database hold nothing of what was deleted; on a server its own upkeep sees to that."""
        ...

    def close(self) -> None:
        """Finish what was accepted, then release every connection."""
        ...
