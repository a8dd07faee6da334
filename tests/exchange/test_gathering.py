"""Spans come in any order and as often as they like; a trace becomes a run once, when its agent has ended."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from setright import exchange, runs
from setright.app.worker import Worker
from setright.exchange import Taken, TraceFilters, TraceInFull
from setright.exchange.otlp import Log, Received, Rejected
from setright.exchange.otlp.vocabularies import DETAILS, EVALUATION
from setright.exchange.traces import jobs as trace_jobs
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied, Refusal
from setright.kernel.limits import Limits, QuotaExceeded, Use
from tests.support.ledger import Ledger
from tests.support.rooms import Room

TRACE = "0af7651916cd43dd8448eb211c80319c"
SECOND = 1_000_000
AGENT: dict[str, Any] = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "desk",
    "input.value": "Free?",
}


def span(number: int, parent: int | None = None, **attributes: Any) -> Received:
    """A span that began as the number says."""
    within = None if parent is None else f"{parent:016x}"
    return Received(TRACE, f"{number:016x}", within, f"span {number}", number, number + 1, attributes, {})


def tool(number: int, parent: int, result: str = "free") -> Received:
    """A span of a tool."""
    said = {"gen_ai.tool.name": "get_bike", "gen_ai.tool.call.arguments": '{"bike": 7}'}
    return span(
        number, parent, **{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": result}, **said
    )


ROOT, TOOL = span(1, **AGENT), tool(2, 1)


@pytest.fixture
def room(ledger: Ledger) -> Room:
    return Room(ledger, ledger.tenant())


def work_off(ledger: Ledger) -> None:
    """Do every job that is due; a trace that waits asks again, so there is no end."""
    worker = Worker(ledger.store)
    for _ in range(20):
        if not worker.turn():
            break


def take(room: Room, *parts: Received | Log | Rejected, quiet: int = 0) -> Taken:
    taken: Taken = room.do(lambda tx: exchange.take_parts(tx, "default", parts, quiet))
    return taken


def trace(room: Room) -> TraceInFull:
    found: TraceInFull = room.ask(lambda at: exchange.get_trace(at, TRACE, None))
    return found


def run(room: Room) -> runs.RunInFull:
    found = trace(room).trace.run_id
    assert found is not None
    whole: runs.RunInFull = room.ask(lambda at: runs.get_run(at, found, 0, 100))
    return whole


def calls(room: Room) -> Sequence[Any]:
    return [call["tool"] for call in run(room).calls]


@pytest.mark.parametrize("order", [(ROOT, TOOL), (TOOL, ROOT)])
def test_a_trace_becomes_one_run_whatever_the_order_of_its_spans(
    room: Room, order: tuple[Received, ...]
) -> None:
    for part in order:
        take(room, part)
    work_off(room.ledger)
    assert trace(room).trace.state == "finished"
    assert calls(room) == ["get_bike"]
    assert run(room).run.subject.id == "desk"


def test_the_same_batch_twice_is_one(room: Room) -> None:
    for _ in range(2):
        assert take(room, ROOT, TOOL) == Taken(2, 0)
    assert trace(room).trace.span_count == 2
    work_off(room.ledger)
    assert calls(room) == ["get_bike"]
    assert take(room, ROOT, TOOL) == Taken(2, 0)
    assert trace(room).trace.late_count == 0


def test_a_span_that_is_sent_again_takes_the_place_of_the_first(room: Room) -> None:
    take(room, ROOT, TOOL)
    take(room, tool(2, 1, "lent"))
    work_off(room.ledger)
    assert run(room).calls[0]["result"] == "lent"


def test_what_comes_late_is_kept_and_never_changes_the_run(room: Room) -> None:
    take(room, ROOT)
    work_off(room.ledger)
    before = run(room)
    take(room, TOOL)
    work_off(room.ledger)
    found = trace(room)
    assert [one.span_id for one in found.late] == [TOOL.span_id]
    assert (found.trace.late_count, found.trace.state) == (1, "finished")
    assert run(room) == before


def test_nothing_is_made_while_spans_still_come(room: Room) -> None:
    take(room, ROOT, quiet=60 * SECOND)
    work_off(room.ledger)
    assert trace(room).trace.state == "gathering"


def test_a_trace_waits_for_the_span_that_its_spans_are_within(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(room, TOOL)
    work_off(room.ledger)
    assert trace(room).trace.state == "gathering"
    monkeypatch.setattr(trace_jobs, "LONGEST", 0)
    take(room, TOOL)
    work_off(room.ledger)
    assert trace(room).trace.state == "finished"
    assert calls(room) == ["get_bike"]


def test_a_span_whose_parent_is_in_another_process_is_waited_for_no_longer(room: Room) -> None:
    take(room, replace(TOOL, is_entry=True))
    work_off(room.ledger)
    assert trace(room).trace.state == "finished"


def test_a_trace_of_no_agent_is_passed_over_and_leaves_nothing(room: Room) -> None:
    take(room, span(1, None, **{"http.method": "GET"}))
    work_off(room.ledger)
    assert (trace(room).trace.state, trace(room).trace.run_id) == ("passed-over", None)


def test_messages_in_a_log_belong_to_their_span(room: Room) -> None:
    model = span(2, 1, **{"gen_ai.operation.name": "chat"})
    said = {"gen_ai.output.messages": [{"role": "assistant", "tool_calls": [{"name": "ring", "args": {}}]}]}
    take(room, Log(TRACE, model.span_id, DETAILS, said, None, 1))
    take(room, model, ROOT)
    work_off(room.ledger)
    assert calls(room) == ["ring"]


def test_what_a_machine_judged_is_kept_apart_and_is_no_correction(room: Room) -> None:
    judged: dict[str, Any] = {"gen_ai.evaluation.name": "relevance", "gen_ai.evaluation.score.label": "pass"}
    judged["gen_ai.evaluation.score.value"] = 0.5
    take(room, ROOT, Log(TRACE, ROOT.span_id, EVALUATION, judged, None, 1))
    work_off(room.ledger)
    (found,) = trace(room).evaluations
    assert (found.name, found.label, found.score, found.span_id) == ("relevance", "pass", 0.5, ROOT.span_id)


def test_what_is_rejected_is_counted_and_stops_nothing(room: Room) -> None:
    odd = replace(TOOL, attributes={"gen_ai.tool.name": "a\0b"})
    taken = take(room, Rejected("no id"), odd, ROOT)
    assert (taken.kept, taken.rejected, taken.reason) == (1, 2, "no id")
    work_off(room.ledger)
    assert calls(room) == []


def test_a_run_that_cannot_be_recorded_is_told_with_its_reason(room: Room) -> None:
    take(room, span(1, **{**AGENT, "gen_ai.agent.name": "x\x01"}))
    work_off(room.ledger)
    found = trace(room).trace
    assert found.state in ("finished", "refused")
    assert (found.reason is None) == (found.state == "finished")


def test_who_may_not_write_sends_nothing_and_who_may_not_read_sees_nothing(room: Room) -> None:
    reader, outsider = (room.ledger.actor(room.tenant, role) for role in (Role.READ, None))
    with pytest.raises(PermissionDenied):
        room.do(lambda tx: exchange.take_parts(tx, "default", [ROOT], 0), reader)
    take(room, ROOT)
    with pytest.raises(PermissionDenied):
        room.ask(lambda at: exchange.get_trace(at, TRACE, None), outsider)
    assert room.ask(lambda at: exchange.list_traces(at, TraceFilters(), None, 10), outsider).data == []
    assert len(room.ask(lambda at: exchange.list_traces(at, TraceFilters(), None, 10), reader).data) == 1
    other = Room(room.ledger, room.ledger.tenant())
    with pytest.raises(Refusal, match="There is no trace"):
        trace(other)


def test_a_trace_of_more_than_memory_should_hold_is_refused_with_its_reason(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_jobs, "MOST_TEXT", 2_000)
    take(room, ROOT, tool(2, 1, "x" * 2_000))
    work_off(room.ledger)
    found = trace(room).trace
    assert (found.state, found.run_id) == ("refused", None)
    assert "2000 characters" in (found.reason or "")


def test_who_used_up_the_runs_of_a_day_begins_no_trace_and_ends_those_that_are_gathered(room: Room) -> None:
    take(room, ROOT)
    room.do(lambda tx: tx.use(Use(runs=1)))

    def within(part: Received) -> Taken:
        def work(tx: Any) -> Taken:
            tx.limits = Limits(a_day=Use(runs=1))
            return exchange.take_parts(tx, "default", [part], 0)

        taken: Taken = room.do(work)
        return taken

    assert within(TOOL).kept == 1
    with pytest.raises(QuotaExceeded):
        within(replace(ROOT, trace_id="1" * 32))
    work_off(room.ledger)
    assert calls(room) == ["get_bike"]
