"""What the guard stopped, kept on disk until a briefing sends it."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from setright.hooks.place import Asked, Machine

MOST_BYTES = 256 * 1024
MOST_AT_ONCE = 100
MOST_COUNTED = 1000
BATCHES = 5


class Batch(NamedTuple):
    """Stops that are sent together; `key` is the same each time, so that they count once."""

    key: str
    file: Path
    stops: Sequence[Mapping[str, Any]]

    @property
    def body(self) -> Mapping[str, Any]:
        """What is sent of it."""
        return {"stops": self.stops}


def note(machine: Machine, asked: Asked, lessons: Sequence[str]) -> None:
    """Write down whose rules stopped a call, and nothing of the call. A full spool takes no more."""
    machine.own.mkdir(parents=True, exist_ok=True, mode=0o700)
    spool = machine.own / f"{asked.key}.stops"
    lines = "".join(f"{lesson}\n" for lesson in lessons)
    with os.fdopen(os.open(spool, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "wb") as opened:
        if opened.tell() < MOST_BYTES:
            opened.write(lines.encode())


def batches(machine: Machine, asked: Asked) -> list[Batch]:
    """What waits to be sent: what could not be sent before, then what is new."""
    folder, key = machine.own, asked.key
    spool = folder / f"{key}.stops"
    if spool.exists():
        spool.replace(folder / f"{key}.{uuid4().hex}.sending")
    found: list[Batch] = []
    for file in sorted(folder.glob(f"{key}.*.sending"), key=lambda one: one.stat().st_mtime)[:BATCHES]:
        told = Counter(file.read_text("utf-8", "replace").split())
        entries = [{"lessonId": lesson, "count": min(count, MOST_COUNTED)} for lesson, count in told.items()]
        name = file.name.split(".")[1]
        found += [
            Batch(f"{name}-{start}", file, entries[start : start + MOST_AT_ONCE])
            for start in range(0, len(entries), MOST_AT_ONCE)
        ]
        if not entries:
            file.unlink(missing_ok=True)
    return found


def send(waiting: Sequence[Batch], post: Callable[[Batch], bool]) -> None:
    """Send each; a file goes when all of it was taken, and until then it is sent again with the same keys."""
    left = {batch.file for batch in waiting if not post(batch)}
    for file in {batch.file for batch in waiting} - left:
        file.unlink(missing_ok=True)
