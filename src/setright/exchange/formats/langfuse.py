"""Exports of Langfuse: a trace with its observations, or observations alone."""

from collections.abc import Iterator, Sequence
from typing import Any

from setright.exchange.attributes import agent_of, call_of, kind_of, named, tool_of
from setright.exchange.grouped import Groups
from setright.exchange.kinds import is_list, is_object, listed
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.opened import opened, unquoted
from setright.exchange.records import records
from setright.exchange.said import UNVERSIONED, moment, name, tags
from setright.exchange.spans import Kind, Span, Tree, content

Fields = dict[str, Any]
_KINDS: dict[str, Kind] = {"GENERATION": "model", "TOOL": "tool", "AGENT": "agent"}


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file: each trace is one, with the calls that its generations made and its tools answered.

    An entry is `{trace, observations}`, as the console exports it; a trace with `observations`, as the API gives it; or
    an observation alone, as an export of a project holds them: those are put together when the file has ended.
    """
    with Groups() as groups:
        for entry in records(stream):
            if isinstance(entry, Unread):
                yield entry
                continue
            yield from entry.oddities()
            parts = _parts(entry.value)
            if parts is not None:
                yield from _run(*parts, entry.place, entry.size)
            elif is_object(entry.value) and isinstance(entry.value.get("traceId"), str):
                odd = groups.add(entry.value["traceId"], entry.place, entry.value)
                if odd is not None:
                    yield Unread(entry.place, odd)
            else:
                yield Unread(entry.place, "is no trace with observations, and no observation with a traceId")
        for trace_id, rows in groups.all():
            yield from _run({"id": trace_id}, [row for _, row in rows], rows[0][0], 0)


def fits(value: Any) -> bool:
    """Whether a value is such an entry."""
    if _parts(value) is not None:
        return True
    return is_object(value) and "traceId" in value and "parentObservationId" in value


def _parts(value: Any) -> tuple[Fields, list[Any]] | None:
    if not is_object(value):
        return None
    fields = value
    trace = fields.get("trace", fields)
    observations = fields.get("observations")
    if is_object(trace) and is_list(observations) and isinstance(trace.get("id"), str):
        return trace, observations
    return None


def _run(trace: Fields, observations: Sequence[Any], place: str, size: int) -> Iterator[ReadRun | Unread]:
    spans = [span for one in observations if (span := _span(one)) is not None]
    unread = len(observations) - len(spans)
    if unread:
        yield Unread(place, f"{unread} observations without an id or a start are not read")
    if not spans:
        yield Unread(place, "is a trace without an observation; the run is not read")
        return
    tree = Tree(spans)
    said, odd = content(tree, unquoted(trace.get("input")), unquoted(trace.get("output")))
    marks = [f"session-{trace['sessionId']}"] if trace.get("sessionId") else []
    said |= tags([*listed(trace.get("tags")), *marks])
    person = name(trace.get("userId"))
    if person is not None:
        said["participantId"] = person
    version = name(trace.get("version"), trace.get("release")) or UNVERSIONED
    agent = name(tree.outermost.agent, trace.get("name"), tree.outermost.name)
    yield ReadRun(trace["id"], version, place, size, said, agent)
    yield from (Unread(place, reason) for reason in tree.odd)
    yield from (Unread(f"{place}, observation {span}", reason) for span, reason in odd)
    for what in ("scores", "corrections"):
        if count := len(listed(trace.get(what))):
            yield Unread(place, f"{count} {what} of the trace are not read: who gave them is not said there")


def _span(one: Any) -> Span | None:
    if not is_object(one) or not isinstance(one.get("id"), str) or not isinstance(one.get("startTime"), str):
        return None
    fields = one
    said = opened(fields.get("metadata"))
    inner = said.get("attributes") if is_object(said) else None
    attributes = inner if is_object(inner) else said if is_object(said) else {}
    kind = _KINDS.get(str(fields.get("type")).upper()) or kind_of(attributes) or "other"
    called = name(fields.get("name")) or kind
    return Span(
        id=fields["id"],
        parent=name(fields.get("parentObservationId")),
        kind=kind,
        name=called,
        order=(fields["startTime"],),
        started=moment(fields["startTime"]),
        ended=moment(fields.get("endTime")),
        given=fields.get("input"),
        came_out=fields.get("output"),
        error=(fields.get("statusMessage") or "failed") if fields.get("level") == "ERROR" else None,
        call_id=call_of(attributes),
        tool=(tool_of(attributes) or (named(called) if fields.get("type") == "TOOL" else None)),
        agent=agent_of(attributes) or (named(called) if fields.get("type") == "AGENT" else None),
    )
