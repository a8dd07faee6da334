"""Finding tokens of ours in files, by prefix and checksum: where one leaked, without ever showing its secret."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from setright.identity import TOKEN_LENGTH, tokens_in

CHUNK = 1024 * 1024
_APART = (".git", ".venv", "node_modules")


@dataclass(frozen=True, slots=True)
class Leak:
    """A token in a file, at a line; `token_id` names it, and is no secret."""

    file: Path
    line: int
    token_id: str


def files_in(paths: Sequence[Path]) -> Iterator[Path]:
    """The files among paths, and those below the folders, in their order; what tools keep for themselves is left out."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for folder, below, names in os.walk(path):
            below[:] = sorted(name for name in below if name not in _APART)
            yield from (Path(folder) / name for name in sorted(names))


def scan(path: Path) -> Iterator[Leak]:
    """Every token in a file of any size, once for each place."""
    with path.open("rb") as file:
        for line, token_id in found_in(file):
            yield Leak(path, line, token_id)


def found_in(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """Piece after piece; what may be the beginning of a token is looked at again with the piece that follows."""
    line, held = 1, b""
    while True:
        piece = file.read(CHUNK)
        text = held + piece
        keep = min(len(text), TOKEN_LENGTH - 1) if piece else 0
        counted = 0
        for place, token_id in tokens_in(text):
            if place < len(text) - keep:
                line += text.count(b"\n", counted, place)
                counted = place
                yield line, token_id
        line += text.count(b"\n", counted, len(text) - keep)
        held = text[len(text) - keep :]
        if not piece:
            return
