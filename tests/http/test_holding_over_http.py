"""Corrections that wait for their run, over HTTP."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from setright.storage.open import create_or_upgrade
from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, a_correction, a_run, error_of, open_api
from tests.http.test_server_routes import figures, from_here

HOLD = "/v1/corrections?whenRunMissing=hold&projectId=default"
WAITING = "/v1/waiting-corrections"


def test_what_is_held_is_told_with_202_and_recorded_under_the_same_id(caller: Caller) -> None:
    body = a_correction("later", why="because")
    answer = caller.post(HOLD, body)
    held = answer.json()
    assert answer.status_code == 202
    assert list(held) == ["id", "waitingForRun", "runId", "projectId", "heldAt", "request"]
    assert {**held, "id": "", "heldAt": ""} == {
        "id": "",
        "waitingForRun": True,
        "runId": "later",
        "projectId": "default",
        "heldAt": "",
        "request": body,
    }
    assert answer.headers["location"] == f"{WAITING}/{held['id']}"
    assert "etag" not in answer.headers
    caller.run("later")
    made = caller.get(f"/v1/corrections/{held['id']}").json()
    assert (made["status"], made["why"], made["madeBy"]["id"]) == ("open", "because", caller.id)
    assert made["createdAt"] > held["heldAt"]
    story = caller.get(f"/v1/corrections/{held['id']}/history").json()["data"]
    assert [event["kind"] for event in story] == ["correction.held", "correction.recorded"]
    assert {event["by"]["id"] for event in story} == {caller.id}


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_what_is_held_outlives_a_restart(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if engine == "sqlite":
        url = new_sqlite(tmp_path)
    else:
        url = request.getfixturevalue("postgres").new_database()
        create_or_upgrade(url)
    before = open_api(url)
    caller = before.tenant()
    held = caller.held("later")
    before.close()
    after = open_api(url)
    again = replace(caller, client=after.client, app=after.app)
    assert again.get(WAITING).json()["data"][0]["id"] == held["id"]
    again.run("later")
    assert again.get(f"/v1/corrections/{held['id']}").json()["runId"] == "later"
    assert again.get(WAITING).json()["data"] == []
    after.close()


def test_one_of_a_finished_run_is_recorded_at_once_with_201(caller: Caller) -> None:
    made = caller.post(HOLD, a_correction(caller.run()))
    assert made.status_code == 201
    assert made.headers["location"] == f"/v1/corrections/{made.json()['id']}"
    assert made.headers["etag"]


def test_finishing_a_run_records_what_waits_whoever_finishes_it(caller: Caller) -> None:
    agent = caller.service()
    started = {name: value for name, value in a_run(id="slow/1").items() if name not in ("output", "answer")}
    agent.post("/v1/runs", started)
    held = caller.held("slow/1")
    told = caller.get(f"{WAITING}?runId={quote('slow/1', safe='')}").json()["data"]
    assert [one["runState"] for one in told] == ["running"]
    assert agent.post("/v1/runs/slow%2F1/finish", {"output": 1}).status_code == 200
    assert caller.get(f"/v1/corrections/{held['id']}").json()["madeBy"] == {"kind": "user", "id": caller.id}


def test_the_list_tells_age_and_state(caller: Caller) -> None:
    held = caller.held("never")
    (told,) = caller.get(WAITING).json()["data"]
    assert told == caller.get(f"{WAITING}/{held['id']}").json()
    assert {**told, "ageSeconds": 0} == {
        **held,
        "tenantId": caller.tenant_id,
        "madeBy": {"kind": "user", "id": caller.id},
        "state": "waiting",
        "runState": "missing",
        "ageSeconds": 0,
    }


def test_a_refused_one_is_listed_with_code_and_details(caller: Caller) -> None:
    item = {"key": "a", "pointer": "/nowhere", "verdict": "wrong"}
    held = caller.held("r", items=[item])
    caller.run("r")
    (told,) = caller.get(f"{WAITING}?state=refused").json()["data"]
    assert (told["id"], told["state"], told["waitingForRun"]) == (held["id"], "refused", False)
    assert "runState" not in told
    assert told["refusal"]["code"] == "item-not-found"
    assert told["refusal"]["details"]["faults"][0]["pointer"] == "/items/0/pointer"
    assert list(told["refusal"]) == ["code", "message", "details", "at"]


def test_lists_go_on_by_their_cursor(caller: Caller) -> None:
    held = [caller.held(f"r{number}")["id"] for number in range(5)]
    first = caller.get(f"{WAITING}?limit=3").json()
    second = caller.get(f"{WAITING}?limit=3&cursor={first['nextCursor']}").json()
    assert [one["id"] for one in first["data"] + second["data"]] == held[::-1]
    assert (first["hasMore"], second["hasMore"]) == (True, False)


def test_while_it_waits_it_is_no_correction(caller: Caller) -> None:
    held = caller.held("later")
    path = f"/v1/corrections/{held['id']}"
    for answer in (
        caller.get(path),
        caller.get(f"{path}/history"),
        caller.send("PATCH", path, {"status": "open"}, headers={"if-match": "*"}),
        caller.post(f"{path}/unregister"),
    ):
        error = error_of(answer, 404, "correction-not-found")
        assert error["details"]["waiting"] is True
        assert f"{WAITING}/{held['id']}" in error["message"]
    assert caller.get("/v1/corrections?runId=later").json()["data"] == []
    caller.run("later")
    gone = error_of(caller.get(f"{WAITING}/{held['id']}"), 404, "waiting-correction-not-found")
    assert gone["details"]["recorded"] is True


def test_it_is_taken_back_once_and_again(caller: Caller) -> None:
    held = caller.held("later")
    first = caller.send("DELETE", f"{WAITING}/{held['id']}")
    assert (first.status_code, first.json()["state"], "withdrawnAt" in first.json()) == (
        200,
        "withdrawn",
        True,
    )
    assert caller.send("DELETE", f"{WAITING}/{held['id']}").json() == {
        **first.json(),
        "ageSeconds": caller.get(f"{WAITING}/{held['id']}").json()["ageSeconds"],
    }
    caller.run("later")
    assert caller.get("/v1/corrections").json()["data"] == []
    error_of(
        caller.send("DELETE", f"{WAITING}/cor_01KE5MCQ800000000000000009"),
        404,
        "waiting-correction-not-found",
    )


@pytest.mark.parametrize(
    ("query", "faulty"),
    [
        ("whenRunMissing=hold", "projectId"),
        ("projectId=default", "projectId"),
        ("whenRunMissing=wait&projectId=default", "whenRunMissing"),
        ("whenRunMissing=hold&projectId=default&projectId=default", "projectId"),
        ("whenRunMissing=hold&projectId=", "projectId"),
    ],
)
def test_a_wrong_parameter_is_named(lone: Caller, query: str, faulty: str) -> None:
    error = error_of(lone.post(f"/v1/corrections?{query}", a_correction("r")), 400, "invalid-parameter")
    assert [fault["parameter"] for fault in error["details"]["faults"]] == [faulty]


def test_what_cannot_be_held_is_refused_in_the_order_of_the_contract(lone: Caller) -> None:
    elsewhere = "/v1/corrections?whenRunMissing=hold&projectId=nowhere"
    error_of(lone.post(elsewhere, {"runId": "r"}), 400, "invalid-body")
    error_of(lone.service("read").post(elsewhere, a_correction("r")), 403, "scope-missing")
    error_of(lone.post(elsewhere, a_correction("r")), 404, "project-not-found")
    error_of(lone.user("rita").post(HOLD, a_correction("r")), 403, "scope-missing")
    lone.post("/v1/projects", {"id": "other", "name": "Other"})
    service = lone.service(projectId="other")
    error_of(service.post(HOLD, a_correction("r")), 403, "permission-denied")
    comes_along = {"run": a_run(), "answer": "right"}
    error = error_of(lone.post(HOLD, comes_along), 400, "invalid-body")
    assert error["details"]["faults"][0]["pointer"] == "/run"


def test_a_hundred_and_first_is_told_that_a_hundred_wait(lone: Caller) -> None:
    for _ in range(100):
        lone.held("popular")
    answer = lone.post(HOLD, a_correction("popular"))
    assert error_of(answer, 429, "quota-exceeded")["details"]["limit"] == 100
    assert "retry-after" not in answer.headers


def test_a_key_gives_the_same_202_again_also_once_it_is_recorded(api: Api) -> None:
    caller = api.tenant()
    body = a_correction("later")
    first = caller.keyed("k", HOLD, body)
    assert caller.keyed("k", HOLD, body).content == first.content
    caller.run("later")
    again = caller.keyed("k", HOLD, body)
    assert (again.status_code, again.content) == (202, first.content)
    assert again.headers["location"] == first.headers["location"]
    assert [one["id"] for one in caller.get("/v1/corrections").json()["data"]] == [first.json()["id"]]
    assert caller.keyed("k", "/v1/corrections", body).status_code == 201, "another query is another request"


def test_another_tenants_is_not_there_and_its_run_changes_nothing(api: Api) -> None:
    caller, other = api.tenant(), api.tenant()
    held = caller.held("same")
    other.run("same")
    for answer in (other.get(f"{WAITING}/{held['id']}"), other.send("DELETE", f"{WAITING}/{held['id']}")):
        assert error_of(answer, 404, "waiting-correction-not-found")["details"] == {
            "correctionId": held["id"]
        }
    plain = error_of(other.get(f"/v1/corrections/{held['id']}"), 404, "correction-not-found")
    assert plain["details"] == {"correctionId": held["id"]}
    assert other.get(WAITING).json()["data"] == []
    assert caller.get(f"{WAITING}/{held['id']}").json()["state"] == "waiting"


def test_the_metrics_tell_how_many_wait_and_since_when(lone_api: Api) -> None:
    caller, client = lone_api.tenant(), from_here(lone_api)

    def now() -> tuple[float, float]:
        told = figures(client.get("/metrics").text)
        names = ("setright_waiting_corrections", "setright_waiting_corrections_oldest_seconds")
        return told[names[0]][0].value, told[names[1]][0].value

    before = now()[0]
    caller.held("later")
    count, oldest = now()
    assert count == before + 1
    assert oldest > 0
    caller.run("later")
    assert now()[0] == before
