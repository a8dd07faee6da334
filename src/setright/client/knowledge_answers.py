"""The answers about knowledge as typed records, and the fields of what is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypedDict

from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class HeldReading(Record):
    """A value that somebody holds; `n` is the number of its citation."""

    n: int
    value: str
    source: str
    standing: str
    scholar_id: int | None = None
    scholar: str | None = None
    evidence: str | None = None
    confidence: float | None = None
    extent: str | None = None
    decided_by: str | None = None
    decided: str | None = None


@dataclass(frozen=True, kw_only=True)
class KnowledgeCitation(HeldReading):
    """An annotation that an answer cites as `[n]`; an empty `target` is the artifact as a whole."""

    annotation_id: str
    artifact_id: str
    target: str
    field: str


@dataclass(frozen=True, kw_only=True)
class KnowledgeSource(Record):
    """From where something in an answer comes."""

    name: str
    licence: str | None = None
    artifact_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class PassageLine(Record):
    """A line as it is written."""

    target: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Match(Record):
    """A value that was found, or that is told first; `n` is the number of its citation."""

    field: str
    value: str
    n: int


@dataclass(frozen=True, kw_only=True)
class SearchHit(Record):
    """An artifact, a line or a word that was found."""

    type: str
    artifact_id: str
    title: str | None = None
    target: str | None = None
    text: str | None = None
    form: str | None = None
    matched: tuple[Match, ...]


@dataclass(frozen=True, kw_only=True)
class FoundInSearch(Record):
    """What was asked, and the hits with the best first."""

    q: str
    types: tuple[str, ...]
    limit: int
    mode: str
    hits: tuple[SearchHit, ...]


@dataclass(frozen=True, kw_only=True)
class ToldOfArtifact(Record):
    """Of which lines a summary tells."""

    artifact_id: str
    focus: str | None = None
    lines: tuple[PassageLine, ...]
    lines_shown: int
    lines_in_all: int


@dataclass(frozen=True, kw_only=True)
class Hypotheses(Record):
    """What is held of a field about which opinions differ, in the order in which it is told."""

    field: str
    readings: tuple[HeldReading, ...]


@dataclass(frozen=True, kw_only=True)
class ToldOfWord(Record):
    """A word, the way from its form to its sense, and where opinions differ."""

    artifact_id: str
    target: str
    form: str
    clean: str
    line: PassageLine
    chain: tuple[Match, ...]
    hypotheses: tuple[Hypotheses, ...]


@dataclass(frozen=True, kw_only=True)
class KnowledgeAnswer(Record):
    """An answer: every sentence of `summary` cites what it says; `interaction_id` is what a correction of it names."""

    interaction_id: int
    summary: str
    citations: tuple[KnowledgeCitation, ...]
    sources: tuple[KnowledgeSource, ...]
    required_attributions: tuple[str, ...]
    follow_ups: tuple[str, ...]
    generated_at: datetime
    worded_by: str | None = None


@dataclass(frozen=True, kw_only=True)
class SearchAnswer(KnowledgeAnswer):
    """What a search found; `degraded` says what the server could not do."""

    data: FoundInSearch
    degraded: str | None = None


@dataclass(frozen=True, kw_only=True)
class SummaryAnswer(KnowledgeAnswer):
    """The summary of an artifact."""

    data: ToldOfArtifact


@dataclass(frozen=True, kw_only=True)
class InterpretationAnswer(KnowledgeAnswer):
    """What a word is taken to be."""

    data: ToldOfWord


class SearchFields(TypedDict, total=False):
    """How to search, beside the words."""

    types: Sequence[str] | None
    limit: int | None
    mode: Literal["hybrid", "lexical", "semantic"] | None
    run_id: str | None
