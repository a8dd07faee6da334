"""How answered questions, what was said of the answers, and kept answers look on the wire."""

from typing import Any, Literal

from setright.faces.http.samples import AT, LATER, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import Wire, present, time, who
from setright.faces.http.wire import knowledge_answers
from setright.kernel.clock import to_wire
from setright.knowledge import Corrected, Feedback, Output
from setright.knowledge import Interaction as InteractionRecord


class InteractionCitation(Shape):
    """The number in an answer's text, and the annotation that it stands for."""

    n: int
    annotation_id: str


class InteractionFeedback(Shape):
    """A correction or a rating of an answer."""

    id: int
    interaction_id: int
    kind: Literal["correction", "rating"]
    claim: str = absent("Of a correction: the claim that is wrong.")
    correction: str = absent("Of a correction: what is right.")
    evidence: str = absent("Of a correction: what supports it.")
    scholar_id: int = absent("Of a correction: the scholar to whom it is attributed.")
    annotation_run_id: int = absent("Of a correction: the annotation run that it is.")
    rating: Literal["up", "down"] = absent("Of a rating: what it was.")
    message: str = absent("Of a correction: what was said back.")
    by: Principal
    at: Time


class Interaction(Shape):
    """One answered question without its answer."""

    id: int
    tool: str
    arguments: dict[str, Any]
    artifact_id: str = absent("Of which artifact the question was; absent for a search.")
    target: str = absent("Of which word of it, or the empty text for the whole.")
    corpus_version: str
    run_id: str = absent("The run in which it was asked.")
    asked_by: Principal
    asked_at: Time
    content_expired_at: Time = absent("When question and answer left by retention.")


class InteractionInFull(Interaction):
    """One answered question with the whole answer, what it cited, and what was said of it, the oldest first."""

    answer: dict[str, Any]
    citations: list[InteractionCitation]
    feedback: list[InteractionFeedback]


class CorrectedAnswer(Shape):
    """What a correction of an answer came to."""

    interaction_id: int
    feedback_id: int
    new_annotation_run_id: int
    message: str


class KeptAnswer(Shape):
    """An answer that is given again until something that it cites is contested, decided on or joined by another reading."""

    id: str
    artifact_id: str
    focus: str = absent("What was asked for; absent for the artifact as a whole.")
    artifact_version: int
    how: Literal["composed", "worded"]
    stale: bool
    generated_at: Time
    superseded_by: str = absent("The answer that took its place.")
    superseded_at: Time = absent("When.")
    content_expired_at: Time = absent("When what it said left by retention.")


class KeptAnswerInFull(KeptAnswer):
    """A kept answer as it was given."""

    answer: dict[str, Any]


def interaction(made: InteractionRecord) -> Wire:
    """An answered question without its answer."""
    about = made.about
    return present(
        {
            "id": made.number,
            "tool": made.tool,
            "arguments": made.arguments,
            "artifactId": None if about is None else about.artifact_id,
            "target": None if about is None else about.target,
            "corpusVersion": made.corpus_version,
            "runId": made.run_id,
            "askedBy": who(made.by.kind, made.by.id),
            "askedAt": to_wire(made.created_at),
            "contentExpiredAt": time(made.content_expired_at),
        }
    )


def in_full(made: InteractionRecord) -> Wire:
    """An answered question with its answer and what was said of it."""
    return {
        **interaction(made),
        "answer": made.answer,
        "citations": [{"n": one.n, "annotationId": one.annotation_id} for one in made.citations],
        "feedback": [feedback(one) for one in made.feedback],
    }


def feedback(made: Feedback) -> Wire:
    """What was said of an answer."""
    return present(
        {
            "id": made.number,
            "interactionId": made.interaction,
            "kind": made.kind,
            "claim": made.claim,
            "correction": made.correction,
            "evidence": made.evidence,
            "scholarId": made.scholar,
            "annotationRunId": made.annotation_run,
            "rating": made.rating,
            "message": made.message,
            "by": who(made.by.kind, made.by.id),
            "at": to_wire(made.created_at),
        }
    )


def corrected(made: Corrected) -> Wire:
    """What a correction came to: these four fields."""
    said = made.feedback
    return {
        "interactionId": said.interaction,
        "feedbackId": said.number,
        "newAnnotationRunId": said.annotation_run,
        "message": said.message,
    }


def kept(made: Output) -> Wire:
    """A kept answer without what it says."""
    return present(
        {
            "id": made.id,
            "artifactId": made.artifact_id,
            "focus": made.focus,
            "artifactVersion": made.version,
            "how": made.how,
            "stale": made.stale,
            "generatedAt": to_wire(made.generated_at),
            "supersededBy": made.superseded_by,
            "supersededAt": time(made.superseded_at),
            "contentExpiredAt": time(made.content_expired_at),
        }
    )


def kept_in_full(made: Output) -> Wire:
    """A kept answer as it was given."""
    return {**kept(made), "answer": made.answer}


INTERACTION: Sample = {
    "id": 3,
    "tool": "interpret_token",
    "arguments": {"artifactId": "brick-1", "tokenId": "o.1.1"},
    "artifactId": "brick-1",
    "target": "o.1.1",
    "corpusVersion": "corpus-1",
    "askedBy": WHO,
    "askedAt": AT,
}
NEW_CORRECTION: Sample = {
    "claim": "The agent read lu\u2082-gal as lugal[king]N",
    "correction": "lugal[owner]N, as the genre suggests",
    "evidence": "Steinkeller 1987, FAOS 9/2, p. 62",
}
CORRECTED: Sample = {
    "interactionId": 3,
    "feedbackId": 1,
    "newAnnotationRunId": 2,
    "message": "Correction recorded. The next request that re-loads any agent output citing the corrected annotation "
    "will regenerate.",
}
_CORRECTION: Sample = {
    "id": 1,
    "interactionId": 3,
    "kind": "correction",
    **NEW_CORRECTION,
    "annotationRunId": 2,
    "message": CORRECTED["message"],
    "by": WHO,
    "at": LATER,
}
RATING: Sample = {
    "id": 2,
    "interactionId": 3,
    "kind": "rating",
    "rating": "down",
    "by": WHO,
    "at": LATER,
}
_ANSWER = {name: value for name, value in knowledge_answers.INTERPRETATION.items() if name != "interactionId"}
IN_FULL: Sample = {
    **INTERACTION,
    "answer": _ANSWER,
    "citations": [{"n": 1, "annotationId": "ann_01KE5MCQ800000000000000040"}],
    "feedback": [_CORRECTION],
}
KEPT: Sample = {
    "id": "out_01KE5MCQ800000000000000060",
    "artifactId": "brick-1",
    "artifactVersion": 1,
    "how": "composed",
    "stale": True,
    "generatedAt": AT,
}
KEPT_IN_FULL: Sample = {
    **KEPT,
    "answer": {name: value for name, value in knowledge_answers.SUMMARY.items() if name != "interactionId"},
}
EXAMPLE_PATH = {"interactionId": "3"}
OUTPUT_PATH = {"outputId": KEPT["id"]}
