"""Who was shown what runs said is logged before it is shown, where a project asks for that: of people only."""

from typing import Any

import pytest

from setright.kernel.errors import StorageUnavailable
from tests.http.support import Caller, error_of

LOG, READS = "/v1/projects/default/read-log", "/v1/projects/default/run-reads"


def logged(caller: Caller, query: str = "") -> list[tuple[str, str, str]]:
    """What stands in the log, the oldest first: the run, by whom it was read, and by which route."""
    found = caller.get(READS + query).json()["data"]
    return [(one["runId"], one["by"]["id"], one["via"]) for one in reversed(found)]


@pytest.fixture
def keeper(caller: Caller) -> Caller:
    """An admin whose project keeps a log."""
    assert caller.send("PUT", LOG, {"kept": True}).json()["kept"] is True
    return caller


def test_nothing_is_logged_where_nobody_asked_for_it(caller: Caller) -> None:
    caller.get(f"/v1/runs/{caller.run()}")
    assert (caller.get(LOG).json(), logged(caller)) == ({"projectId": "default", "kept": False}, [])


def test_every_way_in_which_a_person_is_shown_a_run_is_logged(keeper: Caller) -> None:
    run_id = keeper.run()
    reader = keeper.user("rhea", "read")
    reader.get(f"/v1/runs/{run_id}")
    correction = keeper.correction(run_id)["id"]
    reader.get(f"/v1/corrections/{correction}")
    keeper.run()
    claimed = keeper.claim(keeper.queue())
    test_run = keeper.test_run()["id"]
    keeper.post(f"/v1/test-runs/{test_run}/claim")
    assert logged(keeper) == [
        (run_id, reader.id, "GET /v1/runs/{runId}"),
        (run_id, reader.id, "GET /v1/corrections/{correctionId}"),
        (claimed["runId"], keeper.id, "POST /v1/review-queues/{queueId}/claims"),
        (run_id, keeper.id, "POST /v1/test-runs/{testRunId}/claim"),
    ]


def test_what_assistants_read_and_what_shows_no_content_is_not_logged(keeper: Caller) -> None:
    run_id = keeper.run()
    keeper.service().get(f"/v1/runs/{run_id}")
    for path in ("/v1/runs", "/v1/corrections", "/v1/runs/nowhere", "/v1/events"):
        keeper.get(path)
    keeper.correction(run_id)
    assert keeper.user("sam").get(f"/v1/runs/{run_id}").status_code == 403
    assert logged(keeper) == []


def test_it_is_listed_for_admins_by_run_user_and_time(keeper: Caller) -> None:
    first, second = keeper.run(), keeper.run()
    reader = keeper.user("rhea", "read")
    for run_id in (first, second):
        keeper.get(f"/v1/runs/{run_id}")
        reader.get(f"/v1/runs/{run_id}")
    assert [run for run, _, _ in logged(keeper, f"?userId={reader.id}")] == [first, second]
    assert [by for _, by, _ in logged(keeper, f"?runId={first}")] == [keeper.id, reader.id]
    page = keeper.get(f"{READS}?limit=3").json()
    rest = keeper.get(f"{READS}?limit=3&cursor={page['nextCursor']}").json()
    assert (len(page["data"]), page["hasMore"], len(rest["data"]), rest["hasMore"]) == (3, True, 1, False)
    last = page["data"][0]["at"]
    assert (len(logged(keeper, f"?since={last}")), len(logged(keeper, f"?until={last}"))) == (1, 3)
    error_of(reader.get(READS), 403, "permission-denied")
    error_of(reader.send("PUT", LOG, {"kept": False}), 403, "permission-denied")


def test_the_feed_tells_when_a_log_begins_and_ends(keeper: Caller) -> None:
    keeper.send("PUT", LOG, {"kept": True})
    keeper.send("PUT", LOG, {"kept": False})
    keeper.get(f"/v1/runs/{keeper.run()}")
    kinds = [event["kind"] for event in keeper.get("/v1/events?limit=100").json()["data"]]
    assert [kind for kind in kinds if kind.startswith("read-log")] == ["read-log.begun", "read-log.ended"]
    assert logged(keeper) == []


def test_what_cannot_be_logged_is_not_shown(keeper: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = keeper.run(output="a secret")

    def full(*_: Any) -> Any:
        raise StorageUnavailable("the disk is full")

    monkeypatch.setattr(keeper.app.performer, "_pay", full)
    refused = keeper.get(f"/v1/runs/{run_id}")
    error_of(refused, 503, "storage-unavailable")
    assert "a secret" not in refused.text
    assert keeper.service().get(f"/v1/runs/{run_id}").json()["output"] == "a secret"
