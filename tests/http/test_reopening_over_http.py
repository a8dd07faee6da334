"""The headline over HTTP: corrected in v1, fixed by v2, wrong again in v3, and both stand on the same correction."""

from typing import Any

from tests.http.support import Caller

WANTED, WRONG = "yes", "no"


def held_against(caller: Caller, version: str, answer: str) -> dict[str, Any]:
    """A test run in which a version answered every case alike, finished; what its finish answers."""
    test_run = caller.test_run(version)
    path = f"/v1/test-runs/{test_run['id']}"
    claimed = caller.post(f"{path}/claim", {"n": 100}).json()
    results = [
        {"caseId": case["id"], "lease": claimed["lease"], "calls": [], "answer": answer}
        for case in claimed["cases"]
    ]
    assert caller.post(f"{path}/results", {"results": results}).status_code == 200
    finished = caller.post(f"{path}/finish")
    assert finished.status_code == 200, finished.text
    return finished.json()


def deploy(caller: Caller, version: str) -> None:
    made = caller.post("/v1/agents/refunds/versions", {"version": version})
    assert made.status_code == 201, made.text


def work(caller: Caller) -> None:
    while caller.app.worker.turn():
        pass


def running(caller: Caller) -> dict[str, Any]:
    return caller.get("/v1/projects/default/running").json()["data"][0]


def test_corrected_in_v1_fixed_by_v2_wrong_again_in_v3(caller: Caller) -> None:
    correction = caller.correction(shouldSay=WANTED)
    path = f"/v1/corrections/{correction['id']}"
    finished = held_against(caller, "v2", WANTED)
    assert finished["applies"] is False
    assert finished["says"] == "default does not run v2: deploy or pin it and 1 correction becomes fixed."
    work(caller)
    assert caller.get(path).json()["status"] == "open"

    deploy(caller, "v2")
    assert running(caller)["settling"] == {"left": 1}
    work(caller)
    assert "settling" not in running(caller)
    fixed = caller.get(path).json()
    assert fixed["status"] == "fixed"
    assert fixed["fixedIn"] == {"version": "v2", "how": "latest", "at": fixed["updatedAt"]}
    assert "reopenedIn" not in fixed

    held_against(caller, "v3", WRONG)
    deploy(caller, "v3")
    work(caller)
    again = caller.get(path).json()
    assert again["status"] == "open"
    assert again["fixedIn"] == fixed["fixedIn"]
    assert again["reopenedIn"] == {"version": "v3", "how": "latest", "at": again["updatedAt"]}
    told = caller.get(f"{path}/history").json()["data"]
    assert [(event["kind"], event["changed"]) for event in told[1:]] == [
        ("correction.fixed", ["status", "fixedIn"]),
        ("correction.reopened", ["status", "reopenedIn"]),
    ]
    assert (told[1]["fixedIn"], told[2]["reopenedIn"]) == (again["fixedIn"], again["reopenedIn"])
    assert [event["status"] for event in told[1:]] == ["fixed", "open"]


def test_a_finished_test_run_of_what_runs_applies_and_moves(caller: Caller) -> None:
    correction = caller.correction(shouldSay=WANTED)
    path = f"/v1/corrections/{correction['id']}"
    subject = {"kind": "agent", "id": "refunds"}
    pinned = caller.post("/v1/projects/default/pins", {"subject": subject, "version": "v1"})
    assert pinned.status_code == 201
    finished = held_against(caller, "v1", WANTED)
    assert (finished["applies"], "says" in finished) == (True, False)
    work(caller)
    fixed = caller.get(path).json()
    by = {"kind": "user", "id": caller.id}
    assert fixed["fixedIn"] == {"version": "v1", "how": "pin", "by": by, "at": fixed["updatedAt"]}


def test_the_summary_follows(caller: Caller) -> None:
    caller.correction(shouldSay=WANTED)
    held_against(caller, "v2", WANTED)
    deploy(caller, "v2")
    work(caller)
    summary = caller.get("/v1/corrections/summary?projectId=default").json()
    assert [(one["status"], one["corrections"]) for one in summary["statuses"]] == [("fixed", 1)]


def test_what_is_left_is_told_of_a_project_however_its_id_is_written(caller: Caller) -> None:
    project = caller.post("/v1/projects", {"name": "Other"}).json()["id"]
    caller.correction(caller.run(projectId=project), shouldSay=WANTED)
    test_run = caller.test_run(projectId=project)
    path = f"/v1/test-runs/{test_run['id']}"
    claimed = caller.post(f"{path}/claim").json()
    did = {"caseId": claimed["cases"][0]["id"], "lease": claimed["lease"], "calls": [], "answer": WANTED}
    caller.post(f"{path}/results", {"results": [did]})
    deploy(caller, "v2")
    for written in (project, project.removeprefix("prj_")):
        (running_there,) = caller.get(f"/v1/projects/{written}/running").json()["data"]
        assert running_there["settling"] == {"left": 1}
