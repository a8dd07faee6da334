"""The answers about artifacts as typed records, and the fields of what is said of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Required, TypedDict

from setright.client.answers import Actor
from setright.client.inputs import AnyFields, PageFilters
from setright.client.records import Record

SourceType = Literal["human", "model", "hybrid", "import"]
SaidField = Literal[
    "reading", "lemma", "sense", "pos", "translation", "note", "title", "genre", "period", "language"
]


@dataclass(frozen=True, kw_only=True)
class ArtifactSource(Record):
    """From where a text came, and on which terms it may be shown."""

    source: str
    licence: str | None = None
    attribution: str | None = None


@dataclass(frozen=True, kw_only=True)
class Artifact(Record):
    """A text, a table or a record: its own facts as they stand now, and its sources, the oldest first."""

    id: str
    version: int
    title: str | None = None
    genre: str | None = None
    period: str | None = None
    language: str | None = None
    sources: tuple[ArtifactSource, ...]
    created_by: Actor
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class AddedToArtifact(Record):
    """How much an import added."""

    lines: int
    tokens: int
    annotations: int


@dataclass(frozen=True, kw_only=True)
class RecordedArtifact(Record):
    """An artifact as it is now, and what was added to it; without `annotation_run_id` nothing was."""

    artifact: Artifact
    annotation_run_id: int | None = None
    added: AddedToArtifact


@dataclass(frozen=True, kw_only=True)
class ArtifactToken(Record):
    """A word of a line; its id is surface, line and position, as in o.1.2."""

    id: str
    position: int
    form: str
    clean: str
    source: str


@dataclass(frozen=True, kw_only=True)
class ArtifactLine(Record):
    """A line in its place, from 0; what is no line of text has no label, no target and no words."""

    line: int
    target: str | None = None
    surface: str
    label: str | None = None
    kind: str
    text: str
    source: str
    tokens: tuple[ArtifactToken, ...]


class SayingFields(TypedDict, total=False):
    """Something said of an artifact, a line or a word; `extent` names the lines when it speaks of several."""

    field: Required[SaidField]
    value: Required[str]
    confidence: float | None
    extent: str | None


class ArtifactTokenFields(TypedDict, total=False):
    """A word of a line: as it is written, without editorial marks, and what is said of it."""

    form: Required[str]
    clean: str | None
    annotations: Sequence[SayingFields | AnyFields] | None


class ArtifactLineFields(TypedDict, total=False):
    """A line in its place; only a line of text has a label, words and annotations."""

    surface: str
    label: str | None
    text: Required[str]
    kind: Literal["text", "ruling", "state", "comment"]
    tokens: Sequence[ArtifactTokenFields | AnyFields] | None
    annotations: Sequence[SayingFields | AnyFields] | None


class ArtifactRunFields(TypedDict, total=False):
    """Who or what annotated; left out, the import itself."""

    source_type: SourceType
    source_name: str | None
    method: str
    scholar_id: int | None
    publication: str | None


class ArtifactFields(TypedDict, total=False):
    """A text, a table or a record, with what a source says of it, its lines and its words."""

    id: Required[str]
    source: Required[str]
    title: Required[str]
    genre: str | None
    period: str | None
    language: str | None
    licence: str | None
    attribution: str | None
    lines: Sequence[ArtifactLineFields | AnyFields] | None
    annotations: Sequence[SayingFields | AnyFields] | None
    run: ArtifactRunFields | AnyFields | None


class ArtifactFilters(PageFilters, total=False):
    """Which artifacts: those that came from a source."""

    source: str | None
