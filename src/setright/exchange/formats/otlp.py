"""Files of OpenTelemetry's protocol in JSON, as a collector's file exporter writes them: a request in each line."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from setright.exchange.grouped import Groups
from setright.exchange.kinds import is_list, is_object
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.otlp import Log, Received, Rejected, read_logs, read_spans
from setright.exchange.otlp.runs import run_of
from setright.exchange.records import records


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file: each trace with a span of an agent, a model or a tool is one, put together when the file has ended."""
    with Groups() as groups:
        for entry in records(stream):
            if isinstance(entry, Unread):
                yield entry
                continue
            if not fits(entry.value):
                yield Unread(
                    entry.place, "is no request of OTLP, which would have resourceSpans or resourceLogs"
                )
                continue
            for one in [*read_spans(entry.value), *read_logs(entry.value)]:
                if isinstance(one, Rejected):
                    yield Unread(entry.place, one.reason)
                    continue
                kind = "span" if isinstance(one, Received) else "log"
                odd = groups.add(one.trace_id, entry.place, [kind, asdict(one)])
                if odd is not None:
                    yield Unread(entry.place, odd)
        for trace_id, rows in groups.all():
            spans = [Received(**row) for _, (kind, row) in rows if kind == "span"]
            logs = [Log(**row) for _, (kind, row) in rows if kind == "log"]
            found = run_of(spans, logs)
            place = rows[0][0]
            if found is None:
                yield Unread(
                    place, f"the trace {trace_id} has no span of an agent, a model or a tool; it is no run"
                )
                continue
            yield ReadRun(trace_id, found.version, place, 0, found.said, found.agent)
            yield from (Unread(place, reason) for reason in found.odd)


def fits(value: Any) -> bool:
    """Whether a value is a request to export traces or logs."""
    return is_object(value) and (is_list(value.get("resourceSpans")) or is_list(value.get("resourceLogs")))
