"""Rows that belong together, wherever they stand in a file that may be larger than memory."""

import tempfile
from array import array
from collections.abc import Iterator
from typing import IO, Any, Self, cast

from setright.kernel import json

IN_MEMORY = 8 * 1024 * 1024
MOST_ROWS = 20_000
MOST_BYTES = 64 * 1024 * 1024


def _beside() -> tempfile.SpooledTemporaryFile[bytes]:
    return tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)


class Groups:
    """Rows kept beside on disk until their file has ended; memory holds where they stand, 16 bytes for each."""

    def __init__(self) -> None:
        self._file = cast("IO[bytes]", _beside())
        self._at = 0
        self._rows: dict[str, array[int]] = {}
        self._sizes: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, key: str, place: str, row: Any) -> str | None:
        """Keep a row; why it is not kept, where its group has too many."""
        raw = json.write([place, row])
        known = self._rows.setdefault(key, array("Q"))
        size = self._sizes.get(key, 0) + len(raw)
        if len(known) >= 2 * MOST_ROWS or size > MOST_BYTES:
            return f"belongs to {key!r:.80}, of which {MOST_ROWS} rows with {MOST_BYTES} bytes are read, and no more"
        self._sizes[key] = size
        known.append(self._at)
        known.append(len(raw))
        self._file.write(raw)
        self._at += len(raw)
        return None

    def all(self) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
        """The groups in the order in which they began, each with the places and rows that it has."""
        for key, known in self._rows.items():
            yield key, [self._row(known[at], known[at + 1]) for at in range(0, len(known), 2)]

    def _row(self, begin: int, size: int) -> tuple[str, Any]:
        self._file.seek(begin)
        place, row = json.read_stored(self._file.read(size).decode())
        return place, row
