"""What a reader of a corpus finds, and what is said of its artifacts beside their files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from setright.exchange.model import Report

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """What who imports says of a file: its source where the file names none, its licence, the words to be shown."""

    source: str | None = None
    licence: str | None = None
    attribution: str | None = None

    def facts(self) -> Fields:
        """Licence and attribution, as far as they were given."""
        said = {"licence": self.licence, "attribution": self.attribution}
        return {name: value for name, value in said.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ReadArtifact:
    """An artifact that was found: its place in the file, and what is said of it by the API's names."""

    place: str
    said: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Counted:
    """How many lines, words and annotations something has."""

    lines: int = 0
    tokens: int = 0
    annotations: int = 0


def counted(said: Mapping[str, Any]) -> Counted:
    """What an artifact that can be recorded holds; a title, a genre, a period and a language are annotations, too."""
    lines: list[Fields] = said.get("lines") or []
    of_lines: list[list[Fields]] = [line.get("tokens") or [] for line in lines]
    tokens = [token for tokens in of_lines for token in tokens]
    own = sum(said.get(name) is not None for name in ("title", "genre", "period", "language"))
    return Counted(len(lines), len(tokens), own + sum(map(_said_of, (said, *lines, *tokens))))


def _said_of(target: Mapping[str, Any]) -> int:
    return len(target.get("annotations") or [])


@dataclass(slots=True)
class CorpusReport(Report):
    """What became of the artifacts in the files of an import; lines, words and annotations are those that were added.

    `extended` counts artifacts that were there, and to which something was added.
    """

    new: int = 0
    extended: int = 0
    already_there: int = 0
    lines: int = 0
    tokens: int = 0
    annotations: int = 0

    @property
    def artifacts(self) -> int:
        """How many artifacts were read."""
        return self.new + self.extended + self.already_there

    def took(self, added: Counted, *, created: bool) -> None:
        """Count an artifact that is in the ledger now, and what came of it."""
        grew = bool(added.lines or added.tokens or added.annotations)
        self.new += created
        self.extended += grew and not created
        self.already_there += not grew and not created
        self.lines += added.lines
        self.tokens += added.tokens
        self.annotations += added.annotations
