"""How a trace that came in span by span looks on the wire."""

from typing import Any

from setright.exchange import Trace as TraceRecord
from setright.exchange import TraceInFull as TraceInFullRecord
from setright.exchange import TraceState
from setright.faces.http.samples import AT, LATER, Sample
from setright.faces.http.schemas import Shape, Time, absent
from setright.faces.http.shapes import present
from setright.kernel.clock import to_wire


class Trace(Shape):
    """A trace of OpenTelemetry and what became of it."""

    trace_id: str
    project_id: str
    state: TraceState
    run_id: str = absent("The run that it became.")
    reason: str = absent("Why it could not be recorded as a run.")
    span_count: int
    late_count: int
    created_at: Time
    last_at: Time


class LateSpan(Shape):
    """A span that came when the trace was a run already."""

    span_id: str
    name: str = absent("Its name, until it is erased.")
    attributes: dict[str, Any] = absent("Its attributes, until it is erased.")
    created_at: Time


class Evaluation(Shape):
    """What a machine judged of a span: never a person's verdict."""

    span_id: str
    name: str = absent("What was judged.")
    label: str = absent("The judgement in a word.")
    score: Any = absent("The judgement as a number.")
    explanation: str = absent("Why.")
    created_at: Time


class TraceInFull(Trace):
    """A trace with what came late and what machines judged, the first hundred of each."""

    late_spans: list[LateSpan]
    evaluations: list[Evaluation]


def trace(found: TraceRecord) -> dict[str, Any]:
    """A trace as on the wire."""
    return present(
        {
            "traceId": found.trace_id,
            "projectId": found.project_id,
            "state": found.state,
            "runId": found.run_id,
            "reason": found.reason,
            "spanCount": found.span_count,
            "lateCount": found.late_count,
            "createdAt": to_wire(found.created_at),
            "lastAt": to_wire(found.last_at),
        }
    )


def trace_in_full(found: TraceInFullRecord) -> dict[str, Any]:
    """A trace with what came late."""
    late = [
        {
            "spanId": one.span_id,
            "name": one.name,
            "attributes": one.attributes,
            "createdAt": to_wire(one.created_at),
        }
        for one in found.late
    ]
    judged = [
        {
            "spanId": one.span_id,
            "name": one.name,
            "label": one.label,
            "score": one.score,
            "explanation": one.explanation,
            "createdAt": to_wire(one.created_at),
        }
        for one in found.evaluations
    ]
    return {**trace(found.trace), "lateSpans": [*map(present, late)], "evaluations": [*map(present, judged)]}


TRACE: Sample = {
    "traceId": "0af7651916cd43dd8448eb211c80319c",
    "projectId": "default",
    "state": "finished",
    "runId": "bike-desk-0af7651916cd43dd8448eb211c80319c-2f6d1c0b9a8e7d65",
    "spanCount": 5,
    "lateCount": 1,
    "createdAt": AT,
    "lastAt": LATER,
}
TRACE_IN_FULL: Sample = {
    **TRACE,
    "lateSpans": [
        {
            "spanId": "00f067aa0ba902b7",
            "name": "execute_tool get_bike",
            "attributes": {"gen_ai.tool.name": "get_bike"},
            "createdAt": LATER,
        }
    ],
    "evaluations": [
        {"spanId": "b7ad6b7169203331", "name": "relevance", "label": "pass", "score": 0.9, "createdAt": LATER}
    ],
}
