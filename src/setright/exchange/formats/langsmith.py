"""Exports of LangSmith: runs that are spans, flat with the id of their trace or with their children inside."""

from collections.abc import Iterator, Sequence
from typing import Any

from setright.exchange.entries import Entry
from setright.exchange.grouped import Groups
from setright.exchange.kinds import is_list, is_object, listed
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.records import records
from setright.exchange.said import UNVERSIONED, moment, name, tags
from setright.exchange.spans import Kind, Span, Tree, content

Fields = dict[str, Any]
_KINDS: dict[str, Kind] = {"llm": "model", "tool": "tool"}


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file: each trace is one, and its runs of kind llm and tool say what was called.

    Rows with a trace_id may stand in any order: they are put together when the file has ended.
    """
    with Groups() as groups:
        for entry in records(stream):
            if isinstance(entry, Unread):
                yield entry
                continue
            yield from entry.oddities()
            if not fits(entry.value):
                yield Unread(entry.place, "is no run of a trace, which would have an id and a run_type")
                continue
            rows = list(_rows(entry.value, None))
            if len(rows) > 1 and entry.value.get("parent_run_id") is None:
                yield from _run(rows, entry)
                continue
            for row in rows:
                odd = groups.add(str(row.get("trace_id") or row["id"]), entry.place, row)
                if odd is not None:
                    yield Unread(entry.place, odd)
        for _, group in groups.all():
            yield from _run([row for _, row in group], Entry(None, group[0][0], 0))


def fits(value: Any) -> bool:
    """Whether a value is such a run."""
    return is_object(value) and "run_type" in value and isinstance(value.get("id"), str)


def _rows(run: Fields, parent: str | None) -> Iterator[Fields]:
    """A run and those inside of it, each with the id of the one that it is within."""
    children = run.get("child_runs")
    within = run.get("parent_run_id") or parent
    yield {**{known: value for known, value in run.items() if known != "child_runs"}, "parent_run_id": within}
    for child in children if is_list(children) else ():
        if fits(child):
            yield from _rows(child, run["id"])


def _run(rows: Sequence[Fields], entry: Entry) -> Iterator[ReadRun | Unread]:
    tree = Tree([_span(row, place) for place, row in enumerate(rows)])
    root = next((row for row in rows if row["id"] == tree.outermost.id), rows[0])
    said, odd = content(tree, root.get("inputs"), root.get("outputs"))
    extra = root.get("extra")
    metadata = extra.get("metadata") if is_object(extra) else None
    known = metadata if is_object(metadata) else {}
    session = name(known.get("session_id"), known.get("thread_id"), known.get("conversation_id"))
    said |= tags([*listed(root.get("tags")), *([f"session-{session}"] if session else ())])
    person = name(known.get("user_id"))
    if person is not None:
        said["participantId"] = person
    version = name(known.get("revision_id"), known.get("version")) or UNVERSIONED
    source = str(root.get("trace_id") or root["id"])
    yield ReadRun(source, version, entry.place, entry.size, said, tree.outermost.agent or tree.outermost.name)
    yield from (Unread(entry.place, reason) for reason in tree.odd)
    yield from (Unread(f"{entry.place}, run {span}", reason) for span, reason in odd)


def _span(row: Fields, place: int) -> Span:
    kind = _KINDS.get(str(row.get("run_type")), "other")
    outputs = row.get("outputs")
    called = name(row.get("name")) or kind
    if kind == "tool" and is_object(outputs) and len(outputs) == 1:
        outputs = outputs.get("output", outputs)
    return Span(
        id=row["id"],
        parent=name(row.get("parent_run_id")),
        kind=kind,
        name=called,
        order=(str(row.get("dotted_order") or row.get("start_time") or ""), place),
        started=_moment(row.get("start_time")),
        ended=_moment(row.get("end_time")),
        given=row.get("inputs"),
        came_out=outputs,
        error=row.get("error") or None,
        tool=called if kind == "tool" else None,
    )


def _moment(value: Any) -> str | None:
    """A time; LangSmith leaves the offset out, and means UTC."""
    return moment(value) or (moment(f"{value}Z") if isinstance(value, str) else None)
