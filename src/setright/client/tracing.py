"""Records of traces that exporters of OpenTelemetry sent."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class LateSpan(Record):
    """A span that came when its trace was a run already."""

    span_id: str
    name: str | None = None
    attributes: dict[str, Any] | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Evaluation(Record):
    """What a machine judged of a span: never a person's verdict."""

    span_id: str
    name: str | None = None
    label: str | None = None
    score: Any = None
    explanation: str | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Trace(Record):
    """A trace and the run that it became; what came late and was judged is there only when one is read by `get`."""

    trace_id: str
    project_id: str
    state: str
    run_id: str | None = None
    reason: str | None = None
    span_count: int = 0
    late_count: int = 0
    created_at: datetime | None = None
    last_at: datetime | None = None
    late_spans: tuple[LateSpan, ...] | None = None
    evaluations: tuple[Evaluation, ...] | None = None
