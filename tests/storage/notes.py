"""The smallest work there is: named notes in the ledger's own table of marks."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, select

from setright.storage import Snapshot, Sql, Store, Tx, insert
from setright.storage.kept import marks
from setright.storage.sqlite import connect

ADD = insert(marks)
ALL = Sql(select(marks.c.name).where(marks.c.name.like(bindparam("pattern"))).order_by(marks.c.name))


def add(name: str, value: str = "") -> Callable[[Tx], str]:
    """Work that notes a name, once."""

    def work(tx: Tx) -> str:
        tx.run(ADD, name=f"note-{name}", value=value)
        return name

    return work


def names(at: Snapshot) -> list[str]:
    """Every note, in order."""
    return [row["name"].removeprefix("note-") for row in at.all(ALL, pattern="note-%")]


def in_file(path: Path) -> list[str]:
    """The notes that another process would find in the file."""
    connection = connect(path)
    try:
        rows = connection.execute("SELECT name FROM marks WHERE name LIKE 'note-%' ORDER BY name").fetchall()
        return [row[0].removeprefix("note-") for row in rows]
    finally:
        connection.close()


class Held:
    """A write that holds the SQLite writer until it is let go, so that what comes meanwhile becomes one group."""

    def __init__(self, store: Store) -> None:
        self._begun, self._may_end = threading.Event(), threading.Event()
        self._held: Future[Any] = store.write(self._wait)
        assert self._begun.wait(10)

    def _wait(self, tx: Tx) -> None:
        self._begun.set()
        self._may_end.wait(30)

    def let_go(self) -> None:
        """End the write, and wait until it has ended."""
        self._may_end.set()
        self._held.result(30)
