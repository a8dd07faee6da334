"""A thing's whole life as one pure table of moves."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """One allowed move: `verb` leads from `start` (None: it did not exist) to `end`, announced as `event`."""

    verb: str
    start: str | None
    end: str
    who: str
    event: str
    clears: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The statuses of a thing and every move between them; what is not in the table is refused."""

    thing: str
    statuses: tuple[str, ...]
    moves: tuple[Move, ...]
    final: tuple[str, ...] = ()

    def find(self, verb: str, start: str | None) -> Move | None:
        """The first move of `verb` from `start`, or None when it is refused."""
        return next((move for move in self.moves if move.verb == verb and move.start == start), None)

    def open_from(self, start: str | None) -> Sequence[Move]:
        """The moves that are open to a thing in status `start`."""
        return [move for move in self.moves if move.start == start]
