"""Corrections that wait for their run, on the wire: as they are told when they are held, and as they are read."""

from typing import Any, Literal

from setright.corrections import AwaitedRun, WaitingCorrectionNow, WaitingState
from setright.corrections import WaitingCorrection as Held
from setright.faces.http import samples
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import Wire, ordered, present, time, who
from setright.kernel.clock import to_wire


class HeldCorrection(Shape):
    """A correction that is not recorded yet: that happens when its run finishes, under this id."""

    id: str
    waiting_for_run: Literal[True]
    run_id: str
    project_id: str
    held_at: Time
    request: dict[str, Any]


class WhyRefused(Shape):
    """Why a held correction was not recorded when its run finished, as the request would have been refused then."""

    code: str
    message: str
    details: dict[str, Any] = absent("As in every error.")
    at: Time


class WaitingCorrection(Shape):
    """A held correction: it waits for its run, was refused when that finished, or was taken back before."""

    id: str
    waiting_for_run: bool
    tenant_id: str
    run_id: str
    project_id: str
    made_by: Principal
    state: WaitingState
    run_state: AwaitedRun = absent(
        "While it waits: missing, running, or elsewhere: a run with this id is in another project, so it waits in vain."
    )
    held_at: Time
    age_seconds: int
    refusal: WhyRefused = absent("Why it was refused.")
    withdrawn_at: Time = absent("When it was taken back.")
    request: dict[str, Any]


def held(made: Held) -> Wire:
    """What is told when a correction is held."""
    return {
        "id": made.id,
        "waitingForRun": True,
        "runId": made.run_id,
        "projectId": made.project_id,
        "heldAt": to_wire(made.held_at),
        "request": made.request,
    }


def waiting(found: WaitingCorrectionNow) -> Wire:
    """A held correction as it is at this moment."""
    made = found.correction
    return present(
        {
            "id": made.id,
            "waitingForRun": made.state == "waiting",
            "tenantId": made.tenant_id,
            "runId": made.run_id,
            "projectId": made.project_id,
            "madeBy": who(made.made_by_kind, made.made_by_id),
            "state": made.state,
            "runState": found.run_state,
            "heldAt": to_wire(made.held_at),
            "ageSeconds": found.age_seconds,
            "refusal": ordered(made.refusal, ("code", "message", "details", "at")),
            "withdrawnAt": time(made.withdrawn_at),
            "request": made.request,
        }
    )


HELD: samples.Sample = {
    "id": "cor_01KE5MCQ800000000000000006",
    "waitingForRun": True,
    "runId": "refund-1044",
    "projectId": samples.PROJECT["id"],
    "heldAt": samples.LATER,
    "request": {**samples.NEW_CORRECTION, "runId": "refund-1044"},
}
WAITING: samples.Sample = {
    "id": HELD["id"],
    "waitingForRun": True,
    "tenantId": samples.TENANT,
    "runId": HELD["runId"],
    "projectId": HELD["projectId"],
    "madeBy": samples.WHO,
    "state": "waiting",
    "runState": "missing",
    "heldAt": samples.LATER,
    "ageSeconds": 90,
    "request": HELD["request"],
}
WITHDRAWN: samples.Sample = {
    **{name: value for name, value in WAITING.items() if name != "runState"},
    "waitingForRun": False,
    "state": "withdrawn",
    "withdrawnAt": "2026-01-05T02:01:30.000000Z",
}
