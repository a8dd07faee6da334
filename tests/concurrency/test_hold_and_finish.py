"""A correction is held in the moment in which its run finishes: it is recorded all the same, whoever is first."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import pytest

from setright import corrections, events, runs
from setright.app.reactions import react
from setright.corrections import Correction, NewCorrection, WaitingCorrection
from setright.kernel.actor import Actor
from setright.kernel.fields import validate
from setright.runs import Finish
from setright.storage import Tx
from tests.concurrency.test_one_key import at_once
from tests.concurrency.wire import Wire, a_run
from tests.corrections.holding import WRONG_ANSWER, Holding, new_id
from tests.corrections.holding import a_run as new_run
from tests.support.ledger import Ledger

T = TypeVar("T")
Work = Callable[[Tx], Any]
ROUNDS = 40
WHILE = 0.4
"""How many seconds a transaction stays open at most, so that the other one meets it."""


@pytest.fixture(scope="module")
def other(ledger: Ledger) -> Iterator[Ledger]:
    """The same database, opened as by another process."""
    opened = Ledger(ledger.url)
    yield opened
    opened.store.close()


def whole(work: Work, actor: Actor) -> Work:
    """An operation as one call of an actor: with its reactions and its events."""

    def call(tx: Tx) -> Any:
        tx.actor = actor
        result = work(tx)
        react(tx)
        events.append(tx)
        return result

    return call


def overlapping(first: Callable[[Work], Future[Any]], second: Callable[[], T], work: Work) -> tuple[Any, T]:
    """What `work` gives, and what `second` gives that begins while that is done and not committed."""
    reached, ended = threading.Event(), threading.Event()

    def held_open(tx: Tx) -> Any:
        result = work(tx)
        reached.set()
        ended.wait(WHILE)
        return result

    begun = first(held_open)
    with ThreadPoolExecutor(1) as pool:
        assert reached.wait(20)
        met = pool.submit(second)
        met.add_done_callback(lambda _: ended.set())
        return begun.result(20), met.result(20)


@pytest.mark.parametrize("started", [False, True], ids=["missing", "running"])
@pytest.mark.parametrize("holds_first", [True, False], ids=["hold first", "finish first"])
def test_neither_passes_the_other(ledger: Ledger, other: Ledger, started: bool, holds_first: bool) -> None:
    room, run_id = Holding(ledger, ledger.tenant()), new_id()
    if started:
        room.run(run_id, output=...)

    def hold(tx: Tx) -> Correction | WaitingCorrection:
        wanted = validate(NewCorrection, {"runId": run_id, **WRONG_ANSWER})
        return corrections.record_or_hold(tx, wanted, "default")

    def end(tx: Tx) -> Any:
        if started:
            return runs.finish_run(tx, run_id, validate(Finish, {"output": 1}))
        return runs.record_run(tx, new_run(run_id))

    calls = [whole(work, room.admin) for work in ((hold, end) if holds_first else (end, hold))]
    told = overlapping(ledger.store.write, lambda: other.store.write(calls[1]).result(20), calls[0])
    held = told[0 if holds_first else 1]
    assert isinstance(held, WaitingCorrection if holds_first else Correction)
    assert [made.id for made in room.recorded(run_id=run_id)] == [held.id]
    assert room.waiting() == []


def hold_of(caller: Wire, run_id: str, participant: str) -> Any:
    body = {"runId": run_id, "answer": "wrong", "why": participant, "participantId": participant}
    return partial(caller.send, "POST", "/v1/corrections?whenRunMissing=hold&projectId=default", body)


def test_one_that_is_taken_back_while_its_run_finishes_is_withdrawn_or_recorded(
    callers: tuple[Wire, Wire],
) -> None:
    for number in range(ROUNDS):
        run_id = f"taken-{number}"
        held = hold_of(callers[0], run_id, "p")().json["id"]
        path = f"/v1/waiting-corrections/{held}"
        back, end = at_once(
            [
                partial(callers[number % 2].send, "DELETE", path),
                partial(callers[0].send, "POST", "/v1/runs", a_run(id=run_id)),
            ]
        )
        assert end.status == 201
        kept = [one["id"] for one in callers[0].all(f"/v1/corrections?runId={run_id}")]
        assert kept == ([] if back.status == 200 else [held])
        if back.status != 200:
            assert back.json["error"]["details"]["recorded"] is True
        assert callers[0].all("/v1/waiting-corrections") == []


def test_of_many_at_once_no_more_than_a_hundred_wait(callers: tuple[Wire, Wire]) -> None:
    for number in range(95):
        assert hold_of(callers[number % 2], "popular", f"p-{number}")().status == 202
    told = at_once([hold_of(callers[number % 2], "popular", f"q-{number}") for number in range(12)])
    assert sorted(one.status for one in told) == [202] * 5 + [429] * 7
    assert {one.code for one in told} == {None, "quota-exceeded"}
    assert len(callers[0].all("/v1/waiting-corrections?runId=popular")) == 100


@pytest.mark.parametrize("way", ["record", "finish", "batch", "with a correction"])
def test_of_many_races_none_is_lost(callers: tuple[Wire, Wire], way: str) -> None:
    for number in range(ROUNDS):
        run_id = f"{way}-{number}".replace(" ", "-")
        body = a_run(id=run_id)
        ends = {
            "record": ("/v1/runs", body),
            "finish": (f"/v1/runs/{run_id}/finish", {"output": 1}),
            "batch": ("/v1/runs/batch", {"runs": [a_run(), body, a_run()]}),
            "with a correction": ("/v1/corrections", {"run": body, "answer": "right"}),
        }
        if way == "finish":
            callers[0].post("/v1/runs", {name: value for name, value in body.items() if name != "output"})
        end = partial(callers[number % 2].send, "POST", *ends[way])
        holds = [hold_of(callers[n % 2], run_id, f"p-{n}") for n in range(4)]
        told = at_once([*holds[:2], end, *holds[2:]])
        held = [one for one in told if one.json.get("answer") == "wrong" or "waitingForRun" in one.json]
        assert [one.status in (201, 202) for one in held] == [True] * 4, [one.content for one in told]
        kept = callers[0].all(f"/v1/corrections?runId={run_id}&answer=wrong")
        assert {one["id"] for one in kept} == {one.json["id"] for one in held}
    assert callers[0].all("/v1/waiting-corrections") == []
