"""Reviewers who claim, answer and withdraw at the same moment, at two servers on one database."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.concurrency.test_one_key import at_once
from tests.concurrency.wire import Serving, Told, Wire, a_run

WRONG = {"answer": "wrong", "shouldSay": "14 days"}
RIGHT = {"answer": "right"}


@pytest.fixture
def people(servers: tuple[Serving, Serving], callers: tuple[Wire, Wire]) -> list[tuple[Wire, Wire]]:
    """Four reviewers, each at both servers; the callers are the tenant's admin."""
    made: list[tuple[Wire, Wire]] = []
    for name in ("bo", "cy", "dee", "eve"):
        user = callers[0].post("/v1/users", {"name": name, "role": "write"})["id"]
        wanted = {"kind": "user", "name": "own", "userId": user}
        secret = callers[0].post("/v1/tokens", wanted)["secret"]
        made.append((servers[0].wire(secret), servers[1].wire(secret)))
    return made


def a_queue(admin: Wire, runs: int, reviewers: int = 1, agent: str = "refunds") -> tuple[str, list[str]]:
    """The path of a queue about an agent, and the runs that are in it."""
    subject = {"kind": "agent", "id": agent}
    wanted = {
        "projectId": "default",
        "name": "Q",
        "reviewersPerItem": reviewers,
        "filter": {"subject": subject},
    }
    whole = [a_run(input=number, subject={**subject, "version": "v1"}) for number in range(runs)]
    run_ids = [admin.post("/v1/runs", run)["id"] for run in whole]
    return f"/v1/review-queues/{admin.post('/v1/review-queues', wanted)['id']}", run_ids


def claiming(wire: Wire, queue: str) -> Callable[[], Told]:
    return lambda: wire.send("POST", f"{queue}/claims")


def answering(wire: Wire, queue: str, claim: str, said: dict[str, Any]) -> Callable[[], Told]:
    return lambda: wire.send("POST", f"{queue}/claims/{claim}/correction", said)


def handed(told: Sequence[Told]) -> list[tuple[str, str]]:
    """Which reviewer was handed which run."""
    assert {one.status for one in told} <= {201, 204}, [one.content for one in told]
    claims = [one.json for one in told if one.status == 201]
    return [(claim["reviewer"]["id"], claim["runId"]) for claim in claims]


@pytest.mark.parametrize("reviewers", [1, 2, 3])
def test_at_one_moment_each_run_goes_to_as_many_people_as_wanted_and_to_nobody_twice(
    callers: tuple[Wire, Wire], people: list[tuple[Wire, Wire]], reviewers: int
) -> None:
    queue, run_ids = a_queue(callers[0], 4, reviewers)
    told = at_once([claiming(person[n % 2], queue) for n in range(4) for person in people])
    pairs = handed(told)
    assert len(pairs) == len(set(pairs))
    assert Counter(run_id for _, run_id in pairs) == dict.fromkeys(run_ids, reviewers)


def test_what_ran_out_is_taken_by_one_of_those_who_claim_at_once(
    callers: tuple[Wire, Wire], people: list[tuple[Wire, Wire]]
) -> None:
    queue, (run_id,) = a_queue(callers[0], 1)
    callers[0].send("PATCH", queue, {"claimSeconds": 1})
    ((first, _),) = handed([claiming(people[0][0], queue)()])
    callers[0].send("PATCH", queue, {"claimSeconds": 600})
    pairs: list[tuple[str, str]] = []
    while not pairs:
        pairs = handed(at_once([claiming(person[n % 2], queue) for n, person in enumerate(people)]))
    assert [run for _, run in pairs] == [run_id]
    assert pairs[0][0] != first


