"""Runs and subjects over HTTP."""

from typing import Any

from tests.http.support import Api, Caller, a_run, error_of

STARTED: dict[str, Any] = {"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "1"}}


def test_a_run_comes_back_exactly(api: Api) -> None:
    caller = api.tenant()
    body = a_run(
        id="mine",
        messages=[{"role": "user", "content": "hi", "extra": [None]}],
        tags=["t", "u"],
        participantId="p",
        input=None,
        output=None,
    )
    made = caller.post("/v1/runs", body)
    assert (made.status_code, made.headers["location"]) == (201, "/v1/runs/mine")
    shown = caller.get("/v1/runs/mine").json()
    for name, value in body.items():
        assert shown[name] == value, name
    assert shown["status"] == "completed"
    assert shown["recordedBy"] == {"kind": "user", "id": caller.id}
    assert {**made.json()} == {name: shown[name] for name in made.json()}


def test_the_same_run_again_is_200_and_another_is_409(api: Api) -> None:
    caller = api.tenant()
    first = caller.post("/v1/runs", a_run(id="mine"))
    again = caller.post("/v1/runs", a_run(id="mine"))
    assert (again.status_code, again.content) == (200, first.content)
    assert "location" not in again.headers
    error_of(caller.post("/v1/runs", a_run(id="mine", answer="other")), 409, "run-exists")


def test_a_run_grows_and_ends(api: Api) -> None:
    caller = api.tenant()
    run_id = caller.post("/v1/runs", STARTED).json()["id"]
    calls = [{"tool": f"t{number}", "args": {"n": number}} for number in range(5)]
    grown = caller.post(f"/v1/runs/{run_id}/calls", {"position": 0, "calls": calls})
    assert (grown.status_code, grown.json()["callCount"], grown.json()["status"]) == (200, 5, "running")
    same = caller.post(f"/v1/runs/{run_id}/calls", {"position": 3, "calls": calls[3:]})
    assert (same.status_code, same.json()["callCount"]) == (200, 5)
    gap = caller.post(f"/v1/runs/{run_id}/calls", {"position": 6, "calls": calls[:1]})
    assert error_of(gap, 409, "call-position-gap")["details"] == {"position": 6, "expected": 5}
    ended = caller.post(f"/v1/runs/{run_id}/finish", {"status": "failed"})
    assert (ended.status_code, ended.json()["status"]) == (200, "failed")
    error_of(caller.post(f"/v1/runs/{run_id}/finish", {"output": 1}), 409, "run-finished")
    shown = caller.get(f"/v1/runs/{run_id}").json()
    assert "output" not in shown
    assert shown["calls"] == calls


def test_calls_come_in_pages(api: Api) -> None:
    caller = api.tenant()
    calls = [{"tool": f"t{number}", "args": {}} for number in range(7)]
    run_id = caller.run(calls=calls)
    seen: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = caller.get(f"/v1/runs/{run_id}?callsAfter={after}&callsLimit=3").json()
        seen += page["calls"]
        after = page.get("callsNext")
    assert seen == calls
    error_of(caller.get(f"/v1/runs/{run_id}?callsLimit=101"), 400, "invalid-parameter")
    error_of(caller.get(f"/v1/runs/{run_id}?callsAfter=-1"), 400, "invalid-parameter")
    assert caller.get(f"/v1/runs/{run_id}?callsAfter=99").json()["calls"] == []


def test_a_batch_is_told_item_by_item(api: Api) -> None:
    caller = api.tenant()
    caller.run("there")
    runs = [
        a_run(id="new"),
        a_run(id="there"),
        a_run(id="there", answer="x"),
        {"projectId": 1},
        a_run(projectId="no"),
        7,
    ]
    told = caller.post("/v1/runs/batch", {"runs": runs})
    assert told.status_code == 200
    results = told.json()["results"]
    assert [(result["index"], result["status"]) for result in results] == [
        (0, 201),
        (1, 200),
        (2, 409),
        (3, 400),
        (4, 404),
        (5, 400),
    ]
    assert results[0]["run"]["id"] == "new"
    assert [result["error"]["code"] for result in results[2:]] == [
        "run-exists",
        "invalid-body",
        "project-not-found",
        "invalid-body",
    ]
    assert "requestId" not in results[2]["error"]


def test_runs_are_listed_and_filtered(api: Api) -> None:
    caller = api.tenant()
    flow = caller.run(subject={"kind": "flow", "id": "F", "version": "2"}, participantId="p")
    agent = caller.run()
    running = caller.post("/v1/runs", STARTED).json()["id"]

    def found(query: str) -> list[str]:
        return [entry["id"] for entry in caller.get(f"/v1/runs?{query}").json()["data"]]

    for query, expected in {
        "": [running, agent, flow],
        "status=running": [running],
        "status=completed&status=failed": [agent, flow],
        "flowId=F": [flow],
        "agentId=refunds&agentVersion=v1": [agent],
        "participantId=p": [flow],
        "projectId=default&limit=1": [running],
    }.items():
        assert found(query) == expected, query
    assert "calls" not in caller.get("/v1/runs").json()["data"][0]


def test_agents_and_flows(api: Api) -> None:
    caller = api.tenant()
    caller.run(subject={"kind": "agent", "id": "Refund Desk", "version": "1"})
    caller.run(subject={"kind": "agent", "id": "refund desk", "version": "2"})
    caller.run(subject={"kind": "flow", "id": "f", "version": "1"})
    assert [entry["id"] for entry in caller.get("/v1/agents").json()["data"]] == ["Refund Desk"]
    assert [entry["id"] for entry in caller.get("/v1/flows").json()["data"]] == ["f"]
    read = caller.get("/v1/agents/refund%20desk")
    assert [version["version"] for version in read.json()["versions"]] == ["1", "2"]
    assert (
        caller.get("/v1/agents/refund%20desk", headers={"if-none-match": read.headers["etag"]}).status_code
        == 304
    )
    changed = caller.send("PATCH", "/v1/agents/refund%20desk", {"name": "Desk", "ownerId": caller.id})
    assert (changed.json()["name"], changed.json()["ownerId"]) == ("Desk", caller.id)
    assert changed.headers["etag"] != read.headers["etag"]
    lifted = caller.send("PATCH", "/v1/agents/refund%20desk", {"name": None})
    assert "name" not in lifted.json()
    assert lifted.json()["ownerId"] == caller.id
    error_of(caller.send("PATCH", "/v1/agents/refund%20desk", {}), 400, "invalid-body")
    error_of(caller.get("/v1/agents/nobody"), 404, "agent-not-found")
    error_of(caller.get("/v1/flows/refund%20desk"), 404, "flow-not-found")


def test_a_body_as_large_as_the_limit_is_taken_and_read_back(lone: Caller) -> None:
    text = "x" * (4 * 1024 * 1024 - 400)
    run_id = lone.run(output=text, answer="short")
    assert lone.get(f"/v1/runs/{run_id}").json()["output"] == text
    error_of(lone.post("/v1/runs", a_run(output=text + "x" * 400)), 413, "request-too-large")


def test_a_change_that_another_overtook_is_refused_with_what_stands(api: Api) -> None:
    caller = api.tenant()
    caller.run()
    path = "/v1/agents/refunds"
    tag = caller.get(path).headers["etag"]

    def change(name: str, known: str) -> Any:
        return caller.send("PATCH", path, {"name": name}, headers={"if-match": known})

    first = change("One", tag)
    assert first.status_code == 200
    late = change("Two", tag)
    details = error_of(late, 412, "changed-meanwhile")["details"]
    assert details == {"etag": first.headers["etag"], "current": first.json()}
    for stale in ('"other"', f"W/{first.headers['etag']}", '""'):
        error_of(change("Two", stale), 412, "changed-meanwhile")
    assert change("Two", f'"1", {details["etag"]}').status_code == 200
    assert change("Three", "*").status_code == 200


def test_a_project_is_not_renamed_over_another_renaming(api: Api) -> None:
    caller = api.tenant()
    tag = caller.get("/v1/projects/default").headers["etag"]
    known = {"if-match": tag}
    assert caller.send("PATCH", "/v1/projects/default", {"name": "One"}, headers=known).status_code == 200
    late = caller.send("PATCH", "/v1/projects/default", {"name": "Two"}, headers=known)
    assert error_of(late, 412, "changed-meanwhile")["details"]["current"]["name"] == "One"
