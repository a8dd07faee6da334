"""The briefing over HTTP: its documents, its tag, its sessions, and stopped calls."""

import pytest

from tests.http.support import Api, Caller, error_of


def adopted(caller: Caller, rule: str = "Look up the order first.", **more: object) -> str:
    """A rule in force; its lesson's id."""
    lesson_id = caller.lesson(rule=rule, **more)["id"]
    assert caller.send("PATCH", f"/v1/lessons/{lesson_id}", {"status": "adopted"}).status_code == 200
    return lesson_id


def test_how_the_text_is_written(api: Api) -> None:
    caller = api.tenant()
    adopted(caller, "Use `x` first.")
    whole = caller.get("/v1/briefing?agent=REFUNDS&projectId=default").json()
    assert whole["briefing"] == "## Rules for REFUNDS\n- Use \\`x\\` first.\n"
    assert [one["rule"] for one in whole["rules"]] == ["Use `x` first."]
    assert (whole["open"], whole["leftOut"], whole["guard"]) == ([], 0, [])
    for form in ("json", "markdown", "claude"):
        assert caller.get(f"/v1/briefing?agent=REFUNDS&projectId=default&format={form}").json() == whole
    plain = caller.get("/v1/briefing?agent=REFUNDS&format=text").json()
    assert plain["briefing"] == "Rules for REFUNDS:\n- Use `x` first.\n"


def test_why_rules_are_in_or_out(api: Api) -> None:
    caller = api.tenant()
    inside, outside = adopted(caller), caller.lesson(rule="Be kind.")["id"]
    told = caller.get("/v1/briefing?agent=refunds&explain=true").json()
    assert {one["lessonId"]: one["isIn"] for one in told["explained"]} == {inside: True, outside: False}
    one = caller.get(f"/v1/briefing?agent=refunds&explain=true&lessonId={outside}").json()["explained"]
    assert [entry["lessonId"] for entry in one] == [outside]
    assert "- out: Be kind. (It is open" in told["explanation"]


def test_a_briefing_that_is_known_is_not_sent_again(api: Api) -> None:
    caller = api.tenant()
    adopted(caller)
    first = caller.get("/v1/briefing?agent=refunds")
    known = {"if-none-match": first.headers["etag"]}
    again = caller.get("/v1/briefing?agent=refunds", headers=known)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    adopted(caller, "Be brief.")
    assert caller.get("/v1/briefing?agent=refunds", headers=known).status_code == 200


def test_a_session_that_was_told_is_counted_when_the_rule_is_retired(api: Api) -> None:
    caller = api.tenant()
    lesson_id = adopted(caller)
    reader = caller.service(role="read")
    assert reader.get("/v1/briefing?agent=refunds&session=chat-1").status_code == 200
    retired = caller.send("PATCH", f"/v1/lessons/{lesson_id}", {"status": "retired"}).json()
    assert retired["sessionsStillHaveIt"] == 1
    assert caller.get("/v1/briefing?agent=refunds").json()["rules"] == []


def test_stops_are_shown_at_the_lesson(api: Api) -> None:
    caller = api.tenant()
    lesson_id = adopted(caller, mustNotCall=[{"tool": "sh", "args": {"command": "rm"}}])
    guard = caller.get("/v1/briefing?agent=refunds").json()["guard"]
    assert [one["id"] for one in guard] == [lesson_id]
    body = {"stops": [{"lessonId": lesson_id, "count": 3, "tool": "sh", "at": "2026-01-05T01:00:00Z"}]}
    for _ in range(2):
        assert caller.keyed("once", "/v1/lessons/stops", body).json() == {"counted": 3}
    assert caller.get(f"/v1/lessons/{lesson_id}").json()["stops"] == 3


@pytest.mark.parametrize(
    "query",
    [
        "format=html",
        "lessonId=x",
        "explain=yes",
        "budget=199",
        "budget=100001",
        "agent=",
        "project_id=x",
        "session=",
    ],
)
def test_what_is_no_briefing_is_refused(lone: Caller, query: str) -> None:
    assert lone.get(f"/v1/briefing?{query}").status_code == 400


@pytest.mark.parametrize("stops", [[], [{}], [{"lessonId": "x", "count": 0}], [{"lessonId": "x"}] * 101])
def test_what_is_no_stop_is_refused(lone: Caller, stops: list[object]) -> None:
    error_of(lone.post("/v1/lessons/stops", {"stops": stops}), 400, "invalid-body")
