"""Quotas and caps over HTTP: what is refused, what it says, and what never counts."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from setright.app import machine
from setright.kernel.limits import CAPS, QUOTAS
from tests.http.support import Api, Caller, a_correction, a_run, error_of, open_api

LIMITS = {
    "runs_per_day": 3,
    "run_bytes_per_day": 2_000,
    "corrections_per_day": 2,
    "most_tokens": 3,
    "most_users": 2,
    "most_projects": 2,
}
SMALL = {"input": None, "calls": [], "output": None, "answer": None}


@pytest.fixture(scope="module")
def limited(api: Api, database_url: str) -> Iterator[Api]:
    """The application on the same database, with limits for every tenant."""
    opened = open_api(database_url, **LIMITS)
    yield opened
    opened.close()


@pytest.fixture
def caller(limited: Api) -> Caller:
    return limited.tenant()


def tomorrow() -> str:
    return f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%d}T00:00:00.000000Z"


def exceeded(answer: Any, word: str, limit: int, used: int) -> None:
    error = error_of(answer, 429, "quota-exceeded")
    assert error["details"] == {"quota": word, "limit": limit, "used": used, "resetsAt": tomorrow()}
    assert 1 <= int(answer.headers["retry-after"]) <= 24 * 3600


def test_the_run_after_the_last_one_of_the_day_is_refused(caller: Caller) -> None:
    for number in range(3):
        caller.run(f"r{number}", **SMALL)
    exceeded(caller.post("/v1/runs", a_run(id="r3", **SMALL)), "runs-per-day", 3, 3)
    exceeded(caller.post("/v1/runs", a_run(**SMALL)), "runs-per-day", 3, 3)
    assert len(caller.get("/v1/runs").json()["data"]) == 3
    assert caller.get("/v1/agents").status_code == 200


def test_a_run_that_is_there_is_given_again_also_when_the_quota_is_used_up(caller: Caller) -> None:
    for number in range(3):
        caller.run(f"r{number}", **SMALL)
    assert caller.post("/v1/runs", a_run(id="r1", **SMALL)).status_code == 200
    error_of(caller.post("/v1/runs", a_run(id="r1", **SMALL, tags=["other"])), 409, "run-exists")


def test_an_answer_that_was_kept_is_given_again_also_when_the_quota_is_used_up(caller: Caller) -> None:
    first = caller.keyed("k", "/v1/runs", a_run(**SMALL))
    for number in range(2):
        caller.run(f"r{number}", **SMALL)
    assert caller.keyed("k", "/v1/runs", a_run(**SMALL)).content == first.content
    exceeded(caller.keyed("l", "/v1/runs", a_run(**SMALL)), "runs-per-day", 3, 3)


def test_what_is_sent_again_or_refused_does_not_count(caller: Caller) -> None:
    run_id = caller.run("r", **SMALL)
    for _ in range(3):
        assert caller.post("/v1/runs", a_run(id="r", **SMALL)).status_code == 200
        assert caller.post("/v1/runs", a_run(projectId="nowhere")).status_code == 404
        assert caller.post("/v1/corrections", a_correction("nowhere")).status_code == 404
    for _ in range(2):
        caller.correction(run_id)
    exceeded(caller.post("/v1/corrections", a_correction(run_id)), "corrections-per-day", 2, 2)
    caller.run("s", **SMALL)


def test_of_a_batch_each_run_counts_and_is_refused_by_itself(caller: Caller) -> None:
    body = {"runs": [a_run(**SMALL, id=f"r{number // 2}") for number in range(10)]}
    results = caller.post("/v1/runs/batch", body).json()["results"]
    assert [one["status"] for one in results] == [201, 200, 201, 200, 201, 200, 429, 429, 429, 429]
    assert results[-1]["error"]["code"] == "quota-exceeded"
    assert results[-1]["error"]["details"]["quota"] == "runs-per-day"


def test_bytes_count_however_they_come_to_the_run(caller: Caller) -> None:
    long = {"tool": "t", "args": {"text": "x" * 580}}
    started = {"id": "r", "projectId": "default", "subject": a_run()["subject"], "input": "x" * 580}
    run_id = caller.post("/v1/runs", started).json()["id"]
    calls = {"position": 0, "calls": [long, long]}
    assert caller.post(f"/v1/runs/{run_id}/calls", calls).status_code == 200
    assert caller.post(f"/v1/runs/{run_id}/calls", calls).status_code == 200, "sent again, it adds nothing"
    more = {"position": 2, "calls": [long]}
    error = error_of(caller.post(f"/v1/runs/{run_id}/calls", more), 429, "quota-exceeded")
    assert (error["details"]["quota"], error["details"]["limit"]) == ("run-bytes-per-day", 2_000)
    error_of(caller.post(f"/v1/runs/{run_id}/finish", {"output": "x" * 600}), 429, "quota-exceeded")
    error_of(caller.post("/v1/runs", a_run(output="x" * 600)), 429, "quota-exceeded")
    for _ in range(2):
        assert caller.post(f"/v1/runs/{run_id}/finish", {"output": "x"}).status_code == 200


def test_a_run_that_came_with_a_refused_correction_is_not_recorded(caller: Caller) -> None:
    run_id = caller.run("r", **SMALL)
    for _ in range(2):
        caller.correction(run_id)
    both = {"run": a_run(id="s", **SMALL), "answer": "wrong", "shouldSay": "yes"}
    exceeded(caller.post("/v1/corrections", both), "corrections-per-day", 2, 2)
    assert caller.get("/v1/runs/s").status_code == 404
    caller.run("t", **SMALL)
    caller.run("u", **SMALL)


def test_a_correction_of_a_run_that_came_along_and_is_over_its_quota_does_not_count(caller: Caller) -> None:
    ids = [caller.run(f"r{number}", **SMALL) for number in range(3)]
    both = {"run": a_run(id="s", **SMALL), "answer": "wrong", "shouldSay": "yes"}
    exceeded(caller.post("/v1/corrections", both), "runs-per-day", 3, 3)
    for run_id in ids[:2]:
        caller.correction(run_id)


def test_of_two_at_once_one_gets_the_last_unit(caller: Caller) -> None:
    run_id = caller.run("r", **SMALL)
    caller.correction(run_id)
    with ThreadPoolExecutor(2) as pool:
        sent = pool.map(lambda _: caller.post("/v1/corrections", a_correction(run_id)), range(2))
        assert sorted(answer.status_code for answer in sent) == [201, 429]


@pytest.mark.parametrize(
    ("path", "body", "word", "most"),
    [
        ("/v1/tokens", {"kind": "user", "name": "t{}"}, "tokens", 3),
        ("/v1/users", {"name": "u{}"}, "users", 2),
        ("/v1/projects", {"name": "p{}"}, "projects", 2),
    ],
)
def test_a_cap_says_how_many_there_are_and_names_no_time(
    caller: Caller, path: str, body: dict[str, Any], word: str, most: int
) -> None:
    for number in range(1, most):
        made = caller.post(path, {**body, "name": body["name"].format(number)})
        assert made.status_code == 201, made.text
    refused = caller.post(path, {**body, "name": "one more"})
    error = error_of(refused, 429, "quota-exceeded")
    assert error["details"] == {"quota": word, "limit": most, "used": most}
    assert "retry-after" not in refused.headers


def test_tenants_do_not_share(limited: Api, caller: Caller) -> None:
    for number in range(3):
        caller.run(f"r{number}", **SMALL)
    limited.tenant().run("r0", **SMALL)


def test_a_correction_that_waits_counts_when_it_is_held_and_not_again_when_it_is_recorded(
    caller: Caller,
) -> None:
    held = [caller.held(run_id)["id"] for run_id in ("r", "s")]
    hold = "/v1/corrections?whenRunMissing=hold&projectId=default"
    exceeded(caller.post(hold, a_correction("t")), "corrections-per-day", 2, 2)
    for run_id in ("r", "s"):
        caller.run(run_id, **SMALL)
    assert [one["id"] for one in caller.get("/v1/corrections").json()["data"]] == held[::-1]
    exceeded(caller.post(hold, a_correction("r")), "corrections-per-day", 2, 2)
    exceeded(
        caller.post("/v1/corrections", {"run": a_run(id="u", **SMALL), "answer": "right"}),
        "corrections-per-day",
        2,
        2,
    )
    assert caller.get("/v1/runs/u").status_code == 404


def test_metrics_count_what_quotas_and_caps_refuse_a_run_of_a_batch_too(limited: Api, caller: Caller) -> None:
    def counted() -> dict[str, float]:
        text = caller.get("/metrics").text
        samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
        return {
            one.labels["quota"]: one.value for one in samples if one.name == "setright_quota_refusals_total"
        }

    before = counted()
    caller.post("/v1/runs/batch", {"runs": [a_run(**SMALL) for _ in range(5)]})
    exceeded(caller.post("/v1/runs", a_run(**SMALL)), "runs-per-day", 3, 3)
    error_of(caller.post("/v1/runs", a_run(projectId="nowhere")), 404, "project-not-found")
    after = counted()
    assert {word: after[word] - before[word] for word in after if after[word] != before[word]} == {
        "runs-per-day": 3
    }
    assert set(after) == {*QUOTAS, *CAPS}


def test_a_new_limit_of_a_tenant_holds_from_its_next_call_on(api: Api) -> None:
    caller = api.tenant()
    (tenant,) = [one for one in machine.tenants(api.app) if one.id == caller.tenant_id]
    caller.run("r", **SMALL)
    machine.limit_tenant(api.app, tenant, {"runs-per-day": 1})
    exceeded(caller.post("/v1/runs", a_run(**SMALL)), "runs-per-day", 1, 1)
    told = caller.get("/v1/limits").json()["quotas"][0]
    assert (told["limit"], told["used"]) == (1, 1)
    machine.limit_tenant(api.app, tenant, {"runs-per-day": None})
    caller.run("s", **SMALL)
    api.tenant().run("r", **SMALL)
