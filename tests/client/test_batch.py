"""Many runs at once."""

import json
from typing import Any

import pytest

from setright.client import BatchIncomplete, InvalidRequest, NotAuthenticated, Unexpected
from tests.client.conftest import Asker
from tests.client.samples import RUN, SUBJECT
from tests.client.told_server import ToldServer


def runs(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"id": f"own-{number}", "subject": SUBJECT, **more} for number in range(count)]


def told(count: int, start: int = 0) -> dict[str, Any]:
    entries = [
        {"index": place, "status": 201, "run": {**RUN, "id": f"own-{start + place}"}}
        for place in range(count)
    ]
    return {"results": entries}


def test_a_run_that_is_refused_stops_no_other(server: ToldServer, ask: Asker) -> None:
    answer = told(3)
    error = {
        "code": "invalid-body",
        "message": "No.",
        "details": {"faults": [{"pointer": "/input", "fault": "is"}]},
    }
    answer["results"][1] = {"index": 1, "status": 400, "error": error}
    server.says(200, answer)
    results = ask(lambda client: client.runs.create_many(runs(3)))
    assert [result.status for result in results] == [201, 400, 201]
    assert results[0].run.id == "own-0"
    assert isinstance(results[1].error, InvalidRequest)
    assert results[1].error.faults[0].pointer == "/input"
    assert (server.asked[0].method, server.asked[0].path) == ("POST", "/v1/runs/batch")


def test_more_runs_than_one_request_takes_go_in_several_and_are_told_by_their_own_index(
    server: ToldServer, ask: Asker
) -> None:
    for start, count in ((0, 100), (100, 100), (200, 50)):
        server.says(200, told(count, start))
    results = ask(lambda client: client.runs.create_many(runs(250), key="k"))
    assert [result.index for result in results] == list(range(250))
    assert [result.run.id for result in results] == [f"own-{number}" for number in range(250)]
    assert [len(asked.json["runs"]) for asked in server.asked] == [100, 100, 50]
    assert [asked.key for asked in server.asked] == ["k.0-100", "k.100-200", "k.200-250"]


def test_no_request_is_larger_than_a_server_takes(server: ToldServer, ask: Asker) -> None:
    for start in range(0, 6, 3):
        server.says(200, told(3, start))
    ask(lambda client: client.runs.create_many(runs(6, output="x" * 1_000_000)))
    assert [len(asked.json["runs"]) for asked in server.asked] == [3, 3]
    assert all(len(asked.body) < 4 * 1024 * 1024 for asked in server.asked)


def test_where_a_server_takes_less_the_runs_go_in_halves_and_one_that_is_too_large_is_told(
    server: ToldServer, ask: Asker
) -> None:
    server.refuses(413, "request-too-large", details={"maxBytes": 100})
    server.refuses(413, "request-too-large", details={"maxBytes": 100})
    server.says(200, told(2, 1))
    results = ask(lambda client: client.runs.create_many(runs(3), key="k"))
    assert [result.status for result in results] == [413, 201, 201]
    assert [result.index for result in results] == [0, 1, 2]
    assert results[0].error.details == {"maxBytes": 100}
    assert [asked.key for asked in server.asked] == ["k.0-3", "k.0-1", "k.1-3"]


def test_a_server_that_is_lost_on_the_way_leaves_the_results_so_far_and_the_key(
    server: ToldServer, ask: Asker
) -> None:
    server.says(200, told(100))
    server.hangs_up()
    with pytest.raises(BatchIncomplete, match="100 of 150 runs were answered") as raised:
        ask(lambda client: client.runs.create_many(runs(150)), retries=0)
    lost = raised.value
    assert len(lost.results) == 100
    assert list(lost.missing) == list(range(100, 150))

    server.says(200, told(100), idempotent_replay="true")
    server.says(200, told(50, 100))
    ask(lambda client: client.runs.create_many(runs(150), key=lost.key))
    assert [asked.key for asked in server.asked[:2]] == [asked.key for asked in server.asked[2:]]
    assert [asked.body for asked in server.asked[:2]] == [asked.body for asked in server.asked[2:]]


def test_a_refusal_of_the_first_request_is_raised_as_itself(server: ToldServer, ask: Asker) -> None:
    server.refuses(401, "auth-expired")
    with pytest.raises(NotAuthenticated) as raised:
        ask(lambda client: client.runs.create_many(runs(150), key="k"))
    assert raised.value.key == "k"


def test_nothing_to_send_sends_nothing(server: ToldServer, ask: Asker) -> None:
    assert ask(lambda client: client.runs.create_many([])) == ()
    assert server.asked == []


def test_a_run_that_json_cannot_carry_is_named_before_anything_is_sent(
    server: ToldServer, ask: Asker
) -> None:
    several = [*runs(2), {"subject": SUBJECT, "input": {1, 2}}]
    with pytest.raises(ValueError, match="/runs/2/input is a set"):
        ask(lambda client: client.runs.create_many(several))
    assert server.asked == []


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"results": []},
        {"results": [{"index": 1, "status": 201, "run": RUN}]},
        {"results": [{"index": 0, "status": 201}]},
        {"results": ["x"]},
    ],
)
def test_results_that_do_not_speak_of_every_run_are_unexpected(
    server: ToldServer, ask: Asker, answer: dict[str, Any]
) -> None:
    server.says(200, json.dumps(answer).encode())
    with pytest.raises(Unexpected):
        ask(lambda client: client.runs.create_many(runs(1)))
