"""A block of ours in a text of a user's, between two marks, put there and taken out with every other byte left alone."""

# One line break before the block is ours, whether the text before it ended with one or not.

import re
from collections.abc import Sequence
from typing import Final, NamedTuple


class Marks(NamedTuple):
    """The first and the last line of a block."""

    begin: str
    end: str


MARKDOWN: Final = Marks("<!-- BEGIN corrections (managed) -->", "<!-- END corrections -->")
TOML: Final = Marks("# BEGIN corrections (managed)", "# END corrections")


class Broken(ValueError):
    """A block whose end is missing, or that is there twice."""


class Block(NamedTuple):
    """Where a block stands: its lines, and the text before and after it."""

    before: str
    written: str
    after: str
    newline: str


def find(text: str, marks: Marks) -> Block | None:
    """The block in a text; refuses one that does not end, and a second one."""
    begins = [found.start() for found in re.finditer(rf"(?m)^{re.escape(marks.begin)}(?=\r?$)", text)]
    ends = list(re.finditer(rf"(?m)^{re.escape(marks.end)}(?:\r?\n|(?=\Z))", text))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0]:
        raise Broken(f"the lines {marks.begin!r} and {marks.end!r} must both be there once, in this order")
    start, end = begins[0], ends[0].end()
    after_mark = start + len(marks.begin)
    newline = "\r\n" if text[after_mark : after_mark + 1] == "\r" else "\n"
    return Block(text[:start], text[start:end], text[end:], newline)


def put(text: str | None, marks: Marks, lines: Sequence[str], head: str = "") -> str:
    """The text with the block at its end, or with other lines in the block that is there.

    Without a text it is a new one: `head` and the block.
    """
    if text is None:
        return head + _written(marks, lines, "\n")
    block = find(text, marks)
    if block is not None:
        ends = block.written.endswith("\n")
        written = _written(marks, lines, block.newline)
        return block.before + (written if ends else written.removesuffix(block.newline)) + block.after
    newline = "\r\n" if "\r\n" in text and not re.search(r"(?<!\r)\n", text) else "\n"
    return text + newline + _written(marks, lines, newline)


def take_out(text: str, marks: Marks, head: str = "") -> str | None:
    """The text without the block; None when there was nothing before it was put there."""
    block = find(text, marks)
    if block is None:
        return text
    if not block.after and block.before == head:
        return None
    before = block.before
    return (before.removesuffix(block.newline)) + block.after


def lines_in(text: str, marks: Marks) -> list[str] | None:
    """The lines between the marks, None when there is no block."""
    block = find(text, marks)
    return None if block is None else block.written.splitlines()[1:-1]


def _written(marks: Marks, lines: Sequence[str], newline: str) -> str:
    return "".join(f"{line}{newline}" for line in (marks.begin, *lines, marks.end))
