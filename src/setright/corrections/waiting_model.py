"""Corrections that wait for their run to finish: the records, and what a list of them is narrowed to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

WaitingState = Literal["waiting", "refused", "withdrawn"]
AwaitedRun = Literal["missing", "running", "elsewhere"]


@dataclass(frozen=True, slots=True)
class WaitingCorrection:
    """A correction that is held until its run finishes; `request` is what was said, in wire form.

    `refusal` says in wire form why it was not recorded when its run finished. Times are microseconds.
    """

    id: str
    tenant_id: str
    project_id: str
    run_id: str
    request: Mapping[str, Any]
    made_by_kind: str
    made_by_id: str
    held_at: int
    state: str
    refusal: Mapping[str, Any] | None = None
    withdrawn_at: int | None = None


@dataclass(frozen=True, slots=True)
class WaitingCorrectionNow:
    """A held correction at this moment; `run_state` is None unless it waits.

    A run that is `elsewhere` has the id and stands in another project: what waits for it waits in vain.
    """

    correction: WaitingCorrection
    age_seconds: int
    run_state: AwaitedRun | None


@dataclass(frozen=True, slots=True)
class WaitingFilters:
    """What a list of held corrections is narrowed to; without a state it has those that wait or were refused."""

    project_id: str | None = None
    run_id: str | None = None
    state: tuple[str, ...] = ()
    made_by: str | None = None


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many corrections of the whole ledger wait for their run, and for how many seconds the oldest has."""

    count: int
    oldest_seconds: float
