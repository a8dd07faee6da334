"""The requests about runs."""

from collections.abc import Sequence
from typing import Unpack

from setright.client.answers import Run, ToolCall
from setright.client.inputs import AnyFields, CallFields, FinishFields, RunFields, RunFilters
from setright.client.paging import Page, page_of
from setright.client.records import Receipt
from setright.client.request import Request
from setright.client.values import each, ours, query, segment


def create(*, key: str | None = None, **run: Unpack[RunFields]) -> Request[Run]:
    """Record a run, started or finished; the same content under the same id again answers the run that is there."""
    return Request[Run].write("POST", "/v1/runs", Run.read, run_body(run), key=key)


def finish(run_id: str, *, key: str | None = None, **end: Unpack[FinishFields]) -> Request[Run]:
    """Say how a run ended."""
    body = ours(end, {"calls": each(ours)})
    return Request[Run].write("POST", f"{_run(run_id)}/finish", Run.read, body, key=key)


def append_calls(
    run_id: str, position: int, calls: Sequence[CallFields | ToolCall | AnyFields], *, key: str | None = None
) -> Request[Run]:
    """Add tool calls to a running run; `position` is the number of calls that are already there."""
    body = {"position": position, "calls": each(ours)(calls)}
    return Request[Run].write("POST", f"{_run(run_id)}/calls", Run.read, body, key=key)


def get(run_id: str, *, calls_after: int | None = None, calls_limit: int | None = None) -> Request[Run]:
    """Read a run with its content and a page of its calls: at most `calls_limit`, after the first `calls_after`."""
    return Request[Run].get(_run(run_id), Run.read, query(calls_after=calls_after, calls_limit=calls_limit))


def calls(run_id: str, *, calls_after: int = 0, calls_limit: int | None = None) -> Request[Page[ToolCall]]:
    """Read one page of a run's calls, in order."""

    def parse(value: object, _receipt: Receipt) -> Page[ToolCall]:
        run = Run.read(value)
        following = None if run.calls_next is None else str(run.calls_next)
        return Page(run.calls or (), following, following is not None, run.raw)

    paging = query(calls_after=calls_after, calls_limit=calls_limit)
    return Request[Page[ToolCall]].get(_run(run_id), parse, paging, goes_on_by="callsAfter")


def page(**filters: Unpack[RunFilters]) -> Request[Page[Run]]:
    """Read one page of the runs, newest first, without their content."""
    return Request[Page[Run]].get("/v1/runs", page_of(Run), query(**filters))


def run_body(run: object) -> object:
    """A run as on the wire."""
    return ours(run, {"subject": ours, "calls": each(ours)})


def _run(run_id: str) -> str:
    return f"/v1/runs/{segment('run_id', run_id)}"
