"""Routes of artifacts: texts, with what their sources say of each word."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One, path_to
from setright.faces.http.wire import artifacts as wire
from setright.kernel.fields import Name, optional
from setright.knowledge import NewArtifact


class ArtifactQuery(PageQuery):
    """What a list of artifacts can be narrowed to."""

    source: Name | None = optional("Only artifacts that came from this source.")


def _one(asked: Asked) -> dict[str, Any]:
    return {"artifact_id": asked.path["artifactId"]}


ROUTES = (
    Route(
        method="POST",
        path="/v1/artifacts",
        name="recordArtifact",
        summary="Record a text, a table or a record, with what a source says of it, its lines and its words.",
        does=OPERATIONS["record-artifact"],
        more="Of an artifact that is there, what was not there is added: lines by their targets, words by their "
        "positions, annotations by what they are of, their field, their value and who says them. Nothing is taken away "
        "or written over; what another source says otherwise stands beside it. The same again adds nothing (200). "
        "Artifacts belong to the account, not to a project.",
        body=NewArtifact,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            wire.recorded,
            status=lambda made: 201 if made.created else 200,
            location=lambda made: path_to("artifacts", made.artifact.id),
            stamp=lambda made: made.artifact.updated_at,
            about=lambda made: (made.artifact.id,),
        ),
        answers=wire.RecordedArtifact,
        example=Example(body=wire.NEW_ARTIFACT, answer=wire.RECORDED),
        refuses=("scholar-not-found", "scholar-not-yours"),
    ),
    Route(
        method="GET",
        path="/v1/artifacts",
        name="listArtifacts",
        summary="List the artifacts of the account, newest first.",
        does=QUERIES["list-artifacts"],
        query=ArtifactQuery,
        arguments=lambda asked: {"source": asked.query.source, **asked.page},
        show=Listed(wire.artifact),
        answers=wire.Artifact,
        example=Example(query="source=setright%2Ffirst&limit=10", answer=wire.ARTIFACT),
    ),
    Route(
        method="GET",
        path="/v1/artifacts/{artifactId}",
        name="getArtifact",
        summary="Read an artifact: its own facts as they stand now, and its sources.",
        does=QUERIES["get-artifact"],
        arguments=_one,
        show=One(wire.artifact, stamp=lambda found: found.updated_at),
        answers=wire.Artifact,
        example=Example(path=wire.EXAMPLE_PATH, answer=wire.ARTIFACT),
        refuses=("artifact-not-found",),
    ),
    Route(
        method="GET",
        path="/v1/artifacts/{artifactId}/lines",
        name="listArtifactLines",
        summary="List the lines of an artifact in their order, with their words.",
        does=QUERIES["list-artifact-lines"],
        query=PageQuery,
        arguments=lambda asked: {**_one(asked), **asked.page},
        show=Listed(wire.line),
        answers=wire.ArtifactLine,
        example=Example(path=wire.EXAMPLE_PATH, query="limit=10", answer=wire.LINE),
        refuses=("artifact-not-found",),
    ),
)
