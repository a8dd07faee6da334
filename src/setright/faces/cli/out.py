"""What a command prints: one JSON document, or tables for people; notes and bars go to stderr."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

_KEPT = {"\n", "\t"}
_WIDE = 10_000
_FEW = 3
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
Cell = object


def plain(value: object) -> str:
    """A value as text that no terminal acts on: control, direction and zero-width characters show as escapes."""
    text = str(value)
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _harmless(char) else f"\\u{ord(char):04x}" for char in text)


def _harmless(char: str) -> bool:
    return char in _KEPT or unicodedata.category(char) not in _UNSEEN


def print_document(value: object) -> None:
    """Print one JSON document on stdout; characters that stdout cannot carry are written as JSON escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    print(text)


def moment(value: datetime | None) -> str:
    """A moment to the second in UTC, as tables show it."""
    return "" if value is None else f"{value:%Y-%m-%d %H:%M:%S}Z"


def compact(value: object, longest: int = 0) -> str:
    """A JSON value in one line, cut to `longest` characters when that is given."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split()) if longest else text
    return text if not longest or len(text) <= longest else f"{text[: longest - 1]}…"


class Out:
    """Where a command speaks: with `as_json` stdout holds one JSON document and nothing else."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def document(self, value: object) -> None:
        """Print the answer as JSON."""
        print_document(value)

    def line(self, text: object) -> None:
        """Print a line for people on stdout; nothing with `--json`."""
        if not self.as_json:
            print(plain(text), flush=True)

    def note(self, text: object) -> None:
        """Say something beside the answer, on stderr."""
        print(plain(text), file=sys.stderr)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """Print a table; one of many columns is never broken to fit, because half an id helps nobody."""
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold")
        for place, column in enumerate(columns):
            table.add_column(column, no_wrap=place == 0, overflow="fold")
        for row in rows:
            table.add_row(*(Text("" if cell is None else plain(cell)) for cell in row))
        fits = sys.stdout.isatty() and len(columns) <= _FEW
        console = Console(width=None if fits else _WIDE, highlight=False, markup=False, emoji=False)
        with console.capture() as captured:
            console.print(table)
        for line in captured.get().splitlines():
            print(line.rstrip())

    def fields(self, pairs: Mapping[str, Cell]) -> None:
        """Print what is known of one thing, a name and a value a line; None is left out."""
        known = {name: plain(value) for name, value in pairs.items() if value is not None}
        width = max((len(name) for name in known), default=0)
        for name, value in known.items():
            first, *more = value.splitlines() or [""]
            print(f"{name:<{width}}  {first}")
            for line in more:
                print(f"{'':<{width}}  {line}")
