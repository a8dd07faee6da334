"""The requests about artifacts."""

from collections.abc import Mapping
from typing import Any, Unpack

from setright.client.inputs import PageFilters
from setright.client.knowledge import (
    Artifact,
    ArtifactFields,
    ArtifactFilters,
    ArtifactLine,
    RecordedArtifact,
)
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import ours, query, segment

_FIELDS = {"run": ours}


def record(*, key: str | None = None, **artifact: Unpack[ArtifactFields]) -> Request[RecordedArtifact]:
    """Record a text with what a source says of it; of one that is there, what was not there is added."""
    return _record(ours(artifact, _FIELDS), key)


def record_document(document: Mapping[str, Any], *, key: str | None = None) -> Request[RecordedArtifact]:
    """Record an artifact in the JSON form of the API, as a file holds it, with the names of its fields as they are."""
    return _record(dict(document), key)


def _record(body: object, key: str | None) -> Request[RecordedArtifact]:
    return Request[RecordedArtifact].write("POST", "/v1/artifacts", RecordedArtifact.read, body, key=key)


def get(artifact_id: str) -> Request[Artifact]:
    """Read an artifact: its own facts as they stand now, and its sources."""
    return Request[Artifact].get(_artifact(artifact_id), Artifact.read)


def page(**filters: Unpack[ArtifactFilters]) -> Request[Page[Artifact]]:
    """Read one page of the artifacts, newest first."""
    return Request[Page[Artifact]].get("/v1/artifacts", page_of(Artifact), query(**filters))


def lines_page(artifact_id: str, **place: Unpack[PageFilters]) -> Request[Page[ArtifactLine]]:
    """Read one page of the lines of an artifact, in their order, with their words."""
    path = f"{_artifact(artifact_id)}/lines"
    return Request[Page[ArtifactLine]].get(path, page_of(ArtifactLine), query(**place))


def _artifact(artifact_id: str) -> str:
    return f"/v1/artifacts/{segment('artifact_id', artifact_id)}"
