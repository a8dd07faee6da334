"""The requests about traces; exporters send them by a protocol of their own."""

from typing import Unpack

from setright.client.inputs import TraceFilters
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.tracing import Trace
from setright.client.values import query, segment


def page(**filters: Unpack[TraceFilters]) -> Request[Page[Trace]]:
    """Read one page of traces, newest first."""
    return Request[Page[Trace]].get("/v1/traces", page_of(Trace), query(**filters))


def get(trace_id: str, *, project_id: str | None = None) -> Request[Trace]:
    """Read what became of a trace, what came late, and what machines judged; the project, where it is in several."""
    return Request[Trace].get(
        f"/v1/traces/{segment('trace_id', trace_id)}", Trace.read, query(project_id=project_id)
    )
