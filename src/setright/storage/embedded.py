"""The store on an SQLite file: one writer, a few readers apart from it."""

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from setright.kernel.clock import Clock
from setright.kernel.ids import NewId
from setright.storage import tickets
from setright.storage.scrub import empty_log
from setright.storage.sql import EngineName
from setright.storage.sqlite import DatabaseFile, Handle, trouble
from setright.storage.store import Read, Write
from setright.storage.tx import Snapshot
from setright.storage.writer import Writer

T = TypeVar("T")

READERS = 4


class EmbeddedStore:
    """A ledger in one SQLite file."""

    engine: EngineName = "sqlite"

    def __init__(self, path: Path, clock: Clock, new_id: NewId) -> None:
        if not path.exists():
            raise FileNotFoundError(path)
        self._file = DatabaseFile(path)
        self._clock = clock
        self._writer = Writer(self._file, clock, new_id)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="setright-reader")
        self._own = threading.local()
        self._handles: list[Handle] = []

    def write(self, work: Write[T]) -> Future[T]:
        """See `Store.write`."""
        ticket = tickets.for_thread(work)
        self._writer.put(ticket)
        return ticket.future

    def write_in_loop(self, work: Write[T], loop: asyncio.AbstractEventLoop) -> "asyncio.Future[T]":
        """See `Store.write_in_loop`."""
        ticket = tickets.for_loop(work, loop)
        self._writer.put(ticket)
        return ticket.future

    def read(self, work: Read[T]) -> Future[T]:
        """See `Store.read`."""
        return tickets.submit(self._readers, self._read, work)

    def _read(self, work: Read[T]) -> T:
        handle = self._reader()
        try:
            session = handle.ready()
            session.plain("BEGIN")
            try:
                return work(Snapshot(session, self._clock.now()))
            finally:
                session.plain("ROLLBACK")
        except Exception as error:
            refusal = trouble(error)
            if refusal is None:
                raise
            handle.drop()
            raise refusal from error

    def _reader(self) -> Handle:
        handle: Handle | None = getattr(self._own, "handle", None)
        if handle is None:
            handle = self._own.handle = Handle(self._file, read_only=True)
            self._handles.append(handle)
        return handle

    def figures(self) -> dict[str, Any]:
        """See `Store.figures`."""
        writer = self._writer
        return {
            "write_queue_depth": writer.depth(),
            "groups": writer.groups,
            "writes": writer.writes,
            "group_sizes": list(writer.group_sizes),
            "commit_seconds": list(writer.commit_seconds),
        }

    def forget(self) -> None:
        """See `Store.forget`."""
        empty_log(self._file.path)

    def close(self) -> None:
        """See `Store.close`."""
        self._writer.close()
        self._readers.shutdown(wait=True)
        for handle in self._handles:
            handle.drop()
