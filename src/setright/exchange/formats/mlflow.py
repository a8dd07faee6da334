"""Traces of MLflow with what people said of them, as `Trace.to_json` and its tables hold them."""

from collections.abc import Iterator, Mapping
from typing import Any

from setright.exchange.entries import Entry
from setright.exchange.formats.mlflow_assessments import corrections
from setright.exchange.kinds import is_list, is_object
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.moments import from_nanoseconds
from setright.exchange.opened import opened, unquoted
from setright.exchange.records import records
from setright.exchange.said import UNVERSIONED, name, tags
from setright.exchange.spans import Kind, Span, Tree, content

Fields = dict[str, Any]
_KINDS: dict[str, Kind] = {"AGENT": "agent", "LLM": "model", "CHAT_MODEL": "model", "TOOL": "tool"}
_USER, _SESSION = "mlflow.trace.user", "mlflow.trace.session"
_MODEL = "mlflow.modelId"


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file: an entry is a trace `{info, data: {spans}}` or a row of `search_traces` with its spans.

    What people assessed becomes corrections by their authors; assessments of models and code are not read.
    """
    for entry in records(stream):
        if isinstance(entry, Unread):
            yield entry
        else:
            yield from _run(entry)


def fits(value: Any) -> bool:
    """Whether a value is such a trace."""
    return _parts(value) is not None


def _parts(value: Any) -> tuple[Fields, list[Any]] | None:
    """What a trace says of itself, and its spans."""
    if not is_object(value):
        return None
    fields = value
    info, data = fields.get("info"), opened(fields.get("data"))
    if is_object(info) and is_object(data) and is_list(data.get("spans")):
        return info, data["spans"]
    spans = opened(fields.get("spans"))
    if is_list(spans) and ("trace_id" in fields or "request_id" in fields):
        return fields, spans
    return None


def _run(entry: Entry) -> Iterator[ReadRun | Unread]:
    parts = _parts(entry.value)
    if parts is None:
        yield Unread(entry.place, "is no trace, which would have info and data with spans")
        return
    info, rows = parts
    source = name(info.get("trace_id"), info.get("request_id"))
    spans = [span for place, row in enumerate(rows) if (span := _span(row, place)) is not None]
    if source is None or not spans:
        yield Unread(entry.place, "is a trace without an id or without spans; it is not read")
        return
    tree = Tree(spans)
    said, odd = content(tree, None, None)
    metadata = {**_fields(info.get("request_metadata")), **_fields(info.get("trace_metadata"))}
    marks = _fields(info.get("tags"))
    session = name(metadata.get(_SESSION))
    said |= tags([f"session-{session}"] if session else ())
    person = name(metadata.get(_USER))
    if person is not None:
        said["participantId"] = person
    made, unread = corrections(info.get("assessments"), said)
    agent = name(tree.outermost.agent, marks.get("mlflow.traceName"), tree.outermost.name)
    version = name(metadata.get(_MODEL), marks.get("version")) or UNVERSIONED
    yield ReadRun(source, version, entry.place, entry.size, said, agent, tuple(made))
    yield from (Unread(entry.place, reason) for reason in [*tree.odd, *unread])
    yield from (Unread(f"{entry.place}, span {span}", reason) for span, reason in odd)
    if len(spans) < len(rows):
        yield Unread(entry.place, f"{len(rows) - len(spans)} spans without an id are not read")


def _fields(value: Any) -> Fields:
    """An object, also where it is a list of keys and values or a text."""
    found = opened(value)
    if is_list(found):
        rows = found
        return {str(row.get("key")): row.get("value") for row in rows if is_object(row)}
    return found if is_object(found) else {}


def _span(row: Any, place: int) -> Span | None:
    if not is_object(row):
        return None
    fields = row
    context = _fields(fields.get("context"))
    span_id = name(fields.get("span_id"), context.get("span_id"))
    if span_id is None:
        return None
    attributes = _fields(fields.get("attributes"))
    kind = _KINDS.get(str(unquoted(attributes.get("mlflow.spanType"))).upper(), "other")
    status = fields.get("status")
    code = _fields(status).get("code") if is_object(status) else fields.get("status_code", status)
    began = _nanoseconds(fields, "start_time")
    called = name(fields.get("name")) or kind
    return Span(
        id=span_id,
        parent=name(fields.get("parent_span_id"), fields.get("parent_id")),
        kind=kind,
        name=called,
        order=(began or 0, place),
        started=from_nanoseconds(began),
        ended=from_nanoseconds(_nanoseconds(fields, "end_time")),
        given=unquoted(attributes.get("mlflow.spanInputs")),
        came_out=unquoted(attributes.get("mlflow.spanOutputs")),
        error=_failure(fields, status) if "ERROR" in str(code).upper() else None,
        tool=called if kind == "tool" else None,
        agent=called if kind == "agent" else None,
    )


def _failure(fields: Mapping[str, Any], status: Any) -> Any:
    return _fields(status).get("message") or fields.get("status_message") or "failed"


def _nanoseconds(fields: Mapping[str, Any], which: str) -> int | None:
    found = fields.get(f"{which}_unix_nano", fields.get(which))
    if isinstance(found, str) and found.isdigit() and len(found) < 20:
        return int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
