"""A corrector group that is retired while many correct under it, at two servers."""

from typing import Any

from tests.concurrency.test_one_key import at_once
from tests.concurrency.wire import Wire, a_run

ROUNDS = 6


def test_each_correction_comes_before_the_retirement_or_is_refused(callers: tuple[Wire, Wire]) -> None:
    for number in range(ROUNDS):
        group = callers[0].post("/v1/corrector-groups", {"name": f"g{number}", "scope": {"kind": "tenant"}})
        run_ids = [callers[0].post("/v1/runs", a_run(input=[number, place]))["id"] for place in range(8)]

        def correct(place: int, group: Any = group, run_ids: list[str] = run_ids) -> Any:
            said = {"runId": run_ids[place], "answer": "right", "correctorGroupId": group["id"]}
            return lambda: callers[place % 2].send("POST", "/v1/corrections", said)

        def retire(group: Any = group) -> Any:
            return callers[1].send("POST", f"/v1/corrector-groups/{group['id']}/retire")

        *told, retired = at_once([*(correct(place) for place in range(8)), retire])
        assert retired.status == 200
        assert {(one.status, one.code) for one in told} <= {
            (201, None),
            (400, "corrector-group-not-applicable"),
        }
        kept = callers[0].all(f"/v1/corrections?correctorGroupId={group['id']}")
        assert {one["id"] for one in kept} == {one.json["id"] for one in told if one.status == 201}
        assert all(one["createdAt"] < retired.json["retiredAt"] for one in kept)
