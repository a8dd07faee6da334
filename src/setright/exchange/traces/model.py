"""Records of traces: where one stands, what came late, and what was said of it by machines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from setright.exchange.traces.lifecycle import TraceState


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a request: how many parts are kept, how many were rejected, and why the first was."""

    kept: int
    rejected: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace and what became of it; times in microseconds."""

    project_id: str
    trace_id: str
    state: TraceState
    run_id: str | None
    reason: str | None
    span_count: int
    late_count: int
    created_at: int
    last_at: int


@dataclass(frozen=True, slots=True)
class LateSpan:
    """A span that came when its trace had become a run; `attributes` is None once it was erased."""

    span_id: str
    name: str | None
    attributes: dict[str, Any] | None
    created_at: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a machine judged of a span: never a person's verdict."""

    span_id: str
    name: str | None
    label: str | None
    score: Any
    explanation: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class TraceInFull:
    """A trace with what came late and what machines judged, the first hundred of each."""

    trace: Trace
    late: Sequence[LateSpan]
    evaluations: Sequence[Evaluation]


@dataclass(frozen=True, slots=True)
class TraceFilters:
    """What a list of traces is narrowed to."""

    project_id: str | None = None
    state: TraceState | None = None