@pytest.mark.parametrize("said", [RIGHT, WRONG])
def test_the_last_two_answers_at_one_moment_complete_the_review_once(
    callers: tuple[Wire, Wire], people: list[tuple[Wire, Wire]], said: dict[str, Any]
) -> None:
    queue, run_ids = a_queue(callers[0], 3, 2)
    claims = [[person[0].post(f"{queue}/claims", {})["id"] for _ in run_ids] for person in people[:2]]
    for place, run_id in enumerate(run_ids):
        told = at_once(
            [
                answering(people[0][0], queue, claims[0][place], RIGHT),
                answering(people[1][1], queue, claims[1][place], said),
            ]
        )
        assert [one.status for one in told] == [201, 201]
        blind = ["blind" in one.json for one in told]
        assert sorted(blind) == [False, True], "one of them is the last"
        shown = people[2][0].all(f"/v1/corrections?runId={run_id}")
        assert {one["id"] for one in shown} == {one.json["id"] for one in told}
        assert not [one for one in shown if "blind" in one]
    expected = "complete" if said == RIGHT else "disagreed"
    ended = [event["kind"] for event in callers[0].all("/v1/events")]
    name = "review-item.completed" if said == RIGHT else "review-item.disagreed"
    assert ended.count(name) == len(run_ids)
    items = callers[1].all(f"{queue}/items")
    assert {item["runId"]: item["state"] for item in items} == dict.fromkeys(run_ids, expected)


def test_who_withdraws_while_the_last_one_answers_leaves_nothing_half_done(
    callers: tuple[Wire, Wire], people: list[tuple[Wire, Wire]]
) -> None:
    queue, run_ids = a_queue(callers[0], 4, 2)
    claims = [[person[0].post(f"{queue}/claims", {})["id"] for _ in run_ids] for person in people[:2]]
    for place, run_id in enumerate(run_ids):
        early = answering(people[0][0], queue, claims[0][place], WRONG)().json
        removed, answered = at_once(
            [
                lambda early=early: people[0][0].send("POST", f"/v1/corrections/{early['id']}/unregister"),
                answering(people[1][1], queue, claims[1][place], RIGHT),
            ]
        )
        assert (removed.status, answered.status) == (200, 201)
        (item,) = (item for item in callers[0].all(f"{queue}/items") if item["runId"] == run_id)
        last = "blind" not in answered.json
        assert item["state"] == ("complete" if last else "waiting")
        seen = people[2][1].all(f"/v1/corrections?runId={run_id}")
        assert [one["id"] for one in seen] == ([answered.json["id"]] if last else [])
        if not last:
            assert handed([claiming(people[2][1], queue)()])[0][1] == run_id
            third = next(item for item in callers[0].all(f"{queue}/items") if item["runId"] == run_id)
            active = next(claim["id"] for claim in third["claims"] if claim["state"] == "active")
            assert answering(people[2][0], queue, active, RIGHT)().status == 201


def test_of_two_admins_who_decide_at_one_moment_one_decides(
    callers: tuple[Wire, Wire], people: list[tuple[Wire, Wire]]
) -> None:
    queue, (run_id,) = a_queue(callers[0], 1, 2)
    for person, said in ((people[0], RIGHT), (people[1], WRONG)):
        claim = person[0].post(f"{queue}/claims", {})["id"]
        person[1].post(f"{queue}/claims/{claim}/correction", said)
    path = f"{queue}/items/{run_id}/adjudication"
    told = at_once([lambda wire=wire: wire.send("POST", path, WRONG) for wire in callers * 2])
    assert sorted(one.status for one in told) == [201, 409, 409, 409]
    assert {one.code for one in told} == {None, "review-not-disagreed"}
    (made,) = (one.json for one in told if one.status == 201)
    others = [one for one in callers[0].all(f"/v1/corrections?runId={run_id}") if one["id"] != made["id"]]
    assert {one["adjudicatedBy"] for one in others} == {made["id"]}


def test_an_answer_and_the_end_of_its_queue_come_one_after_the_other(
    callers: tuple[Wire, Wire], people: list[tuple[Wire, Wire]]
) -> None:
    for number in range(6):
        queue, _ = a_queue(callers[0], 1, 2, f"agent-{number}")
        claim = people[0][0].post(f"{queue}/claims", {})
        closed, answered = at_once(
            [
                lambda queue=queue, wire=callers[number % 2]: wire.send("POST", f"{queue}/close"),
                answering(people[0][1], queue, claim["id"], WRONG),
            ]
        )
        assert (closed.status, closed.json["counts"]["dropped"]) == (200, 1)
        assert (answered.status, answered.code) in {(201, None), (409, "review-queue-closed")}
        seen = people[2][0].all(f"/v1/corrections?runId={claim['runId']}")
        assert [one["id"] for one in seen] == ([answered.json["id"]] if answered.status == 201 else [])
        assert not any("blind" in one for one in seen)
