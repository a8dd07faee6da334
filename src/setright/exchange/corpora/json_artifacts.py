"""Artifacts in the JSON form of the API, for any domain: one, an array of them, or one in each line (JSONL)."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import cast

from setright.exchange.corpora.model import Fields, Given, ReadArtifact
from setright.exchange.entries import CHUNK, MOST_BYTES, entries
from setright.exchange.model import Stream, Unread
from setright.kernel import json
from setright.kernel.errors import Refusal

_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{")
_TOO_LARGE = f"has more than {MOST_BYTES} bytes, the most that an artifact may have"
Numbered = tuple[int, bytes | None]


def read(stream: Stream, given: Given) -> Iterator[ReadArtifact | Unread]:
    """The artifacts of a file, and what of it could not be read.

    A file that begins with `[` holds an array; in another each line holds an artifact, or the file as a whole holds one.
    What was given fills in the source, licence and attribution that an artifact does not name itself. What its fields
    may hold is asked where it is recorded. An artifact may have 64 MiB; memory holds one at a time.
    """
    opened = _Opened(stream)
    begins = opened.begins.removeprefix(_BOM).lstrip()
    if opened.begins.startswith(_UTF_16):
        yield Unread("line 1", "the file is UTF-16; save it as UTF-8")
    elif begins.startswith(b"["):
        for found in entries(opened):
            yield found if isinstance(found, Unread) else _artifact(found.value, found.place, given)
    elif not begins:
        yield Unread("line 1", "the file is empty; it should hold artifacts")
    else:
        yield from _in_lines(opened, given)


def _in_lines(stream: Stream, given: Given) -> Iterator[ReadArtifact | Unread]:
    """Artifacts in lines, if the first or the second line holds one; else the file holds one that has many lines."""
    lines = (one for one in _lines(stream) if one[1] is None or one[1].strip())
    first = list(islice(lines, 2))
    found = [_read(raw, f"line {number}", given) for number, raw in first]
    if all(isinstance(one, Unread) for one in found) and len(found) > 1:
        yield _of_many_lines(chain(first, lines), given)
        return
    yield from found
    for number, raw in lines:
        yield _read(raw, f"line {number}", given)


def _of_many_lines(lines: Iterator[Numbered], given: Given) -> ReadArtifact | Unread:
    begins, parts, size = 0, list[bytes](), 0
    for number, raw in lines:
        begins = begins or number
        size += len(raw) if raw is not None else MOST_BYTES + 1
        if raw is None or size > MOST_BYTES:
            return Unread(f"line {begins}", _TOO_LARGE)
        parts.append(raw)
    return _read(b"\n".join(parts), f"line {begins}", given)


def _read(raw: bytes | None, place: str, given: Given) -> ReadArtifact | Unread:
    if raw is None:
        return Unread(place, _TOO_LARGE)
    try:
        return _artifact(json.read(raw), place, given)
    except Refusal as refusal:
        return Unread(place, refusal.message.removeprefix("the body: "))


def _artifact(value: object, place: str, given: Given) -> ReadArtifact | Unread:
    if not isinstance(value, dict):
        return Unread(place, "is no object with the id, source and lines of an artifact")
    said = cast("Fields", value)
    source = {} if given.source is None else {"source": given.source}
    return ReadArtifact(place, {**source, **given.facts(), **said})


class _Opened:
    """A file of which was read as far as it shows how it begins; it is read from its beginning all the same."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.begins = b""
        while not self.begins.removeprefix(_BOM).strip() and (more := stream.read(CHUNK)):
            self.begins += more
        self._given = False

    def read(self, size: int, /) -> bytes:
        """What comes next: first the beginning, whatever its size."""
        if self._given:
            return self._stream.read(size)
        self._given = True
        return self.begins


def _lines(stream: Stream) -> Iterator[Numbered]:
    """The lines of a file with their numbers, None for one that is too large."""
    number, parts, size = 1, list[bytes](), 0
    ended = False
    while not ended:
        chunk = stream.read(CHUNK)
        ended = not chunk
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            parts.append(piece)
            size += len(piece)
            yield number, _line(parts, size, number)
            number, parts, size = number + 1, [], 0
        size += len(rest)
        if size > MOST_BYTES:
            parts.clear()
        else:
            parts.append(rest)
    if size:
        yield number, _line(parts, size, number)


def _line(parts: list[bytes], size: int, number: int) -> bytes | None:
    raw = b"".join(parts) if size <= MOST_BYTES else None
    return raw.removeprefix(_BOM) if raw is not None and number == 1 else raw
