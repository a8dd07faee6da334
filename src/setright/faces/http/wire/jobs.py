"""How a job looks on the wire."""

from typing import Any

from setright.faces.http.samples import AT, LATER, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import present, time, who
from setright.jobs import Job as JobRecord
from setright.jobs import StateWord
from setright.kernel.clock import to_wire


class JobFailure(Shape):
    """Why the last attempt failed."""

    code: str
    message: str


class Job(Shape):
    """Work that goes on in batches after the request that asked for it."""

    id: str
    name: str
    key: str
    state: StateWord
    arguments: dict[str, Any]
    attempt: int
    done: int
    due_at: Time
    failure: JobFailure = absent("Why the last attempt failed; it may have succeeded since.")
    asked_by: Principal
    created_at: Time
    updated_at: Time
    finished_at: Time = absent("When it was done or cancelled.")


def job(found: JobRecord) -> dict[str, Any]:
    """A job as on the wire."""
    return present(
        {
            "id": found.id,
            "name": found.name,
            "key": found.key,
            "state": found.state,
            "arguments": found.arguments,
            "attempt": found.attempt,
            "done": found.done_count,
            "dueAt": to_wire(found.due_at),
            "failure": found.failure,
            "askedBy": who(found.asked_by_kind, found.asked_by_id),
            "createdAt": to_wire(found.created_at),
            "updatedAt": to_wire(found.updated_at),
            "finishedAt": time(found.finished_at),
        }
    )


JOB: Sample = {
    "id": "job_01KE5MCQ800000000000000009",
    "name": "move-corrections",
    "key": "support",
    "state": "done",
    "arguments": {},
    "attempt": 1,
    "done": 3,
    "dueAt": AT,
    "askedBy": WHO,
    "createdAt": AT,
    "updatedAt": LATER,
    "finishedAt": LATER,
}
