"""The lines of a text file of any size, each with its number; a line that begins with white space goes on."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from setright.exchange.model import Stream, Unread

CHUNK = 256 * 1024
MOST_BYTES = 64 * 1024
_CONTROL = re.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f]")
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line without its end, with those that continue it; empty where the file has a blank line."""

    number: int
    text: str

    @property
    def place(self) -> str:
        """Where it begins, for people."""
        return f"line {self.number}"


def lines(stream: Stream) -> Iterator[TextLine | Unread]:
    """The lines of a file in UTF-8, composed (NFC); what cannot be read stops no other line.

    A line that begins with white space continues the one before, if that is not blank. A line may have 64 KiB, and
    with those that continue it as many characters; memory holds no more than that.
    """
    parts: list[str] = []
    size = begun = 0
    for found in _decoded(stream):
        if isinstance(found, Unread):
            yield found
            continue
        text = found.text.rstrip()
        if parts and text and found.text[0] in " \t":
            if size + len(text) > MOST_BYTES:
                yield Unread(
                    found.place, f"the line that this continues has more than {MOST_BYTES} characters"
                )
                continue
            parts.append(text.lstrip())
        else:
            if parts:
                yield TextLine(begun, " ".join(parts))
            if not text:
                yield TextLine(found.number, "")
            parts, begun, size = ([text.lstrip()] if text else []), found.number, 0
        size += len(text)
    if parts:
        yield TextLine(begun, " ".join(parts))


def _decoded(stream: Stream) -> Iterator[TextLine | Unread]:
    for number, raw in enumerate(_raw(stream), 1):
        line = TextLine(number, "")
        if number == 1 and raw.startswith(_UTF_16):
            yield Unread(line.place, "the file is UTF-16; save it as UTF-8")
            return
        if len(raw) > MOST_BYTES:
            yield Unread(line.place, f"has more than {MOST_BYTES} bytes, the most that a line may have")
            continue
        try:
            text = raw.removeprefix(_BOM if number == 1 else b"").decode()
        except UnicodeDecodeError:
            yield Unread(line.place, "is not UTF-8")
            continue
        control = _CONTROL.search(text.strip())
        if control is not None:
            yield Unread(line.place, f"holds U+{ord(control[0]):04X}, which no text may hold")
            continue
        yield TextLine(number, unicodedata.normalize("NFC", text))


def _raw(stream: Stream) -> Iterator[bytes]:
    """The lines without their ends; of one that is too long no more than shows that it is."""
    rest = b""
    while chunk := stream.read(CHUNK):
        *whole, rest = (rest + chunk).splitlines(keepends=True)
        # Behind a carriage return the line feed may follow with the next chunk.
        if rest.endswith(b"\n"):
            whole, rest = [*whole, rest], b""
        for line in whole:
            yield line.rstrip(b"\r\n")
        if len(rest) > MOST_BYTES and not rest.endswith(b"\r"):
            rest = rest[: MOST_BYTES + 1]
    if rest:
        yield rest.rstrip(b"\r\n")
