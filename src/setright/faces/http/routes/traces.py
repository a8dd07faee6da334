"""Routes of traces: what became of those that exporters sent."""

from typing import Any

from setright.app.catalog import QUERIES
from setright.exchange import TraceFilters, TraceState
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One
from setright.faces.http.wire import traces as wire
from setright.kernel.fields import Id, Input, optional


class TraceQuery(PageQuery):
    """Which traces."""

    project_id: Id | None = optional("Only traces of this project.")
    state: TraceState | None = optional("Only traces in this state.")


class OneTraceQuery(Input):
    """In which project a trace is."""

    project_id: Id | None = optional("The project, where a trace is in several.")


def _listed(asked: Asked) -> dict[str, Any]:
    query: TraceQuery = asked.query
    return {"filters": TraceFilters(query.project_id, query.state), **asked.page}


ROUTES = (
    Route(
        method="GET",
        path="/v1/traces",
        name="listTraces",
        summary="List the traces that exporters of OpenTelemetry sent, newest first.",
        does=QUERIES["list-traces"],
        query=TraceQuery,
        arguments=_listed,
        show=Listed(wire.trace),
        answers=wire.Trace,
        example=Example(query="state=gathering", answer=wire.TRACE),
        refuses=("project-not-found", "permission-denied"),
        more="Traces are sent to POST /v1/traces and log records to POST /v1/logs by the protocol of OpenTelemetry "
        "(OTLP over HTTP, in JSON or protobuf), not by the forms of this document.",
    ),
    Route(
        method="GET",
        path="/v1/traces/{traceId}",
        name="getTrace",
        summary="Read what became of a trace, which spans came late, and what machines judged of it.",
        does=QUERIES["get-trace"],
        query=OneTraceQuery,
        arguments=lambda asked: {"trace_id": asked.path["traceId"], "project_id": asked.query.project_id},
        show=One(wire.trace_in_full),
        answers=wire.TraceInFull,
        example=Example(path={"traceId": wire.TRACE["traceId"]}, answer=wire.TRACE_IN_FULL),
        refuses=("trace-not-found", "project-not-found", "permission-denied"),
    ),
)
