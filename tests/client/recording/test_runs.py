"""What code says of a run while it goes on is what the server has afterwards."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import pytest

from setright.client import AsyncSetright, Recorder, Run, Setright
from tests.client.real_server import RealServer, on_each_engine

real_server = on_each_engine


@pytest.fixture
def recorder(recording: Callable[..., Recorder], real_server: RealServer) -> Recorder:
    return recording(real_server.url, real_server.token)


def arrived(recorder: Recorder, client: Setright, run_id: str) -> Run:
    assert recorder.flush(20) == 0
    return client.runs.get(run_id)


def told(run: Run) -> list[tuple[Any, ...]]:
    return [(call.tool, call.args, call.error or call.result) for call in run.calls or ()]


def test_a_run_arrives_with_its_input_calls_and_answer(recorder: Recorder, real_client: Setright) -> None:
    with recorder.run(input={"order": 7}, participant_id="u-1", tags=["nightly"]) as run:
        run.message("user", "Refund order 7.")
        run.call("look_up", {"order_id": 7}, {"total": 30})
        run.call("refund", '{"order_id": 7}', error=TimeoutError("no answer"), agent="cashier")
        run.answer("It could not be refunded.")
    found = arrived(recorder, real_client, run.id)
    assert (found.status, found.input, found.output) == (
        "completed",
        {"order": 7},
        "It could not be refunded.",
    )
    assert (found.subject.id, found.subject.version, found.project_id) == ("refunds", "v1", "default")
    assert (found.answer, found.participant_id, found.tags) == (found.output, "u-1", ("nightly",))
    assert found.messages == ({"role": "user", "content": "Refund order 7."},)
    assert told(found) == [
        ("look_up", {"order_id": 7}, {"total": 30}),
        ("refund", {"order_id": 7}, {"type": "TimeoutError", "message": "no answer"}),
    ]
    assert [call.agent for call in found.calls or ()] == [None, "cashier"]
    assert run.changes == ()


@pytest.mark.parametrize("output", [None, 0, [], {"a_b": None}])
def test_an_output_is_any_value(recorder: Recorder, real_client: Setright, output: Any) -> None:
    with recorder.run() as run:
        run.output(output)
    found = arrived(recorder, real_client, run.id)
    assert (found.output, found.has_output, found.status) == (output, True, "completed")


def test_an_exception_makes_the_run_failed_and_goes_on(recorder: Recorder, real_client: Setright) -> None:
    def agent() -> None:
        with run:
            run.answer("soon")
            raise ValueError("no order")

    run = recorder.run()
    with pytest.raises(ValueError, match="no order"):
        agent()
    found = arrived(recorder, real_client, run.id)
    error = {"type": "ValueError", "message": "no order"}
    assert (found.status, found.output, found.answer) == ("failed", {"error": error}, "soon")


def test_a_run_can_fail_without_an_exception(recorder: Recorder, real_client: Setright) -> None:
    with recorder.run() as run:
        run.fail("the user went away")
    found = arrived(recorder, real_client, run.id)
    assert (found.status, found.output) == ("failed", {"error": "the user went away"})


def test_a_tool_records_its_arguments_its_result_or_error_and_its_times(
    recorder: Recorder, real_client: Setright
) -> None:
    @recorder.tool
    def look_up(order_id: int, *rest: int, deep: bool = False, **more: int) -> dict[str, int]:
        return {"total": order_id + sum(rest)}

    @recorder.tool(name="pay", without=["card"], agent="cashier")
    def charge(card: str, amount: int) -> None:
        raise ConnectionError("down")

    assert look_up(1) == {"total": 1}
    with recorder.run() as run:
        assert look_up(7, 1, 2, deep=True, x=1) == {"total": 10}
        with pytest.raises(ConnectionError, match="down"):
            charge("4111", amount=3)
    found = arrived(recorder, real_client, run.id)
    assert told(found) == [
        ("look_up", {"order_id": 7, "rest": [1, 2], "deep": True, "x": 1}, {"total": 10}),
        ("pay", {"card": "(not recorded)", "amount": 3}, {"type": "ConnectionError", "message": "down"}),
    ]
    for call in found.calls or ():
        assert call.started_at is not None
        assert call.ended_at is not None
        assert call.started_at <= call.ended_at


def test_tools_within_tools_stand_in_the_order_in_which_they_began(
    recorder: Recorder, real_client: Setright
) -> None:
    @recorder.tool
    def inner(x: int) -> int:
        return x + 1

    @recorder.tool
    def outer(x: int) -> int:
        return inner(x) * 2

    class Desk:
        @recorder.tool
        def ask(self, x: int) -> int:
            return outer(x)

    with recorder.run() as run:
        assert Desk().ask(1) == 4
    assert told(arrived(recorder, real_client, run.id)) == [
        ("ask", {"x": 1}, 4),
        ("outer", {"x": 1}, 4),
        ("inner", {"x": 1}, 2),
    ]


def test_runs_of_tasks_at_once_do_not_mix(recorder: Recorder, real_client: Setright) -> None:
    @recorder.tool
    async def step(n: int, k: int) -> int:
        await asyncio.sleep(0.001 * (k % 3))
        return n

    async def one(n: int) -> str:
        async with recorder.run() as run:
            await asyncio.gather(*(step(n, k) for k in range(5)))
        return run.id

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(one(n) for n in range(10)))

    for n, run_id in enumerate(asyncio.run(all_of_them())):
        assert told(arrived(recorder, real_client, run_id)) == [
            ("step", {"n": n, "k": k}, n) for k in range(5)
        ]


def test_runs_of_threads_at_once_do_not_mix_and_a_run_can_be_taken_along(
    recorder: Recorder, real_client: Setright
) -> None:
    barrier = threading.Barrier(4)

    @recorder.tool
    def step(n: int) -> int:
        return n

    def one(n: int) -> str:
        with recorder.run() as run:
            barrier.wait(20)
            step(n)
            with ThreadPoolExecutor(1) as pool:
                pool.submit(copy_context().run, step, n).result()
                pool.submit(run.tool(len), "abc").result()
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(step, n).result() == n, "a new thread without the context is of no run"
        return run.id

    with ThreadPoolExecutor(4) as pool:
        ids = list(pool.map(one, range(4)))
    for n, run_id in enumerate(ids):
        assert told(arrived(recorder, real_client, run_id)) == [
            ("step", {"n": n}, n),
            ("step", {"n": n}, n),
            ("len", {"obj": "abc"}, 3),
        ]


def test_arguments_are_kept_as_they_were_when_the_call_began(
    recorder: Recorder, real_client: Setright
) -> None:
    @recorder.tool
    def empty(orders: list[int]) -> list[int]:
        orders.clear()
        return orders

    with recorder.run() as run:
        result = empty([1, 2])
        result.append(9)
    assert told(arrived(recorder, real_client, run.id)) == [("empty", {"orders": [1, 2]}, [])]


def test_a_call_that_has_not_ended_is_no_success_and_its_end_is_told_in_the_log(
    recorder: Recorder, real_client: Setright, caplog: pytest.LogCaptureFixture
) -> None:
    with recorder.run() as run:
        begun = run.start_call("slow", {"x": 1})
    begun.end("too late")
    assert told(arrived(recorder, real_client, run.id)) == [
        ("slow", {"x": 1}, "had not ended when the run ended")
    ]
    assert "was over when call 0 ended" in caplog.text


def test_what_is_too_large_is_left_out_and_told(
    recorder: Recorder, real_client: Setright, caplog: pytest.LogCaptureFixture
) -> None:
    with recorder.run(input="i" * 5_000_000) as run:
        run.call("read", {"path": "a"}, "x" * 5_000_000)
        run.call("read", {"path": "b"}, "y" * 3_000_000)
        run.call("read", {"path": "c"}, "z" * 3_000_000)
        run.message("user", "m" * 3_000_000)
        run.message("user", "n" * 3_000_000)
        run.answer("done")
    found = arrived(recorder, real_client, run.id)
    assert found.calls is not None
    first, *others = found.calls
    assert first.result["leftOut"] == "5000002 bytes of JSON"
    assert first.result["beginning"].startswith('"xxx')
    assert [len(call.result) for call in others] == [3_000_000, 3_000_000]
    assert found.input["leftOut"] == "5000002 bytes of JSON"
    assert found.messages is not None
    assert found.messages[1]["role"] == "recorder"
    assert found.tags == ("recorder: not all as it was",)
    assert [change.partition(":")[0] for change in run.changes] == [
        "/input",
        "/calls/0/result",
        "/messages/1",
    ]
    assert "is not recorded as it was: /input" in caplog.text


def test_a_run_has_at_most_64_mib(recorder: Recorder, real_client: Setright) -> None:
    with recorder.run() as run:
        for place in range(20):
            run.call("read", {"place": place}, "x" * 3_000_000)
        run.call("read", {"place": 20}, error="y" * 3_000_000)
    found = arrived(recorder, real_client, run.id)
    calls = list(real_client.runs.calls(found.id, calls_limit=5))
    assert (len(calls), len(calls[0].result)) == (21, 3_000_000)
    assert [one["leftOut"] for one in (calls[-2].result, calls[-1].error)] == ["3000002 bytes of JSON"] * 2
    assert found.tags == ("recorder: not all as it was",)


def test_a_client_records_too(real_server: RealServer, real_client: Setright) -> None:
    with Setright(real_server.url, real_server.token) as client, client.run(agent="a", version="v1") as run:
        run.answer("done")
    assert real_client.runs.get(run.id).answer == "done"


def test_an_asynchronous_client_records_too(real_server: RealServer, real_client: Setright) -> None:
    async def record() -> str:
        async with AsyncSetright(real_server.url, real_server.token) as client:
            run = client.run(flow="nightly", version="3", run_id="own-1")
            with pytest.raises(LookupError):
                async with run:
                    raise LookupError("none")
            assert await client.recorder.flush_async(20) == 0
        return run.id

    found = real_client.runs.get(asyncio.run(record()))
    assert (found.id, found.subject.kind, found.status) == ("own-1", "flow", "failed")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"agent": "a"}, "version is missing"),
        ({"version": "1"}, "of an agent or of a flow"),
        ({"agent": "a", "flow": "f", "version": "1"}, "not both"),
    ],
)
def test_a_run_says_whose_it_is(said: dict[str, str], why: str) -> None:
    with Recorder() as recorder, pytest.raises(ValueError, match=why):
        recorder.run(**said)
