"""The requests about annotation runs and annotations with their layers."""

from typing import Any, Unpack

from setright.client.annotations import AnnotationInLayers, AnnotationRun, AnnotationRunFilters
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import query, segment

_RUNS = "/v1/annotation-runs"


def run(annotation_run_id: int) -> Request[AnnotationRun]:
    """Read one act of annotating."""
    path = f"{_RUNS}/{segment('annotation_run_id', str(annotation_run_id))}"
    return Request[AnnotationRun].get(path, AnnotationRun.read)


def runs_page(**filters: Unpack[AnnotationRunFilters]) -> Request[Page[AnnotationRun]]:
    """Read one page of the annotation runs, newest first: imports, models, scholars and corrections."""
    return Request[Page[AnnotationRun]].get(_RUNS, page_of(AnnotationRun), query(**filters))


def get(annotation_id: str) -> Request[AnnotationInLayers]:
    """Read an annotation with its layers: what it contests, what contests it, and what scholars decided."""
    return Request[AnnotationInLayers].get(_annotation(annotation_id), AnnotationInLayers.read)


def accept(
    annotation_id: str, *, reason: str | None = None, scholar_id: int | None = None, key: str | None = None
) -> Request[AnnotationInLayers]:
    """Hold a contested reading for right, as a scholar for whom you may speak."""
    return _decided(annotation_id, "accept", {"reason": reason, "scholarId": scholar_id}, key)


def reject(
    annotation_id: str, *, reason: str | None = None, scholar_id: int | None = None, key: str | None = None
) -> Request[AnnotationInLayers]:
    """Hold a contested reading for wrong; it stays, and is shown last."""
    return _decided(annotation_id, "reject", {"reason": reason, "scholarId": scholar_id}, key)


def _decided(
    annotation_id: str, verb: str, said: dict[str, Any], key: str | None
) -> Request[AnnotationInLayers]:
    body = {name: value for name, value in said.items() if value is not None}
    path = f"{_annotation(annotation_id)}/{verb}"
    return Request[AnnotationInLayers].write("POST", path, AnnotationInLayers.read, body, key=key)


def _annotation(annotation_id: str) -> str:
    return f"/v1/annotations/{segment('annotation_id', annotation_id)}"
