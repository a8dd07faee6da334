"""Verdicts and summaries of test runs over HTTP, and runs that stand for results."""

from typing import Any

from tests.http.support import Caller, error_of


def done(caller: Caller, version: str, *answers: str, **more: Any) -> dict[str, Any]:
    """A test run in which the version gave these answers; the verdicts that came of each, by the way."""
    test_run = caller.test_run(version, **more)
    claimed = caller.post(f"/v1/test-runs/{test_run['id']}/claim", {"n": len(answers)}).json()
    results = [
        {"caseId": case["id"], "lease": claimed["lease"], "calls": [], "answer": answer}
        for case, answer in zip(claimed["cases"], answers, strict=True)
    ]
    told = caller.post(f"/v1/test-runs/{test_run['id']}/results", {"results": results})
    assert told.status_code == 200, told.text
    return told.json()


def test_verdicts_are_a_list_with_pages_and_filters(caller: Caller) -> None:
    for _ in range(3):
        caller.correction()
    told = done(caller, "v2", "yes", "no", "?")
    path = f"/v1/test-runs/{told['testRun']['id']}/verdicts"
    verdicts = [verdict for one in told["results"] for verdict in one["verdicts"]]
    whole = caller.get(path).json()
    assert (whole["data"], whole["hasMore"]) == (verdicts, False)
    first = caller.get(f"{path}?limit=2").json()
    rest = caller.get(f"{path}?limit=2&cursor={first['nextCursor']}").json()
    assert first["data"] + rest["data"] == verdicts
    for number, verdict in enumerate(("right", "wrong", "not-evaluated")):
        assert caller.get(f"{path}?verdict={verdict}").json()["data"] == [verdicts[number]]
    ids = "&".join(f"correctionId={verdicts[number]['correctionId']}" for number in (0, 2))
    assert caller.get(f"{path}?{ids}").json()["data"] == [verdicts[0], verdicts[2]]


def test_what_cannot_be_asked_is_refused(caller: Caller) -> None:
    caller.correction()
    test_run = done(caller, "v2", "yes")["testRun"]["id"]
    path = f"/v1/test-runs/{test_run}"
    error_of(caller.get(f"{path}/verdicts?verdict=good"), 400, "invalid-parameter")
    error_of(caller.get(f"{path}/verdicts?was=right"), 400, "invalid-parameter")
    error_of(caller.get(f"{path}/verdicts?against={test_run}"), 400, "invalid-parameter")
    error_of(caller.get(f"{path}/verdicts?cursor=abc"), 400, "invalid-cursor")
    error_of(caller.get(f"{path}/summary?verdict=right"), 400, "unknown-parameter")
    error_of(caller.get(f"{path}/summary?against=tst_none"), 404, "test-run-not-found")
    error_of(caller.get("/v1/test-runs/tst_none/summary"), 404, "test-run-not-found")
    error_of(caller.get("/v1/test-runs/tst_none/verdicts"), 404, "test-run-not-found")
    assert caller.post("/v1/projects", {"id": "other", "name": "Other"}).status_code == 201
    outsider = caller.service("read", projectId="other")
    for part in ("verdicts", "summary"):
        error_of(outsider.get(f"{path}/{part}"), 403, "permission-denied")
    subject = {"kind": "flow", "id": "refunds", "version": "v1"}
    caller.correction(caller.run(subject=subject))
    other = caller.test_run(subject={**subject, "version": "v2"})["id"]
    error_of(caller.get(f"{path}/summary?against={other}"), 400, "test-runs-not-comparable")


def test_the_summary_says_what_changed_and_what_to_think_of_it(caller: Caller) -> None:
    for _ in range(7):
        caller.correction()
    before = done(caller, "v2", *["no"] * 6, "yes")["testRun"]["id"]
    after = done(caller, "v3", *["yes"] * 6, "no")["testRun"]["id"]
    whole = caller.get(f"/v1/test-runs/{after}/summary?against={before}").json()
    assert whole["corrections"]["right"] == {"corrections": 6, "weighted": 6.0}
    assert [one["aspect"] for one in whole["aspects"]] == ["answer"]
    assert (whole["reasons"], whole["withoutVerdict"]) == ([], 0)
    assert "repetitions" not in whole
    against = whole["against"]
    assert against["testRun"]["subject"]["version"] == "v2"
    counts = [
        against[name]["corrections"] for name in ("newlyRight", "newlyWrong", "stillRight", "stillWrong")
    ]
    assert counts == [6, 1, 0, 0]
    assert (against["pValue"], against["mayBeNoise"]) == (0.125, True)
    assert "6 newly right and 1 newly wrong: this may be noise" in against["says"]
    again = done(caller, "v4", *["yes"] * 7)["testRun"]["id"]
    better = caller.get(f"/v1/test-runs/{again}/summary?against={before}").json()
    assert better["testRun"]["says"].endswith("7 corrections become fixed.")
    assert "hardly noise" in better["against"]["says"]
    same = caller.get(f"/v1/test-runs/{again}/summary?against={again}").json()
    assert same["against"]["says"].startswith("Nothing changed: 7 corrections were compared")


def test_tries_are_told_apart(caller: Caller) -> None:
    caller.correction()
    told = done(caller, "v2", "yes", "no", repeat=2)
    whole = caller.get(f"/v1/test-runs/{told['testRun']['id']}/summary").json()
    assert whole["corrections"]["wrong"]["corrections"] == 1
    assert whole["repetitions"]["passHat"] == [0.5, 0.0]
    assert whole["repetitions"]["unsteady"] == 1
    assert whole["repetitions"]["spread"]["lowest"] == 0.0


SUBJECT = {"kind": "agent", "id": "refunds", "version": "v2"}


def test_a_production_run_of_the_version_stands_for_a_result(caller: Caller) -> None:
    made = caller.correction()
    path = f"/v1/test-runs/{caller.test_run('v2')['id']}"
    claimed = caller.post(f"{path}/claim").json()
    told = {"caseId": claimed["cases"][0]["id"], "lease": claimed["lease"]}
    for run_id, status, code in (
        ("run_none", 404, "run-not-found"),
        (made["runId"], 409, "run-does-not-fit"),
        (caller.run(subject={**SUBJECT, "id": "other"}), 409, "run-does-not-fit"),
    ):
        error_of(caller.post(f"{path}/results", {"results": [{**told, "runId": run_id}]}), status, code)
    told["runId"] = caller.run(subject=SUBJECT, answer="yes")
    both = caller.post(f"{path}/results", {"results": [{**told, "answer": "yes"}]})
    assert error_of(both, 400, "invalid-body")["details"]["faults"][0]["pointer"] == "/results/0/answer"
    for status in (201, 200):
        kept = caller.post(f"{path}/results", {"results": [told]}).json()
        (outcome,) = kept["results"]
        assert (outcome["status"], outcome["verdicts"][0]["verdict"]) == (status, "right")
        assert kept["testRun"]["status"] == "finished"


def test_without_its_lease_no_run_stands_for_a_case_that_somebody_holds(caller: Caller) -> None:
    caller.correction()
    path = f"/v1/test-runs/{caller.test_run('v2')['id']}"
    case = caller.post(f"{path}/claim").json()["cases"][0]["id"]
    told = {"caseId": case, "runId": caller.run(subject=SUBJECT, answer="yes")}
    error_of(caller.post(f"{path}/results", {"results": [told]}), 409, "case-claimed")
