"""How annotation runs, annotations with their layers and decisions look on the wire."""

from typing import Literal

from setright.faces.http.samples import AT, LATER, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import Wire, present, who
from setright.kernel.clock import to_wire
from setright.knowledge import Annotation as AnnotationRecord
from setright.knowledge import AnnotationRun as RunRecord
from setright.knowledge import Decision as DecisionRecord
from setright.knowledge import Layered, standing


class AnnotationRun(Shape):
    """One act of annotating: an import, a model, a scholar, or a correction of an answer."""

    id: int
    source_type: Literal["human", "model", "hybrid", "import"]
    source_name: str
    method: str
    scholar_id: int = absent("The scholar whose work it is.")
    publication: str = absent("Where it was published.")
    evidence: str = absent("Of a correction: what supports it.")
    artifact_id: str = absent("The artifact that was annotated, where it is one.")
    interaction_id: int = absent("Of a correction: the answer that was corrected.")
    created_by: Principal
    created_at: Time


class Annotation(Shape):
    """Something said of an artifact (an empty target), a line or a word; never changed, never taken away."""

    id: str
    artifact_id: str
    target: str
    field: str
    value: str
    confidence: float = absent("How sure its source is, from 0 to 1.")
    extent: str = absent("The lines of which it speaks, where these are several.")
    annotation_run_id: int
    contests: list[str] = absent("The annotations that it says are wrong.")
    created_at: Time


class AnnotationDecision(Shape):
    """What a scholar decided on a contested reading."""

    id: str
    verdict: Literal["accepted", "rejected"]
    reason: str = absent("Why.")
    scholar_id: int
    scholar: str
    by: Principal
    at: Time


class AnnotationInLayers(Annotation):
    """An annotation with its run and everything that was layered over it, the oldest first."""

    standing: Literal["plain", "contested", "correction", "accepted", "rejected"]
    run: AnnotationRun
    scholar: str = absent("The name of the scholar whose work it is.")
    contested_by: list[Annotation]
    decisions: list[AnnotationDecision]


def run(made: RunRecord) -> Wire:
    """An annotation run as the contract orders it."""
    return present(
        {
            "id": made.number,
            "sourceType": made.source_type,
            "sourceName": made.source_name,
            "method": made.method,
            "scholarId": made.scholar,
            "publication": made.publication,
            "evidence": made.evidence,
            "artifactId": made.artifact_id,
            "interactionId": made.interaction,
            "createdBy": who(made.created_by.kind, made.created_by.id),
            "createdAt": to_wire(made.created_at),
        }
    )


def annotation(made: AnnotationRecord) -> Wire:
    """An annotation without its layers."""
    return present(
        {
            "id": made.id,
            "artifactId": made.artifact_id,
            "target": made.target,
            "field": made.field,
            "value": made.value,
            "confidence": made.confidence,
            "extent": made.extent,
            "annotationRunId": made.run,
            "contests": list(made.contests) or None,
            "createdAt": to_wire(made.created_at),
        }
    )


def in_layers(found: Layered) -> Wire:
    """An annotation with its layers."""
    whole = {
        **annotation(found.annotation),
        "standing": standing(found),
        "run": run(found.run),
        "scholar": None if found.run.scholar is None else found.scholars[found.run.scholar],
        "contestedBy": [annotation(one) for one in found.contested_by],
        "decisions": [_decision(one, found) for one in found.decisions],
    }
    return present(whole)


def _decision(made: DecisionRecord, found: Layered) -> Wire:
    return present(
        {
            "id": made.id,
            "verdict": made.verdict,
            "reason": made.reason,
            "scholarId": made.scholar,
            "scholar": found.scholars[made.scholar],
            "by": who(made.by.kind, made.by.id),
            "at": to_wire(made.created_at),
        }
    )


RUN: Sample = {
    "id": 2,
    "sourceType": "human",
    "sourceName": "user-correction",
    "method": "agent-hypothesis-correction",
    "scholarId": 1,
    "evidence": "Steinkeller 1987, FAOS 9/2, p. 62",
    "artifactId": "brick-1",
    "interactionId": 3,
    "createdBy": WHO,
    "createdAt": LATER,
}
_KING: Sample = {
    "id": "ann_01KE5MCQ800000000000000040",
    "artifactId": "brick-1",
    "target": "o.1.1",
    "field": "sense",
    "value": "king",
    "annotationRunId": 1,
    "createdAt": AT,
}
_OWNER: Sample = {
    **_KING,
    "id": "ann_01KE5MCQ800000000000000041",
    "value": "lugal[owner]N, as the genre suggests",
    "annotationRunId": 2,
    "contests": [_KING["id"]],
    "createdAt": LATER,
}
_IMPORT: Sample = {
    "id": 1,
    "sourceType": "import",
    "sourceName": "ours/bricks",
    "method": "json",
    "artifactId": "brick-1",
    "createdBy": WHO,
    "createdAt": AT,
}
ANNOTATION: Sample = {
    **_KING,
    "standing": "contested",
    "run": _IMPORT,
    "contestedBy": [_OWNER],
    "decisions": [],
}
REJECTED: Sample = {
    **ANNOTATION,
    "standing": "rejected",
    "decisions": [
        {
            "id": "dec_01KE5MCQ800000000000000042",
            "verdict": "rejected",
            "reason": "The genre is administrative.",
            "scholarId": 1,
            "scholar": "Josiah Carberry",
            "by": WHO,
            "at": LATER,
        }
    ],
}
ACCEPTED: Sample = {
    **REJECTED,
    "standing": "accepted",
    "decisions": [{**REJECTED["decisions"][0], "verdict": "accepted"}],
}
EXAMPLE_PATH = {"annotationId": _KING["id"]}
RUN_PATH = {"annotationRunId": "2"}
DECISION: Sample = {"reason": "The genre is administrative.", "scholarId": 1}
