"""The entries of a JSON array in a file of any size, one at a time, each with its place."""

import json as plain_json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from setright.exchange.model import Stream, Unread
from setright.kernel import json
from setright.kernel.errors import Refusal

CHUNK = 256 * 1024
MOST_BYTES = 64 * 1024 * 1024
_SAFE_DIGITS = 15
_SURE_DIGITS = 17
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"[\0", b"\0[")
_SPACE = re.compile(rb"[ \t\r\n]*")
_IN_TEXT = re.compile(rb'["\\]')
_NESTED = re.compile(rb'["{}\[\]]')
_OUTERMOST = re.compile(rb'["{}\[\], \t\r\n]')


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its value, its place for people, and how many bytes it has in the file."""

    value: Any
    place: str
    size: int
    large: tuple[str, ...] = ()
    """Where it has whole numbers beyond 2^53-1, by JSON Pointer; `value` holds their digits as text."""

    def oddities(self) -> Iterator[Unread]:
        """What is told of numbers that are kept as text."""
        for pointer in self.large:
            yield Unread(f"{self.place}, {pointer}", f"{json.BEYOND}; it is kept as a text")


def entries(stream: Stream, *, large: bool = False) -> Iterator[Entry | Unread]:
    """The entries of the array that a file holds; one that is no JSON, or not ours to keep, stops no other.

    Each is cut out by its brackets and then read by itself and strictly (`kernel.json`), so that nothing is changed
    or dropped in silence. An entry may have 64 MiB; memory holds one at a time. With `large`, whole numbers beyond
    2^53-1 are kept as texts, and `Entry.large` says where.
    """
    text = _Text(stream)
    fault = text.begin()
    if fault is not None:
        yield Unread(text.place, fault)
        return
    number = 0
    while not text.comes(b"]"):
        if text.at_end:
            yield Unread(text.place, "the file ends before its array does")
            return
        yield _entry(number, text, large=large)
        number += 1
        if text.comes(b","):
            text.step()
            if text.comes(b"]"):
                yield Unread(text.place, "the array ends after a comma, with no entry behind it")
        elif not text.comes(b"]") and not text.at_end:
            yield Unread(text.place, "a comma is missing here, between two entries")
    text.step()
    if not text.at_end:
        yield Unread(text.place, "something stands here, after the end of the array; it is not read")


def objects(stream: Stream) -> Iterator[Entry | Unread]:
    """The values that stand in a file one behind the other, each written over as many lines as it likes."""
    text = _Text(stream)
    text.find_first()
    while not text.at_end:
        yield _entry(None, text, large=True)


def _entry(number: int | None, text: "_Text", *, large: bool) -> Entry | Unread:
    line, column = text.line, text.column
    cut = text.value()
    place = f"line {line}" if number is None else f"entry {number} at line {line}, column {column}"
    if cut.raw is None:
        return Unread(place, f"has {cut.size} bytes; an entry may have at most {MOST_BYTES}")
    fault = None if cut.whole else "the file ends in the middle of this entry"
    return entry_of(At(place, line, column), cut.raw, fault, large=large)


@dataclass(frozen=True, slots=True)
class At:
    """Where a value begins: for people, and by line and column (in bytes)."""

    place: str
    line: int
    column: int


def entry_of(at: At, raw: bytes, fault: str | None = None, *, large: bool) -> Entry | Unread:
    """The value that some bytes of a file are, or why they are none; `fault` is what is known to be wrong with them."""
    try:
        return Entry(json.read(raw), at.place, len(raw))
    except Refusal as refusal:
        if large and fault is None and (pointers := _large(refusal)):
            return Entry(_with_texts(raw), at.place, len(raw), pointers)
        broken = _broken(at.line, at.column, raw)
        if broken is None:
            return Unread(at.place, fault or refusal.message.removeprefix("the body: "))
        return Unread(at.place, f"{fault or 'is not valid JSON'}: {broken}")


def _large(refusal: Refusal) -> tuple[str, ...]:
    """The pointers of numbers that are too large, if that is all that a text is refused for."""
    faults = refusal.details.get("faults", ())
    if any(fault["fault"] != json.BEYOND for fault in faults):
        return ()
    return tuple(fault["pointer"] for fault in faults)


def _with_texts(raw: bytes) -> Any:
    def whole(digits: str) -> int | str:
        safe = len(digits) <= _SAFE_DIGITS or (
            len(digits) <= _SURE_DIGITS and abs(int(digits)) <= json.MAX_INTEGER
        )
        return int(digits) if safe else digits

    return plain_json.loads(raw, parse_int=whole)


def _broken(line: int, column: int, raw: bytes) -> str | None:
    """Why an entry that begins at a place of the file is no JSON, and where; None when something in it is refused."""
    try:
        plain_json.loads(raw.decode(), parse_int=str, parse_float=str)
    except plain_json.JSONDecodeError as error:
        before = error.doc[: error.pos].encode()
        lines = before.count(b"\n")
        column = len(before) - before.rfind(b"\n") if lines else column + len(before)
        return f"{error.msg.removesuffix(' at')} at line {line + lines}, column {column}"
    except (UnicodeDecodeError, RecursionError):
        return None
    return None


@dataclass(frozen=True, slots=True)
class _Cut:
    """The bytes of one value, None when there are too many; not `whole` when the file ended within it."""

    raw: bytes | None
    size: int
    whole: bool = True


class _Text:
    """A file read in chunks, from one byte that is no space to the next; `line` and `column` (in bytes) say where."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._chunk = b""
        self._at = 0
        self.line = 1
        self.column = 1

    @property
    def at_end(self) -> bool:
        """Whether nothing comes."""
        return self._at >= len(self._chunk)

    @property
    def place(self) -> str:
        """Where the next byte is, for people."""
        return f"line {self.line}, column {self.column}"

    def find_first(self) -> None:
        """Go to the first byte that is neither space nor a mark of UTF-8."""
        while len(self._chunk) < len(_BOM) and (more := self._stream.read(CHUNK)):
            self._chunk += more
        self._at = len(_BOM) if self._chunk.startswith(_BOM) else 0
        self._pass_space()

    def begin(self) -> str | None:
        """Go into the array; why there is none, if there is none."""
        self.find_first()
        if self._chunk.startswith(_UTF_16):
            return "the file is UTF-16; save it as UTF-8"
        if self.at_end:
            return "the file is empty; it should hold a JSON array"
        if not self.comes(b"["):
            return "the file holds no JSON array, which would begin with ["
        self.step()
        return None

    def comes(self, sign: bytes) -> bool:
        """Whether this byte comes next."""
        return self._chunk.startswith(sign, self._at)

    def step(self) -> None:
        """Pass over one byte and the spaces behind it."""
        self._pass(self._at + 1)
        self._pass_space()

    def value(self) -> _Cut:
        """The value that comes next, up to where its brackets and quotes say that it ends."""
        ends, parts, size, end = _Ends(), list[bytes](), 0, None
        while end is None and (not self.at_end or self._more()):
            end = ends.find(self._chunk, self._at, first=not size)
            part = self._pass(len(self._chunk) if end is None else end)
            size += len(part)
            if size <= MOST_BYTES:
                parts.append(part)
            else:
                parts.clear()
        self._pass_space()
        raw = b"".join(parts) if size <= MOST_BYTES else None
        return _Cut(raw, size, whole=end is not None)

    def _more(self) -> bool:
        """Read the next chunk; the one before must have been passed over."""
        self._chunk, self._at = self._stream.read(CHUNK), 0
        return bool(self._chunk)

    def _pass(self, end: int) -> bytes:
        passed = self._chunk[self._at : end]
        self._at = end
        lines = passed.count(b"\n")
        self.line += lines
        self.column = len(passed) - passed.rfind(b"\n") if lines else self.column + len(passed)
        return passed

    def _pass_space(self) -> None:
        while not self.at_end or self._more():
            space = _SPACE.match(self._chunk, self._at)
            self._pass(space.end() if space else self._at)
            if not self.at_end:
                return


class _Ends:
    """Finds where a value ends, chunk by chunk; whether it is JSON is not asked here."""

    def __init__(self) -> None:
        self._depth = 0
        self._quoted = False
        self._escaped = False

    def find(self, chunk: bytes, at: int, *, first: bool) -> int | None:
        """The place after the value's last byte, None when it goes on behind the chunk.

        `first` says that the value begins at `at`: it has at least one byte, whatever that is.
        """
        least = at + first
        if self._escaped:
            self._escaped, at = False, at + 1
        while True:
            pattern = _IN_TEXT if self._quoted else _NESTED if self._depth else _OUTERMOST
            found = pattern.search(chunk, at)
            if found is None:
                return None
            sign, at = found[0], found.end()
            if sign == b"\\":
                self._escaped = at == len(chunk)
                at += 1
            elif not self._quoted and not self._depth and sign not in b'"{[':
                return max(found.start(), least)
            elif self._ended_by(sign):
                return at

    def _ended_by(self, sign: bytes) -> bool:
        """Whether a quote or a bracket ends the value."""
        if sign == b'"':
            self._quoted = not self._quoted
        else:
            self._depth += 1 if sign in b"{[" else -1
        return not self._quoted and not self._depth
