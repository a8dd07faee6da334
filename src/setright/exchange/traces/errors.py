"""What is refused of traces."""

from setright.kernel.errors import Kind, Refusal


class TraceNotFound(Refusal):
    """There is no such trace in the caller's tenant."""

    kind, code = Kind.MISSING, "trace-not-found"

    def __init__(self, trace_id: str) -> None:
        super().__init__(f"There is no trace {trace_id[:80]}.", {"traceId": trace_id[:80]})
