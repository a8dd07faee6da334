"""The summary of corrections over HTTP."""

from tests.http.support import Caller, error_of


def test_the_summary_counts_by_status_aspect_and_subject(caller: Caller) -> None:
    caller.correction()
    caller.correction(decisions="wrong", mustNotCall=["look_up"])
    gone = caller.correction()
    caller.post(f"/v1/corrections/{gone['id']}/unregister")
    whole = caller.get("/v1/corrections/summary").json()
    one = {"corrections": 1, "weighted": 1.0}
    two, none = {"corrections": 2, "weighted": 2.0}, {"corrections": 0, "weighted": 0.0}
    total = {
        **two,
        "decisions": {"right": none, "wrong": one},
        "answer": {"right": none, "wrong": two},
        "sortedTo": {"improve": one, "developer": none, "owner": one},
    }
    assert {name: whole[name] for name in total} == total
    assert [(tally["status"], tally["corrections"]) for tally in whole["statuses"]] == [
        ("open", 1),
        ("with-owner", 1),
        ("removed", 1),
    ]
    (entry,) = whole["data"]
    assert entry["subject"] == {"kind": "agent", "id": "refunds", "version": "v1"}
    assert {**total, "statuses": whole["statuses"], "subject": entry["subject"]} == entry
    assert (whole["hasMore"], "nextCursor" in whole) == (False, False)


def test_without_corrections_everything_is_0_and_nothing_is_null(caller: Caller) -> None:
    assert caller.get("/v1/corrections/summary").json() == {
        "corrections": 0,
        "weighted": 0.0,
        "statuses": [],
        "data": [],
        "hasMore": False,
    }


def test_groups_weigh_and_experts_count_apart(caller: Caller) -> None:
    body = {
        "name": "experts",
        "weight": 2.5,
        "scope": {"kind": "tenant"},
        "assertableBy": {"principalKinds": ["user"]},
    }
    made = caller.post("/v1/corrector-groups", body)
    assert made.status_code == 201, made.text
    caller.correction(correctorGroupId=made.json()["id"])
    caller.correction()
    for query, expected in (("", (2, 3.5)), ("?expert=true", (1, 2.5)), ("?expert=false", (1, 1.0))):
        whole = caller.get(f"/v1/corrections/summary{query}").json()
        assert (whole["corrections"], whole["weighted"]) == expected


def test_its_pages_go_on_by_cursor(caller: Caller) -> None:
    for version in ("v1", "v2", "v3"):
        caller.correction(caller.run(subject={"kind": "agent", "id": "refunds", "version": version}))
    first = caller.get("/v1/corrections/summary?limit=2").json()
    rest = caller.get(f"/v1/corrections/summary?limit=2&cursor={first['nextCursor']}").json()
    seen = [entry["subject"]["version"] for page in (first, rest) for entry in page["data"]]
    assert seen == ["v1", "v2", "v3"]
    assert (first["corrections"], rest["corrections"], rest["hasMore"]) == (3, 3, False)
    error_of(caller.get("/v1/corrections/summary?cursor=abc"), 400, "invalid-cursor")


def test_what_does_not_fit_is_refused(caller: Caller) -> None:
    error_of(caller.get("/v1/corrections/summary?agentVersion=v1"), 400, "invalid-parameter")
    error_of(caller.get("/v1/corrections/summary?agentId=a&flowId=b"), 400, "invalid-parameter")
    error_of(caller.get("/v1/corrections/summary?status=open"), 400, "unknown-parameter")
    error_of(caller.get("/v1/corrections/summary?projectId=nowhere"), 404, "project-not-found")
    error_of(caller.get("/v1/corrections/summary?expert=maybe"), 400, "invalid-parameter")
    caller.correction()
    assert caller.post("/v1/projects", {"id": "other", "name": "Other"}).status_code == 201
    outsider = caller.service("read", projectId="other")
    error_of(outsider.get("/v1/corrections/summary?projectId=default"), 403, "permission-denied")
    assert outsider.get("/v1/corrections/summary").json()["corrections"] == 0
