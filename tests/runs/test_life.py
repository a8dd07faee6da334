"""The life of a run: it is continued while it runs, ends once, and never changes afterwards."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from setright import runs
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import InvalidBody, PermissionDenied, Refusal
from setright.kernel.fields import validate
from setright.runs import (
    RUN_LIFE,
    CallExists,
    CallPositionGap,
    Finish,
    NewCalls,
    Run,
    RunFinished,
    RunNotFound,
    RunTooLarge,
)
from setright.storage import Tx
from tests.runs.support import append, call, finish, happened, read, record
from tests.support.ledger import Ledger

Deed = Callable[[Ledger, Actor, str], Any]
DEEDS: dict[str, Deed] = {
    "start": lambda ledger, actor, run_id: record(ledger, actor, id=run_id, input="other"),
    "complete": lambda ledger, actor, run_id: finish(ledger, actor, run_id, output="new"),
    "fail": lambda ledger, actor, run_id: finish(ledger, actor, run_id, status="failed"),
    "append-calls": lambda ledger, actor, run_id: append(ledger, actor, run_id, 0, call("new")),
}


@pytest.mark.parametrize("status", RUN_LIFE.statuses)
@pytest.mark.parametrize("verb", sorted(DEEDS))
def test_every_verb_from_every_status_does_what_the_table_says(
    ledger: Ledger, status: str, verb: str
) -> None:
    admin = ledger.tenant().admin
    given_output = {"output": 1} if status != "running" else {}
    record(ledger, admin, id="r", status=status, **given_output)
    before = read(ledger, admin, "r")
    move = RUN_LIFE.find(verb, status)
    if move is None:
        with pytest.raises(Refusal) as refused:
            DEEDS[verb](ledger, admin, "r")
        assert refused.value.code == ("run-exists" if verb == "start" else "run-finished")
        assert read(ledger, admin, "r") == before
        return
    DEEDS[verb](ledger, admin, "r")
    assert read(ledger, admin, "r").run.status == move.end
    assert happened(ledger, admin, "r")[-1] == move.event


def test_the_table_has_every_verb_and_ends_in_its_final_statuses() -> None:
    assert {move.verb for move in RUN_LIFE.moves} == set(DEEDS)
    assert [status for status in RUN_LIFE.statuses if not RUN_LIFE.open_from(status)] == list(RUN_LIFE.final)


def test_a_finish_adds_what_came_since_the_start(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r", messages=[{"role": "user", "content": "hi"}], calls=[call("a")])
    ended = finish(ledger, admin, "r", output="done", messages=[{"role": "x"}], calls=[{"tool": "b"}])
    found = read(ledger, admin, "r")
    assert found.run == ended
    assert (ended.status, ended.call_count) == ("completed", 2)
    assert ended.finished_at is not None
    assert found.calls == [call("a"), call("b")]
    assert found.content == runs.RunContent(
        None, [{"role": "user", "content": "hi"}, {"role": "x"}], "done", True, "done"
    )
    assert happened(ledger, admin, "r") == ["run.started", "run.finished"]


def test_a_run_may_fail_with_or_without_output_and_complete_with_null(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    for run_id, end, status, has_output in [
        ("a", {"output": None}, "completed", True),
        ("b", {"status": "failed"}, "failed", False),
        ("c", {"status": "failed", "output": "half"}, "failed", True),
    ]:
        record(ledger, admin, id=run_id)
        assert finish(ledger, admin, run_id, **end).status == status
        content = read(ledger, admin, run_id).content
        assert content is not None
        assert content.has_output == has_output
    with pytest.raises(InvalidBody, match="/output"):
        validate(Finish, {"answer": "x"})


def test_the_same_end_again_changes_nothing_and_another_is_refused(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r")
    ended = finish(ledger, admin, "r", output="x", calls=[call("t") | {"args": {"n": 1}}])
    again = finish(
        ledger,
        admin,
        "r",
        output="x",
        answer="x",
        status="completed",
        calls=[call("t") | {"args": {"n": 1.0}}],
    )
    assert again == ended
    others: list[dict[str, Any]] = [
        {"output": "y"},
        {"output": "x"},
        {"output": "x", "status": "failed", "calls": [call("t") | {"args": {"n": 1}}]},
        {"output": "x", "answer": "y", "calls": [call("t") | {"args": {"n": 1}}]},
        {"output": "x", "calls": [call("t") | {"args": {"n": 1}}], "messages": []},
    ]
    for other in others:
        with pytest.raises(RunFinished) as refused:
            finish(ledger, admin, "r", **other)
        assert refused.value.details == {"runId": "r", "status": "completed"}
    assert happened(ledger, admin, "r") == ["run.started", "run.finished"]


def test_calls_are_appended_in_order_and_a_repeat_is_passed_over(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r", calls=[call("a")])
    grown = append(ledger, admin, "r", 1, call("b"), call("a", result=1))
    assert grown.call_count == 3
    assert append(ledger, admin, "r", 1, call("b"), call("a", result=1.0)) == grown
    assert append(ledger, admin, "r", 2, call("a", result=1), call("c")).call_count == 4
    with pytest.raises(CallPositionGap) as gap:
        append(ledger, admin, "r", 5, call("d"))
    assert gap.value.details == {"position": 5, "expected": 4}
    with pytest.raises(CallExists) as exists:
        append(ledger, admin, "r", 1, call("b"), call("a", result=True))
    assert exists.value.details == {"position": 2}
    ended = finish(ledger, admin, "r", output=None)
    assert append(ledger, admin, "r", 3, call("c")) == ended
    for position, tool in [(3, "d"), (4, "d"), (9, "d")]:
        with pytest.raises(RunFinished):
            append(ledger, admin, "r", position, call(tool))
    assert [one["tool"] for one in read(ledger, admin, "r").calls] == ["a", "b", "a", "c"]
    told = ["run.started", "run.calls-appended", "run.calls-appended", "run.finished"]
    assert happened(ledger, admin, "r") == told


@given(st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_positions_are_tried_the_calls_are_a_prefix_of_what_was_meant(
    ledger: Ledger, data: st.DataObject
) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r")
    there: list[str] = []
    for _ in range(data.draw(st.integers(1, 6))):
        position = data.draw(st.integers(0, len(there) + 2))
        tools = data.draw(st.lists(st.sampled_from("ab"), min_size=1, max_size=3))
        overlap = there[position : position + len(tools)]
        allowed = position <= len(there) and overlap == tools[: len(overlap)]
        if allowed:
            append(ledger, admin, "r", position, *map(call, tools))
            there += tools[len(overlap) :]
        else:
            with pytest.raises((CallPositionGap, CallExists)):
                append(ledger, admin, "r", position, *map(call, tools))
    assert [one["tool"] for one in read(ledger, admin, "r").calls] == there


def test_at_one_position_one_of_many_writers_wins(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    record(ledger, tenant.admin, id="r")

    def write(tx: Tx, tool: str) -> Run:
        tx.actor = tenant.admin
        new = validate(NewCalls, {"position": 0, "calls": [call(tool)]})
        return runs.append_calls(tx, "r", new.position, new.calls)

    waiting: list[Future[Run]] = [
        ledger.store.write(lambda tx, tool=tool: write(tx, tool)) for tool in "abcdefgh"
    ]
    faults = [future.exception(30) for future in waiting]
    assert sum(fault is None for fault in faults) == 1
    assert all(isinstance(fault, CallExists) for fault in faults if fault is not None)
    assert read(ledger, tenant.admin, "r").run.call_count == 1


def test_changing_a_run_needs_write_on_its_project(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    record(ledger, tenant.admin, id="r")
    for deed in ("complete", "fail", "append-calls"):
        with pytest.raises(PermissionDenied):
            DEEDS[deed](ledger, ledger.actor(tenant, Role.READ), "r")
        with pytest.raises(PermissionDenied):
            DEEDS[deed](ledger, ledger.actor(tenant), "r")
        with pytest.raises(RunNotFound):
            DEEDS[deed](ledger, ledger.tenant().admin, "r")
    assert finish(ledger, ledger.actor(tenant, Role.WRITE), "r", output=1).status == "completed"


def test_a_run_that_grows_stays_under_its_limit(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = ledger.tenant().admin
    size = record(ledger, admin, id="r", input="x" * 100, calls=[call("t")]).run.byte_count
    assert size == 102 + len('{"tool":"t","args":{}}')
    monkeypatch.setattr("setright.runs.store.MOST_RUN_BYTES", size + 30)
    assert append(ledger, admin, "r", 1, call("t")).byte_count == size + 22
    for grow in (
        lambda: append(ledger, admin, "r", 2, call("t")),
        lambda: finish(ledger, admin, "r", output="x" * 9),
        lambda: finish(ledger, admin, "r", output=1, messages=[{"role": "x"}]),
    ):
        with pytest.raises(RunTooLarge) as refused:
            grow()
        assert refused.value.details == {"maxBytes": size + 30}
    assert read(ledger, admin, "r").run.status == "running"
    assert finish(ledger, admin, "r", output="ü" * 3).byte_count == size + 30
