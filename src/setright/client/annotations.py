"""Annotation runs, annotations with their layers, interactions and kept answers as typed records."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Required, TypedDict

from setright.client.answers import Actor
from setright.client.inputs import PageFilters
from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class AnnotationRun(Record):
    """One act of annotating; `evidence` and `interaction_id` are those of a correction."""

    id: int
    source_type: str
    source_name: str
    method: str
    scholar_id: int | None = None
    publication: str | None = None
    evidence: str | None = None
    artifact_id: str | None = None
    interaction_id: int | None = None
    created_by: Actor | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Annotation(Record):
    """Something said of an artifact (an empty `target`), a line or a word."""

    id: str
    artifact_id: str
    target: str
    field: str
    value: str
    confidence: float | None = None
    extent: str | None = None
    annotation_run_id: int
    contests: tuple[str, ...] | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class AnnotationDecision(Record):
    """What a scholar decided on a contested reading."""

    id: str
    verdict: str
    reason: str | None = None
    scholar_id: int
    scholar: str
    by: Actor
    at: datetime


@dataclass(frozen=True, kw_only=True)
class AnnotationInLayers(Annotation):
    """An annotation with its run and everything that was layered over it, the oldest first."""

    standing: str
    run: AnnotationRun
    scholar: str | None = None
    contested_by: tuple[Annotation, ...]
    decisions: tuple[AnnotationDecision, ...]


@dataclass(frozen=True, kw_only=True)
class InteractionCitation(Record):
    """The number in an answer's text, and the annotation that it stands for."""

    n: int
    annotation_id: str


@dataclass(frozen=True, kw_only=True)
class InteractionFeedback(Record):
    """A correction or a rating of an answer."""

    id: int
    interaction_id: int
    kind: str
    claim: str | None = None
    correction: str | None = None
    evidence: str | None = None
    scholar_id: int | None = None
    annotation_run_id: int | None = None
    rating: str | None = None
    message: str | None = None
    by: Actor
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Interaction(Record):
    """One answered question without its answer."""

    id: int
    tool: str
    arguments: Mapping[str, Any]
    artifact_id: str | None = None
    target: str | None = None
    corpus_version: str
    run_id: str | None = None
    asked_by: Actor
    asked_at: datetime
    content_expired_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class InteractionInFull(Interaction):
    """One answered question with the whole answer, what it cited, and what was said of it."""

    answer: Mapping[str, Any]
    citations: tuple[InteractionCitation, ...]
    feedback: tuple[InteractionFeedback, ...]


@dataclass(frozen=True, kw_only=True)
class SubmittedCorrection(Record):
    """What a correction of an answer came to; `message` says what it did."""

    interaction_id: int
    feedback_id: int
    new_annotation_run_id: int
    message: str


@dataclass(frozen=True, kw_only=True)
class KeptAnswer(Record):
    """An answer that is given again while it is not `stale`."""

    id: str
    artifact_id: str
    focus: str | None = None
    artifact_version: int
    how: str
    stale: bool
    generated_at: datetime
    superseded_by: str | None = None
    superseded_at: datetime | None = None
    content_expired_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class KeptAnswerInFull(KeptAnswer):
    """A kept answer as it was given."""

    answer: Mapping[str, Any]


class AnnotationRunFilters(PageFilters, total=False):
    """Which annotation runs: all of what is given."""

    scholar_id: int | None
    source_name: str | None
    source_type: Literal["human", "model", "hybrid", "import"] | None
    method: str | None
    artifact_id: str | None


class InteractionFilters(PageFilters, total=False):
    """Which answered questions."""

    tool: str | None
    artifact_id: str | None
    mine: bool | None


class KeptAnswerFilters(PageFilters, total=False):
    """Which kept answers; without `stale` also those that others took the place of."""

    stale: bool | None


class AnswerCorrectionFields(TypedDict, total=False):
    """What an answer said that is wrong, and what is right."""

    claim: Required[str]
    correction: Required[str]
    evidence: str | None
    scholar_id: int | None
