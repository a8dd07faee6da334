"""What a reader of a corpus finds, and what is said of its artifacts beside their files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
