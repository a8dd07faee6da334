"""What limits a caller is told in one place, and is what refuses."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, a_correction, a_run, error_of, open_api
from tests.http.test_quotas_over_http import SMALL, tomorrow

NONE_USED = [
    {"quota": "runs-per-day", "used": 0, "resetsAt": ...},
    {"quota": "run-bytes-per-day", "used": 0, "resetsAt": ...},
    {"quota": "corrections-per-day", "used": 0, "resetsAt": ...},
]
CAPS = [
    {"quota": "tokens", "used": 1},
    {"quota": "users", "used": 1},
    {"quota": "projects", "used": 1},
    {"quota": "corrector-groups", "used": 0},
]


def used(caller: Caller) -> dict[str, int]:
    told = caller.get("/v1/limits").json()
    return {one["quota"]: one["used"] for one in (*told["quotas"], *told["caps"])}


def test_without_limits_everybody_is_told_what_is_used_all_the_same(api: Api) -> None:
    caller = api.tenant()
    told = caller.get("/v1/limits").json()
    assert told["quotas"] == [{**one, "resetsAt": tomorrow()} for one in NONE_USED]
    assert told["caps"] == CAPS
    assert "perSecond" not in told["requests"]
    caller.correction(caller.run())
    reader = caller.service("read")
    caller.post("/v1/corrector-groups", {"name": "g", "scope": {"kind": "tenant"}})
    assert used(reader).pop("run-bytes-per-day") > 100
    assert {**used(reader), "run-bytes-per-day": 0} == {
        "runs-per-day": 1,
        "run-bytes-per-day": 0,
        "corrections-per-day": 1,
        "tokens": 2,
        "users": 1,
        "projects": 1,
        "corrector-groups": 1,
    }
    assert set(used(api.tenant()).values()) == {0, 1}


def test_limits_stand_beside_what_is_used_of_them(tmp_path: Path) -> None:
    own = open_api(new_sqlite(tmp_path), runs_per_day=2, most_tokens=5, rate_per_second=50, rate_burst=60)
    caller = own.tenant()
    caller.run("r", **SMALL)
    told = caller.get("/v1/limits").json()
    assert told["quotas"][0] == {"quota": "runs-per-day", "limit": 2, "used": 1, "resetsAt": tomorrow()}
    assert told["caps"][0] == {"quota": "tokens", "limit": 5, "used": 1}
    assert (told["requests"]["perSecond"], told["requests"]["burst"]) == (50, 60)
    own.close()


def test_what_was_used_is_true_after_a_restart(tmp_path: Path) -> None:
    url = new_sqlite(tmp_path)
    first = open_api(url)
    caller = first.tenant()
    caller.correction(caller.run())
    before = used(caller)
    first.close()
    second = open_api(url, corrections_per_day=1)
    again = replace(caller, client=second.client, app=second.app)
    assert used(again) == before
    error_of(again.post("/v1/corrections", a_correction("r")), 429, "quota-exceeded")
    second.close()


def calls(count: int) -> list[dict[str, Any]]:
    return [{"tool": f"t{number}"} for number in range(count)]


Said = Callable[[int], dict[str, Any]]
FIELDS: dict[str, Said] = {
    "wordsCharacters": lambda most: {"why": "x" * most},
    "shouldCall": lambda most: {"decisions": "wrong", "shouldCall": calls(most)},
    "mustNotCall": lambda most: {"decisions": "wrong", "mustNotCall": [f"t{n}" for n in range(most)]},
    "argumentFields": lambda most: {
        "decisions": "wrong",
        "shouldCall": [{"tool": "t", "args": {f"a{n}": 1 for n in range(most)}}],
    },
    "argumentCharacters": lambda most: {
        "decisions": "wrong",
        "shouldCall": [{"tool": "t", "args": {"a": "x" * (most - len('{"a":""}'))}}],
    },
    "items": lambda most: {"items": [{"key": f"k{n}", "verdict": "right"} for n in range(most)]},
    "evidence": lambda most: {"evidence": ["e"] * most},
    "evidenceCharacters": lambda most: {"evidence": ["e" * most]},
    "answerValues": lambda most: {"answerMatch": {"how": "contains", "values": ["v"] * most}},
    "nameCharacters": lambda most: {"participantId": "p" * most},
    "pointerCharacters": lambda most: {"items": [{"key": "k", "verdict": "right", "pointer": "/" * most}]},
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_holds_as_much_as_is_told_and_no_more(lone: Caller, name: str) -> None:
    most = lone.get("/v1/limits").json()["fields"][name]
    run_id = lone.run()

    def status(count: int) -> int:
        return lone.post("/v1/corrections", a_correction(run_id, **FIELDS[name](count))).status_code

    over = lone.post("/v1/corrections", a_correction(run_id, **FIELDS[name](most + 1)))
    error = error_of(over, 400, "invalid-body")
    assert any(str(most) in fault["allowed"] for fault in error["details"]["faults"])
    if name == "pointerCharacters":
        error_of(
            lone.post("/v1/corrections", a_correction(run_id, **FIELDS[name](most))), 400, "item-not-found"
        )
    else:
        assert status(most) == 201


def test_requests_lists_and_runs_hold_as_much_as_is_told(lone: Caller) -> None:
    told = lone.get("/v1/limits").json()
    tags = told["fields"]["tags"]
    assert lone.post("/v1/runs", a_run(tags=["t"] * tags)).status_code == 201
    error_of(lone.post("/v1/runs", a_run(tags=["t"] * (tags + 1))), 400, "invalid-body")
    most = told["lists"]["maxLimit"]
    assert lone.get(f"/v1/runs?limit={most}").status_code == 200
    error_of(lone.get(f"/v1/runs?limit={most + 1}"), 400, "invalid-parameter")
    batch = told["runs"]["maxBatch"]
    assert lone.post("/v1/runs/batch", {"runs": [1] * batch}).status_code == 200
    error_of(lone.post("/v1/runs/batch", {"runs": [1] * (batch + 1)}), 400, "invalid-body")
    at_once = told["runs"]["maxCallsAtOnce"]
    error_of(lone.post("/v1/runs", a_run(calls=calls(at_once + 1))), 400, "invalid-body")
    large = lone.post("/v1/runs", a_run(input="x" * told["requests"]["maxBodyBytes"]))
    assert error_of(large, 413, "request-too-large")["details"] == {
        "maxBytes": told["requests"]["maxBodyBytes"]
    }
    depth, key = told["requests"]["maxJsonDepth"], told["requests"]["maxKeyCharacters"]
    deep: Any = 1
    for _ in range(depth - 1):
        deep = [deep]
    assert lone.post("/v1/runs", a_run(input=deep)).status_code == 201
    error_of(lone.post("/v1/runs", a_run(input=[deep])), 400, "invalid-body")
    integer = told["requests"]["maxInteger"]
    assert lone.post("/v1/runs", a_run(input=integer)).status_code == 201
    error_of(lone.post("/v1/runs", a_run(input=integer + 1)), 400, "invalid-body")
    assert lone.keyed("k" * key, "/v1/runs", a_run()).status_code == 201
    error_of(lone.keyed("k" * (key + 1), "/v1/runs", a_run()), 400, "invalid-parameter")
