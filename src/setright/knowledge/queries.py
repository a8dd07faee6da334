"""What can be read of artifacts, annotation runs, annotations with their layers, interactions and kept answers."""

from collections.abc import Sequence
from dataclasses import replace

from setright import identity
from setright.kernel.ids import with_prefix
from setright.kernel.json import MAX_INTEGER
from setright.kernel.paging import DEFAULT_LIMIT, Page, Place, page_of
from setright.knowledge import annotation_store, interaction_store, output_store, store
from setright.knowledge.artifact_model import Artifact, Line
from setright.knowledge.errors import (
    AnnotationNotFound,
    AnnotationRunNotFound,
    ArtifactNotFound,
    InteractionNotFound,
    OutputNotFound,
)
from setright.knowledge.lifecycle import in_order, standing
from setright.knowledge.model import AnnotationRun, Interaction, Layered, Output, RunFilters
from setright.storage import Row, Snapshot

MOST_LINES_READ = 200
"""How many lines of an artifact are read at once."""


def get_artifact(at: Snapshot, artifact_id: str) -> Artifact:
    """An artifact of the tenant with its own facts as they stand."""
    row = store.find(at, artifact_id)
    if row is None:
        raise ArtifactNotFound(artifact_id)
    return _artifacts(at, [row])[0]


def list_artifacts(
    at: Snapshot, source: str | None = None, after: Place | None = None, limit: int = DEFAULT_LIMIT
) -> Page[Artifact]:
    """The tenant's artifacts, newest first, of one source if asked."""
    rows = store.page(at, source, after, limit)
    shown = {one.id: one for one in _artifacts(at, rows[:limit])}
    return page_of(rows, limit, store.place_of, lambda row: shown[row["id"]])


def read_lines(
    at: Snapshot, artifact_id: str, first: int = 0, count: int = MOST_LINES_READ
) -> tuple[Sequence[Line], int | None]:
    """Lines of an artifact with their words, from one on, and the line after them if there is one."""
    found = store.some_lines(at, artifact_id, first, count + 1)
    return found[:count], found[count].line if len(found) > count else None


def list_annotation_runs(
    at: Snapshot, filters: RunFilters, after: Place | None = None, limit: int = DEFAULT_LIMIT
) -> Page[AnnotationRun]:
    """The tenant's annotation runs, newest first: imports, models, scholars and corrections alike."""
    rows = annotation_store.page_of_runs(at, filters, after, limit)
    return page_of(rows, limit, annotation_store.place_of_run, annotation_store.run_in)


def get_annotation_run(at: Snapshot, number: int) -> AnnotationRun:
    """An annotation run of the tenant."""
    found = annotation_store.find_run(at, number) if 0 < number <= MAX_INTEGER else None
    if found is None:
        raise AnnotationRunNotFound(number)
    return found


def get_annotation(at: Snapshot, annotation_id: str) -> Layered:
    """An annotation of the tenant with its layers."""
    stored = with_prefix("ann", annotation_id)
    found = layers_by_ids(at, [stored]).get(stored)
    if found is None:
        raise AnnotationNotFound(annotation_id)
    return found


def layers_of(at: Snapshot, artifact_id: str, targets: Sequence[str] | None = None) -> list[Layered]:
    """The annotations of an artifact, or of some of its targets, with their layers; the oldest first."""
    return with_scholars(at, annotation_store.of_artifact(at, artifact_id, targets))


def layers_by_ids(at: Snapshot, annotation_ids: Sequence[str]) -> dict[str, Layered]:
    """Annotations of the tenant with their layers, by id; what is not there is left out."""
    found = with_scholars(at, list(annotation_store.by_ids(at, annotation_ids).values()))
    return {one.annotation.id: one for one in found}


def with_scholars(at: Snapshot, layers: Sequence[Layered]) -> list[Layered]:
    """Layers with the names of their scholars."""
    numbers = {one.run.scholar for one in layers} | {made.scholar for one in layers for made in one.decisions}
    names = identity.scholar_names(at, [number for number in numbers if number is not None])
    return [replace(one, scholars=names) for one in layers] if names else list(layers)


def get_interaction(at: Snapshot, number: int) -> Interaction:
    """An answered question of the tenant, with what was said of the answer."""
    found = interaction_store.find(at, number) if 0 < number <= MAX_INTEGER else None
    if found is None:
        raise InteractionNotFound(number)
    return found


def list_interactions(
    at: Snapshot,
    tool: str | None = None,
    artifact_id: str | None = None,
    after: Place | None = None,
    limit: int = DEFAULT_LIMIT,
    *,
    mine: bool = False,
) -> Page[Interaction]:
    """The tenant's answered questions without their answers, newest first; only the caller's own if asked."""
    given = {"tool": tool, "artifact_id": artifact_id}
    if mine:
        given |= {"my_kind": at.actor.kind, "my_id": at.actor.id}
    known = {name: value for name, value in given.items() if value is not None}
    rows = interaction_store.page(at, known, after, limit)
    return page_of(rows, limit, interaction_store.place_of, interaction_store.interaction_in)


def get_output(at: Snapshot, output_id: str) -> Output:
    """A kept answer of the tenant."""
    found = output_store.find(at, with_prefix("out", output_id))
    if found is None:
        raise OutputNotFound(output_id)
    return found


def list_outputs(
    at: Snapshot, stale: bool | None = None, after: Place | None = None, limit: int = DEFAULT_LIMIT
) -> Page[Output]:
    """The tenant's kept answers, newest first: current ones that are stale or are not, or all with their history."""
    rows = output_store.page(at, stale, after, limit)
    return page_of(rows, limit, output_store.place_of, output_store.output_in)


def _artifacts(at: Snapshot, rows: Sequence[Row]) -> list[Artifact]:
    ids = [row["id"] for row in rows]
    sources, own = store.sources_of(at, ids), annotation_store.own_of(at, ids)
    return [store.record(row, _standing(own[row["id"]]), sources[row["id"]]) for row in rows]


def _standing(layers: Sequence[Layered]) -> dict[str, str]:
    """What counts of an artifact's own facts: the first that was not rejected, in the order in which layers are shown."""
    found: dict[str, str] = {}
    for one in in_order(layers):
        if standing(one) != "rejected":
            found.setdefault(one.annotation.field, one.annotation.value)
    return found
