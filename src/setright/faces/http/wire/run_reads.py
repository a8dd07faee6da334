"""How logs of reads, and what stands in them, look on the wire."""

from pydantic import Field

from setright.faces.http.samples import AT, PROJECT, USER, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import Wire, present, who
from setright.kernel.clock import to_wire
from setright.runs import ReadLog as ReadLogRecord
from setright.runs import RunRead as RunReadRecord


class ReadLog(Shape):
    """Whether every read of what a project's runs said, by a person, is logged before it is shown."""

    project_id: str
    kept: bool
    set_by: Principal = absent("Who set it last.")
    updated_at: Time = absent("When it was set last; absent where nothing was ever set.")


class RunRead(Shape):
    """That a person was shown what a run said."""

    id: str
    project_id: str
    run_id: str
    via: str = Field(description="The route or the tool by which it was asked for.")
    by: Principal
    at: Time


def read_log(found: ReadLogRecord) -> Wire:
    """Whether a log is kept."""
    by = None
    if found.set_by_kind is not None and found.set_by_id is not None:
        by = who(found.set_by_kind, found.set_by_id)
    return present(
        {
            "projectId": found.project_id,
            "kept": found.kept,
            "setBy": by,
            "updatedAt": to_wire(found.updated_at) if found.updated_at else None,
        }
    )


def run_read(found: RunReadRecord) -> Wire:
    """A logged read."""
    return {
        "id": found.id,
        "projectId": found.project_id,
        "runId": found.run_id,
        "via": found.via,
        "by": who(found.by_kind, found.by_id),
        "at": to_wire(found.at),
    }


LOG: Sample = {"projectId": PROJECT["id"], "kept": True, "setBy": WHO, "updatedAt": AT}
READ: Sample = {
    "id": "rrd_01KE5MCQ80000000000000000C",
    "projectId": PROJECT["id"],
    "runId": "run-7",
    "via": "GET /v1/runs/{runId}",
    "by": {"kind": "user", "id": USER["id"]},
    "at": AT,
}
