"""A runner does every case of a test run of a real server, whatever its agent does."""

import asyncio
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from setright.client import NotFound, Setright
from setright.client.replay import RecordedTools
from setright.client.runner.agent import Agent
from setright.client.runner.running import LEASE_SECONDS, How, Progress, Ran, Runner

Play = Callable[..., Any]
FEW = 6


class Corrected:
    """An agent of its own with some corrected runs, and its version v2 to be tested."""

    def __init__(self, client: Setright, count: int = FEW) -> None:
        self.client = client
        self.agent_id = f"desk-{secrets.token_hex(4)}"
        for number in range(count):
            run = client.runs.create(
                project_id="default",
                subject=self.subject("v1"),
                input={"number": number},
                calls=[{"tool": "look", "args": {"n": number}, "result": {"n": number}}],
                output="30 days",
            )
            client.corrections.create(
                run_id=run.id,
                answer="wrong",
                should_say="14 days",
                decisions="wrong",
                should_call=[{"tool": "tell"}],
            )

    def subject(self, version: str) -> dict[str, str]:
        return {"kind": "agent", "id": self.agent_id, "version": version}

    def begin(self, **more: Any) -> Any:
        return self.client.test_runs.create(project_id="default", subject=self.subject("v2"), **more)

    def run(self, play: Play, test_run: Any = None, **how: Any) -> Ran:
        runner = Runner(self.client, Agent(play, "agent"), How(**{"timeout": 20.0, **how}))
        return runner.run(test_run or self.begin())


@pytest.fixture
def corrected(real_client: Setright) -> Corrected:
    return Corrected(real_client)


def right(case: Any, tools: RecordedTools) -> str:
    tools.call("look", n=case.input["number"])
    tools.call("tell", days=14)
    return "14 days"


async def right_later(case: Any, *, tools: RecordedTools) -> dict[str, Any]:
    await tools.acall("look", n=case.input["number"])
    await asyncio.sleep(0.001)
    return {"answer": "14 days", "calls": [{"tool": "tell", "args": {}}]}


def counts(ran: Ran) -> tuple[int, int, int]:
    verdicts = ran.test_run.verdicts
    return verdicts.right, verdicts.wrong, verdicts.not_evaluated


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("play", [right, right_later])
def test_every_case_is_done_and_the_test_run_ends(corrected: Corrected, play: Play, concurrency: int) -> None:
    corrected.client.projects.tools.put("default", "look", "read")
    ran = corrected.run(play, concurrency=concurrency)
    assert (ran.test_run.status, counts(ran)) == ("finished", (FEW, 0, 0))
    assert (ran.did, ran.failed, ran.given_up, ran.interrupted) == (FEW, 0, 0, False)


def test_each_case_is_tried_as_often_as_was_asked(corrected: Corrected) -> None:
    seen: list[tuple[str, int]] = []

    def play(case: Any) -> str:
        seen.append((case.run_id, case.repetition))
        return "30 days"

    ran = corrected.run(play, corrected.begin(repeat=2), concurrency=2)
    assert len(set(seen)) == ran.did == 2 * FEW
    assert counts(ran) == (0, 2 * FEW, 0)


def fails(case: Any) -> str:
    raise ValueError("no such tool")


def hangs(case: Any) -> str:
    threading.Event().wait()
    return "never"


async def hangs_later(case: Any) -> str:
    await asyncio.Event().wait()
    return "never"


@pytest.mark.parametrize(
    ("play", "given_up"),
    [(fails, 0), (hangs, 2), (hangs_later, 2), (lambda case: 7, 0), (lambda case: {"output": {1}}, 0)],
)
def test_an_agent_that_gives_no_result_leaves_its_cases_not_evaluated(
    real_client: Setright, play: Play, given_up: int
) -> None:
    ran = Corrected(real_client, 2).run(play, timeout=0.2, concurrency=2)
    assert (ran.test_run.status, counts(ran)) == ("failed", (0, 0, 2))
    assert (ran.did, ran.failed, ran.given_up) == (2, 2, given_up)
    assert ran.test_run.failure is not None


@pytest.mark.parametrize(
    "returned",
    [
        {"answer": "14 days \ud800"},
        {"output": "x" * 5_000_000},
        {"calls": [{"tool": "tell", "args": {"a": "\0"}}]},
        {"calls": [{"tool": "tell", "nonsense": 1}]},
        {"messages": "hello"},
    ],
)
def test_what_the_server_cannot_keep_is_a_failure_of_that_case_only(
    real_client: Setright, returned: dict[str, Any]
) -> None:
    def play(case: Any) -> Any:
        return returned if case.input["number"] == 0 else "30 days"

    ran = Corrected(real_client, 3).run(play, concurrency=3)
    assert (ran.test_run.status, counts(ran)) == ("finished", (0, 2, 1))
    assert (ran.did, ran.failed) == (3, 1)


def test_progress_is_shown_to_the_end(corrected: Corrected) -> None:
    shown: list[Progress] = []
    runner = Runner(corrected.client, Agent(right, "agent"), show=shown.append)
    ran = runner.run(corrected.begin())
    assert shown[-1].test_run == ran.test_run
    assert [one.did for one in shown] == sorted(one.did for one in shown)


def test_an_interruption_hands_in_what_is_done_and_leaves_the_rest(corrected: Corrected) -> None:
    def play(case: Any) -> str:
        if case.input["number"] == 0:
            raise KeyboardInterrupt
        return "30 days"

    class Interrupted(Runner):
        def _wait(self) -> None:
            super()._wait()
            if self._did == 3:
                raise KeyboardInterrupt

    test_run = corrected.begin()
    ran = Interrupted(corrected.client, Agent(play, "agent"), How()).run(test_run)
    assert ran.interrupted
    assert (ran.test_run.status, ran.test_run.cases.done) == ("running", 3)
    begun = time.monotonic()
    again = corrected.run(play, test_run, concurrency=2)
    assert time.monotonic() - begun < LEASE_SECONDS / 2
    assert again.test_run.status == "finished"
    assert again.did == FEW - 3


def test_a_slow_case_keeps_its_lease(real_client: Setright) -> None:
    slow = Corrected(real_client, 1)
    test_run = slow.begin()
    others: list[int] = []

    def play(case: Any) -> str:
        time.sleep(1.6)
        others.append(len(slow.client.test_runs.claim(test_run.id, n=5).cases))
        return "30 days"

    assert slow.run(play, test_run, lease_seconds=1).test_run.status == "finished"
    assert others == [0]


def test_a_test_run_that_somebody_cancels_ends_the_runner(corrected: Corrected) -> None:
    test_run = corrected.begin()

    def play(case: Any) -> str:
        corrected.client.test_runs.cancel(test_run.id)
        return "30 days"

    assert corrected.run(play, test_run).test_run.status == "cancelled"


def test_two_runners_share_a_test_run(corrected: Corrected) -> None:
    test_run = corrected.begin(repeat=4)
    seen: list[str] = []

    def play(case: Any) -> str:
        seen.append(case.id)
        return "30 days"

    ran: list[Ran] = []
    threads = [threading.Thread(target=lambda: ran.append(corrected.run(play, test_run))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {one.test_run.status for one in ran} == {"finished"}
    assert len(seen) == len(set(seen)) == 4 * FEW


def test_a_test_run_that_is_not_there_is_told(real_client: Setright, corrected: Corrected) -> None:
    begun = corrected.begin()
    gone = type(begun).read({**begun.raw, "id": "tst_01KE5MCQ80000000000000000D"})
    with pytest.raises(NotFound, match="test-run-not-found"):
        corrected.run(right, gone)
