"""The JSON objects of a file of any size, whether it is JSON Lines, an array, or one object written out."""

import io
import re
from collections.abc import Iterator

from setright.exchange.entries import MOST_BYTES, At, Entry, entries, entry_of, objects
from setright.exchange.model import Stream, Unread

CHUNK = 256 * 1024
MOST_LOOKED_AT = 8 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{", b"[\0", b"\0[")
_GZIP = b"\x1f\x8b"
_OPENING = re.compile(rb'\{[ \t]*("[^"]*"[ \t]*:[ \t]*[\[{]?[ \t]*)?')


def records(stream: Stream) -> Iterator[Entry | Unread]:
    """The values that a file holds, each with its place; one that is no JSON stops no other.

    A file that begins with `[` is an array; one whose first line only opens an object is written out over several
    lines; in any other each line is a value, and blank ones are passed over. A value may have 64 MiB.
    """
    ahead = Ahead(stream)
    head = ahead.peek(CHUNK)
    if head.startswith(_UTF_16):
        yield Unread("line 1", "the file is UTF-16; save it as UTF-8")
    elif head.startswith(_GZIP):
        yield Unread("line 1", "the file is packed with gzip; unpack it first")
    elif not head.removeprefix(_BOM).strip():
        yield Unread("line 1", "the file is empty")
    elif head.removeprefix(_BOM).lstrip().startswith(b"["):
        yield from entries(ahead, large=True)
    elif _is_written_out(head):
        yield from objects(ahead)
    else:
        yield from _lines(ahead)


class Ahead:
    """A file of which one may look at the beginning before it is read."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._head = b""

    def peek(self, size: int) -> bytes:
        """As many of the bytes that come as there are, `size` at most; they are still to be read."""
        while len(self._head) < size and (more := self._stream.read(size - len(self._head))):
            self._head += more
        return self._head[:size]

    def look(self, size: int = MOST_LOOKED_AT) -> Stream:
        """The beginning of what comes, as a file of its own; it is still to be read."""
        return io.BytesIO(self.peek(size))

    def read(self, size: int, /) -> bytes:
        """At most `size` further bytes; none at the end."""
        if self._head:
            found, self._head = self._head[:size], self._head[size:]
            return found
        return self._stream.read(size)


def _is_written_out(head: bytes) -> bool:
    first, _, rest = head.removeprefix(_BOM).lstrip().partition(b"\n")
    second = rest.lstrip()
    return _OPENING.fullmatch(first.rstrip()) is not None and not second.startswith(b"{")


def _lines(stream: Stream) -> Iterator[Entry | Unread]:
    for number, (raw, size) in enumerate(_raw(stream), 1):
        line = raw.removeprefix(_BOM if number == 1 else b"").strip()
        place = f"line {number}"
        if size > MOST_BYTES:
            yield Unread(place, f"has {size} bytes; a line may have at most {MOST_BYTES}")
        elif line:
            yield entry_of(At(place, number, 1), line, large=True)


def _raw(stream: Stream) -> Iterator[tuple[bytes, int]]:
    """The lines and how long they are; of one that is too long nothing is kept."""
    parts, size = list[bytes](), 0
    while chunk := stream.read(CHUNK):
        first, *others = chunk.split(b"\n")
        for part, ended in ((first, False), *((other, True) for other in others)):
            if ended:
                yield b"".join(parts), size
                parts, size = [], 0
            size += len(part)
            if size <= MOST_BYTES:
                parts.append(part)
            else:
                parts.clear()
    if size:
        yield b"".join(parts), size
