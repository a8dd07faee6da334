"""Annotations and their layers, interactions, feedback and kept answers: the records, and what a caller may send."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from setright.kernel.fields import WORDS, Fault, Input, optional, required
from setright.kernel.json import MAX_INTEGER
from setright.kernel.visible import visible
from setright.knowledge.artifact_model import VALUE, SourceType

CORRECTION_METHOD = "agent-hypothesis-correction"
"""The method of the annotation run that a correction is."""

Verdict = Literal["accepted", "rejected"]
StandingWord = Literal["plain", "contested", "correction", "accepted", "rejected"]
Rating = Literal["up", "down"]
Cause = Literal["correction", "decision", "import", "erasure"]


@dataclass(frozen=True, slots=True)
class Principal:
    """Who did something: a user or a service."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class AnnotationRun:
    """One act of annotating; `evidence` and `interaction` are those of a correction."""

    number: int
    source_type: SourceType
    source_name: str
    method: str
    scholar: int | None
    publication: str | None
    evidence: str | None
    artifact_id: str | None
    interaction: int | None
    created_by: Principal
    created_at: int


@dataclass(frozen=True, slots=True)
class Annotation:
    """What was said of an artifact (an empty target), a line or a word; never changed, never taken away.

    `run` is the number of its annotation run, `contests` the ids of the annotations that it says are wrong.
    """

    id: str
    artifact_id: str
    target: str
    field: str
    value: str
    confidence: float | None
    extent: str | None
    run: int
    contests: Sequence[str]
    created_at: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What a scholar decided on a contested reading."""

    id: str
    annotation_id: str
    artifact_id: str
    verdict: Verdict
    reason: str | None
    scholar: int
    by: Principal
    created_at: int


@dataclass(frozen=True, slots=True)
class Layered:
    """An annotation with its run and everything that was layered over it; the oldest comes first in each list.

    `scholars` has the names of all scholars that its run and decisions speak of, by their numbers.
    """

    annotation: Annotation
    run: AnnotationRun
    contested_by: Sequence[Annotation]
    decisions: Sequence[Decision]
    scholars: Mapping[int, str] = field(default_factory=dict[int, str])

    @property
    def newest_decision(self) -> Decision | None:
        """The decision that counts."""
        return self.decisions[-1] if self.decisions else None


@dataclass(frozen=True, slots=True)
class Citation:
    """The number in an answer's text, and the annotation that it stands for."""

    n: int
    annotation_id: str


@dataclass(frozen=True, slots=True)
class About:
    """Of which artifact, and of which target in it, a question was."""

    artifact_id: str
    target: str


@dataclass(frozen=True, slots=True)
class Interaction:
    """One answered question, with the whole answer as it was given."""

    number: int
    tool: str
    arguments: Any
    answer: Any
    about: About | None
    citations: Sequence[Citation]
    corpus_version: str
    run_id: str | None
    by: Principal
    created_at: int
    feedback: Sequence["Feedback"] = ()
    content_expired_at: int | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """A correction or a rating of an answer; `message` is what was said back."""

    number: int
    interaction: int
    kind: Literal["correction", "rating"]
    claim: str | None
    correction: str | None
    evidence: str | None
    scholar: int | None
    annotation_run: int | None
    rating: Rating | None
    message: str | None
    by: Principal
    created_at: int


@dataclass(frozen=True, slots=True)
class Output:
    """A kept answer: composed at a version of its artifact; `how` is composed or worded.

    It is stale when one of its cited annotations was contested or decided on since then.
    """

    id: str
    artifact_id: str
    focus_key: str
    focus: str | None
    version: int
    answer: Any
    how: str
    generated_at: int
    superseded_by: str | None
    superseded_at: int | None
    stale: bool = False
    content_expired_at: int | None = None


@dataclass(frozen=True, slots=True)
class RunFilters:
    """Which annotation runs: all of what is given."""

    scholar: int | None = None
    source_name: str | None = None
    source_type: str | None = None
    method: str | None = None
    artifact_id: str | None = None


def _said(text: str) -> str:
    if not visible(text).strip():
        raise Fault("", "is blank", "at least one visible character")
    return text


Said = Annotated[str, StringConstraints(min_length=1, max_length=WORDS), AfterValidator(_said)]
ScholarNumber = Annotated[int, Field(ge=1, le=MAX_INTEGER)]


class SubmittedCorrection(Input):
    """What an answer said that is wrong, and what is right."""

    claim: Said = required("The specific claim that is wrong, in its own words.")
    correction: Said = required("What the correct interpretation is.")
    evidence: Annotated[str, StringConstraints(max_length=VALUE)] | None = optional(
        "What supports the correction, such as a publication and a page."
    )
    scholar_id: ScholarNumber | None = optional("The scholar to whom it is attributed.")


class NewRating(Input):
    """What somebody thought of an answer."""

    rating: Rating = required("up or down.")


class NewDecision(Input):
    """A scholar's decision on a contested reading."""

    reason: Said | None = optional("Why.")
    scholar_id: ScholarNumber | None = optional(
        "The scholar who decides; may be left out by who speaks as only one."
    )
