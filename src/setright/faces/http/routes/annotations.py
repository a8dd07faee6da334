"""Routes of annotation runs and of annotations with their layers, on which scholars decide."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import PageQuery, number_in
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One
from setright.faces.http.wire import annotations as wire
from setright.kernel.fields import Id, Name, optional
from setright.knowledge import NewDecision, RunFilters, ScholarNumber, SourceType


class AnnotationRunQuery(PageQuery):
    """What a list of annotation runs can be narrowed to."""

    scholar_id: ScholarNumber | None = optional("Only the work of this scholar.")
    source_name: Name | None = optional("Only runs of this source; user-correction for corrections.")
    source_type: SourceType | None = optional("Only runs of such a source.")
    method: Name | None = optional("Only runs made by this method.")
    artifact_id: Id | None = optional("Only runs that said something of this artifact.")


def _listed(asked: Asked) -> dict[str, Any]:
    query: AnnotationRunQuery = asked.query
    filters = RunFilters(
        query.scholar_id, query.source_name, query.source_type, query.method, query.artifact_id
    )
    return {"filters": filters, **asked.page}


ROUTES = (
    Route(
        method="GET",
        path="/v1/annotation-runs",
        name="listAnnotationRuns",
        summary="List who annotated, newest first: imports, models, scholars, and corrections of answers.",
        does=QUERIES["list-annotation-runs"],
        query=AnnotationRunQuery,
        arguments=_listed,
        show=Listed(wire.run),
        answers=wire.AnnotationRun,
        example=Example(query="sourceName=user-correction&limit=10", answer=wire.RUN),
    ),
    Route(
        method="GET",
        path="/v1/annotation-runs/{annotationRunId}",
        name="getAnnotationRun",
        summary="Read one act of annotating.",
        does=QUERIES["get-annotation-run"],
        arguments=lambda asked: {"number": number_in(asked.path, "annotationRunId")},
        show=One(wire.run),
        answers=wire.AnnotationRun,
        example=Example(path=wire.RUN_PATH, answer=wire.RUN),
        refuses=("annotation-run-not-found",),
        numbers=("annotationRunId",),
    ),
    Route(
        method="GET",
        path="/v1/annotations/{annotationId}",
        name="getAnnotation",
        summary="Read an annotation with its layers: what it contests, what contests it, and what scholars decided.",
        does=QUERIES["get-annotation"],
        arguments=lambda asked: {"annotation_id": asked.path["annotationId"]},
        show=One(wire.in_layers),
        answers=wire.AnnotationInLayers,
        example=Example(path=wire.EXAMPLE_PATH, answer=wire.ANNOTATION),
        refuses=("annotation-not-found",),
    ),
    *(
        Route(
            method="POST",
            path=f"/v1/annotations/{{annotationId}}/{verb}",
            name=f"{verb}Annotation",
            summary=summary,
            does=OPERATIONS[f"{verb}-annotation"],
            more="Only a person who may speak as a scholar decides, and only on a reading that is contested, or that "
            "contests another. The decision is kept as a layer, the newest counts, and every answer that cites the "
            "reading is composed anew. The same again changes nothing.",
            body=NewDecision,
            optional_body=True,
            arguments=lambda asked: {"annotation_id": asked.path["annotationId"], "new": asked.body},
            show=One(wire.in_layers, about=lambda found: (found.annotation.id,)),
            answers=wire.AnnotationInLayers,
            example=Example(path=wire.EXAMPLE_PATH, body=wire.DECISION, answer=answer),
            refuses=(
                "annotation-not-found",
                "annotation-move-refused",
                "person-needed",
                "scholar-needed",
                "scholar-not-found",
                "scholar-not-yours",
            ),
        )
        for verb, summary, answer in (
            ("accept", "Hold a contested reading for right.", wire.ACCEPTED),
            ("reject", "Hold a contested reading for wrong; it stays, and is shown last.", wire.REJECTED),
        )
    ),
)
