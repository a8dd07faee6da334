"""Files that an import reads: looked at before anything is recorded, with a bar while they are read, and what was not."""

import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from setright.exchange import Report, Stream
from setright.faces.cli.bars import counting
from setright.faces.cli.content import STDIN
from setright.faces.cli.failures import Cannot
from setright.faces.cli.out import Out


def usable(files: Sequence[str]) -> None:
    """Look at every file before anything is recorded."""
    for file in files:
        if file != STDIN and Path(file).is_dir():
            raise Cannot(f"{file} is a folder, not a file.", kind="file-not-usable")
        if file != STDIN and not Path(file).exists():
            raise Cannot(f"There is no file {file}.", kind="file-not-found")


@contextmanager
def opened(file: str) -> Generator[Stream]:
    """A file to read, with a bar on stderr where that is a terminal."""
    if file == STDIN:
        with counting("Reading stdin", None, in_bytes=True) as advance:
            yield _Watched(sys.stdin.buffer, advance)
        return
    with Path(file).open("rb") as opened:
        size = os.fstat(opened.fileno()).st_size
        with counting(f"Reading {Path(file).name}", size, in_bytes=True) as advance:
            yield _Watched(opened, advance)


class _Watched:
    """A file whose reading moves a bar."""

    def __init__(self, file: BinaryIO, advance: Callable[[int], None]) -> None:
        self._file = file
        self._advance = advance

    def read(self, size: int, /) -> bytes:
        """At most `size` further bytes."""
        found = self._file.read(size)
        self._advance(len(found))
        return found


def shown(file: str) -> str:
    """How a file is called in what is told."""
    return "stdin" if file == STDIN else file


def unread(report: Report) -> dict[str, Any]:
    """What could not be read, for a document."""
    return {"notRead": report.not_read, "notReadAt": [asdict(one) for one in report.told]}


def tell_unread(out: Out, report: Report) -> None:
    """Say what could not be read, with file, place and reason."""
    if report.not_read:
        out.note(f"{report.not_read} places could not be read:")
    for one in report.told:
        out.note(f"  {one.file}, {one.place}: {one.reason}")
    beyond = report.not_read - len(report.told)
    if beyond:
        out.note(f"  and {beyond} more")
