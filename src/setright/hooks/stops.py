"""What the guard stopped, kept on disk until a briefing sends it."""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from setright.hooks.place import Asked, Machine, object_in

MOST_BYTES = 256 * 1024
MOST_AT_ONCE = 100
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


def note(machine: Machine, asked: Asked, stops: Sequence[Mapping[str, Any]]) -> None:
    """Write down what was stopped; never what the call would have done. A full spool takes no more."""
    machine.own.mkdir(parents=True, exist_ok=True, mode=0o700)
    spool = machine.own / f"{asked.key}.stops"
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    lines = "".join(json.dumps({**stop, "at": at}) + "\n" for stop in stops)
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
        entries = list(filter(None, map(object_in, file.read_bytes().splitlines())))
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
