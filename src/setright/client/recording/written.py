"""A finished run as it is kept and sent: JSON in lines, so that a large one can be sent in pieces without reading it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast
from zlib import crc32

FORM = "setright-run-1"


class Damaged(Exception):
    """The content is not that of a run that was written whole."""


@dataclass(frozen=True)
class WrittenRun:
    """How it `began` and how it `ended`, each a JSON object, and its `calls`, each a JSON object, in order."""

    id: str
    began: bytes
    ended: bytes
    calls: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """How many bytes the whole has on the wire."""
        return len(self.began) + len(self.ended) + sum(map(len, self.calls)) + len(self.calls) + 16

    def whole(self) -> bytes:
        """The run as one JSON object."""
        return (
            self.began[:-1]
            + b","
            + self.ended[1:-1]
            + (b',"calls":[' + b",".join(self.calls) + b"]" if self.calls else b"")
            + b"}"
        )

    def pieces(self, most: int) -> Iterator[bytes]:
        """Its calls as bodies of requests that add them to a run, of at most so many bytes unless one call has more."""
        start, size = 0, 0
        for place, call in enumerate(self.calls):
            if place > start and size + len(call) > most:
                yield self._piece(start, place)
                start, size = place, 0
            size += len(call) + 1
        if start < len(self.calls):
            yield self._piece(start, len(self.calls))

    def _piece(self, start: int, stop: int) -> bytes:
        calls = b",".join(self.calls[start:stop])
        return b'{"position":' + str(start).encode() + b',"calls":[' + calls + b"]}"

    def lines(self) -> bytes:
        """The content of a file: a line that says what it is, and the parts, none of which holds a line break."""
        parts = b"\n".join((self.began, self.ended, *self.calls))
        says = {"form": FORM, "id": self.id, "bytes": len(parts), "crc32": crc32(parts)}
        return json.dumps(says).encode() + b"\n" + parts


def read(content: bytes) -> WrittenRun:
    """The run in the content of a file; `Damaged` when that is not whole."""
    first, _, parts = content.partition(b"\n")
    try:
        says = json.loads(first)
    except ValueError:
        raise Damaged("it does not begin as the file of a run does") from None
    told = cast("dict[str, object]", says) if isinstance(says, dict) else {}
    if told.get("form") != FORM:
        raise Damaged("it is of another form")
    if (told.get("bytes"), told.get("crc32")) != (len(parts), crc32(parts)):
        raise Damaged("it is not whole")
    began, ended, *calls = parts.split(b"\n")
    return WrittenRun(str(told.get("id")), began, ended, tuple(calls))
