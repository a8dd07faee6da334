"""How the demo speaks: numbered parts, sentences, and lines that belong to them."""

import textwrap
from collections.abc import Sequence
from typing import TextIO

WIDTH = 90


class Teller:
    """Writes plain text to a stream as it happens; `parts` counts the headings so far."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.parts = 0

    def part(self, title: str) -> None:
        """Begin the next numbered part."""
        self.parts += 1
        self.lines("", f"{self.parts}. {title}")

    def say(self, text: str) -> None:
        """Say a few sentences, broken between words."""
        indent = "   " if self.parts else ""
        broken = textwrap.wrap(
            text,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        self.lines(*broken)

    def show(self, *lines: str) -> None:
        """Show lines as they are, further in than sentences."""
        self.lines(*(f"     {line}" for line in lines))

    def lines(self, *lines: str) -> None:
        """Write lines as they are; what the terminal cannot show is written as an escape."""
        encoding = getattr(self._stream, "encoding", None) or "utf-8"
        for line in lines:
            print(line.encode(encoding, "backslashreplace").decode(encoding), file=self._stream)
        self._stream.flush()


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines with aligned columns."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
