"""What the guard stopped, kept on disk until a briefing sends it."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from setright.hooks.place import Asked, Machine

MOST_BYTES = 256 * 1024
MOST_AT_ONCE = 100
MOST_COUNTED = 1000
BATCHES = 5


class Batch(NamedTuple):
    """Stops that are sent together; `key` is the same each time, so that they count once."""

    key: str
    file: str
    stops: Sequence[Mapping[str, Any]]

    @property
    def body(self) -> Mapping[str, Any]:
        """What is sent of it."""
        return {"stops": self.stops}


def note(machine: Machine, asked: Asked, lessons: Sequence[str]) -> None:
    """Write down whose rules stopped a call, and nothing of the call. A full spool takes no more."""
    machine.make_own()
    spool = machine.file(asked, "stops")
    lines = "".join(f"{lesson}\n" for lesson in lessons)
    with os.fdopen(os.open(spool, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "wb") as opened:
        if opened.tell() < MOST_BYTES:
            opened.write(lines.encode())


def batches(machine: Machine, asked: Asked) -> list[Batch]:
    """What waits to be sent: what could not be sent before, then what is new."""
    spool = machine.file(asked, "stops")
    if os.path.exists(spool):
        os.replace(spool, machine.file(asked, f"{os.urandom(16).hex()}.sending"))
    found: list[Batch] = []
    for file in _sent_before(machine, asked)[:BATCHES]:
        with open(file, encoding="utf-8", errors="replace") as opened:
            told = Counter(opened.read().split())
        entries = [{"lessonId": lesson, "count": min(count, MOST_COUNTED)} for lesson, count in told.items()]
        name = file.rsplit(".", 2)[1]
        found += [
            Batch(f"{name}-{start}", file, entries[start : start + MOST_AT_ONCE])
            for start in range(0, len(entries), MOST_AT_ONCE)
        ]
        if not entries:
            os.unlink(file)
    return found


def send(waiting: Sequence[Batch], post: Callable[[Batch], bool]) -> None:
    """Send each; a file goes when all of it was taken, and until then it is sent again with the same keys."""
    left = {batch.file for batch in waiting if not post(batch)}
    for file in {batch.file for batch in waiting} - left:
        os.unlink(file)


def _sent_before(machine: Machine, asked: Asked) -> list[str]:
    """The files that wait to be sent, the oldest first."""
    if not os.path.isdir(machine.own):
        return []
    names = (
        name for name in os.listdir(machine.own) if name.startswith(asked.key) and name.endswith(".sending")
    )
    return sorted((os.path.join(machine.own, name) for name in names), key=os.path.getmtime)
