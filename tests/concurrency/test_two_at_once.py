"""Corrections of one run at the same moment: exactly one of a caller stays current, and no one's words are lost."""

from typing import Any

from tests.concurrency.test_one_key import at_once
from tests.concurrency.wire import Wire, a_run

ROUNDS = 12


def correct(caller: Wire, run_id: str, why: str, **more: Any) -> Any:
    """Sends one correction when it is called."""
    body = {"runId": run_id, "answer": "wrong", "why": why, **more}
    return lambda: caller.send("POST", "/v1/corrections", body)


def test_of_two_by_one_caller_exactly_one_stays_current(callers: tuple[Wire, Wire]) -> None:
    for number in range(ROUNDS):
        run_id = callers[0].post("/v1/runs", a_run(input=number))["id"]
        told = at_once([correct(callers[0], run_id, "a"), correct(callers[number % 2], run_id, "b")])
        assert [one.status for one in told] == [201, 201]
        kept = callers[0].all(f"/v1/corrections?runId={run_id}&includeUnregistered=true")
        assert {one["why"] for one in kept} == {"a", "b"}
        current = [one for one in kept if "supersededBy" not in one]
        assert [one["id"] for one in callers[0].all(f"/v1/corrections?runId={run_id}")] == [current[0]["id"]]
        earlier = [one for one in kept if one not in current]
        assert [one["supersededBy"] for one in earlier] == [current[0]["id"]]
        assert earlier[0]["unregisteredAt"] == current[0]["createdAt"] >= earlier[0]["createdAt"]


def test_of_ten_by_one_caller_each_is_superseded_by_the_next(callers: tuple[Wire, Wire]) -> None:
    run_id = callers[0].post("/v1/runs", a_run())["id"]
    told = at_once([correct(callers[number % 2], run_id, str(number)) for number in range(10)])
    assert [one.status for one in told] == [201] * 10
    kept = callers[0].all(f"/v1/corrections?runId={run_id}&includeUnregistered=true")
    by_id = {one["id"]: one for one in kept}
    chain = [
        next(one["id"] for one in kept if one["id"] not in {other.get("supersededBy") for other in kept})
    ]
    while "supersededBy" in by_id[chain[-1]]:
        chain.append(by_id[chain[-1]]["supersededBy"])
    assert sorted(chain) == sorted(by_id)
    assert len(callers[0].all(f"/v1/corrections?runId={run_id}")) == 1
    told_of = [
        event["subject"]["id"] for event in events_of(callers[0]) if event["kind"] == "correction.superseded"
    ]
    assert sorted(told_of) == sorted(chain[:-1])


def test_participants_and_callers_do_not_supersede_each_other(callers: tuple[Wire, Wire]) -> None:
    service = callers[0].post("/v1/tokens", {"kind": "service", "name": "app", "role": "write"})["secret"]
    others = Wire(callers[0]._port, service), Wire(callers[1]._port, service)
    run_id = callers[0].post("/v1/runs", a_run())["id"]
    told = at_once(
        [correct(one, run_id, "own") for one in (callers[0], others[1])]
        + [correct(others[n % 2], run_id, "theirs", participantId=f"user-{n}") for n in range(6)]
    )
    assert [one.status for one in told] == [201] * 8
    assert len(callers[0].all(f"/v1/corrections?runId={run_id}")) == 8


def test_a_run_is_finished_once_however_many_finish_it(callers: tuple[Wire, Wire]) -> None:
    for number in range(ROUNDS // 2):
        started = {name: value for name, value in a_run().items() if name != "output"}
        run_id = callers[0].post("/v1/runs", started)["id"]
        told = at_once(
            [
                lambda n=n, run_id=run_id: callers[n % 2].send(
                    "POST", f"/v1/runs/{run_id}/finish", {"output": n}
                )
                for n in range(4)
            ]
        )
        good = [one.json for one in told if one.status == 200]
        assert len(good) == 1
        assert {one.code for one in told} == {None, "run-finished"}
        assert callers[0].get(f"/v1/runs/{run_id}")["output"] in range(4), number


def test_calls_are_appended_without_a_gap_and_each_once(callers: tuple[Wire, Wire]) -> None:
    started = {name: value for name, value in a_run().items() if name != "output"}
    run_id = callers[0].post("/v1/runs", started)["id"]
    for position in range(5):
        body = {"position": position, "calls": [{"tool": "t", "args": {"position": position}}]}
        told = at_once(
            [
                lambda n=n, body=body: callers[n % 2].send("POST", f"/v1/runs/{run_id}/calls", body)
                for n in range(4)
            ]
        )
        assert {one.status for one in told} == {200}, [one.content for one in told]
    calls = callers[0].get(f"/v1/runs/{run_id}")["calls"]
    assert [call["args"]["position"] for call in calls] == list(range(5))


def events_of(caller: Wire) -> list[Any]:
    """The whole feed of the caller's tenant."""
    events: list[Any] = []
    while True:
        page = caller.get(f"/v1/events?limit=100&after={events[-1]['seq'] if events else 0}")
        events += page["data"]
        if not page["hasMore"]:
            return events
