"""Corrections over HTTP: the whole wire form, conditional reads, lists, cursors and histories."""

import json
from typing import Any

import pytest

from tests.http.support import Api, Caller, a_correction, a_run, error_of

FIELDS = (
    "id tenantId projectId runId subject decisions shouldCall mustNotCall answer shouldSay why items "
    "correctorGroupId expert madeBy participantId callsMatch callsOrder answerMatch evidence status sortedTo "
    "sorted link fixedIn reopenedIn statusNote createdAt updatedAt unregisteredAt supersededBy"
)
ORDER = FIELDS.split()

FULL: dict[str, Any] = {
    "evidence": ["https://example.org/rule"],
    "answerMatch": {"how": "contains", "values": ["14 days"]},
    "callsOrder": "as-listed",
    "callsMatch": "exactly",
    "participantId": "customer-7",
    "items": [
        {"key": "a", "pointer": "/matches/0", "rank": 0, "verdict": "right"},
        {"key": "b", "pointer": "/matches/1/id", "verdict": "wrong"},
        {"key": "c", "verdict": "wrong"},
    ],
    "why": "the order was 9 days old",
    "shouldSay": "Yes, within 14 days.",
    "answer": "wrong",
    "mustNotCall": ["reject"],
    "shouldCall": [
        {"tool": "pay", "args": {"order": 1, "note": None}, "match": {"order": {"tolerance": 0}}},
        {"tool": "mail"},
    ],
    "decisions": "wrong",
}


def test_everything_that_was_said_comes_back_in_the_order_of_the_contract(api: Api) -> None:
    caller = api.tenant()
    made = caller.post("/v1/corrections", {"runId": caller.run("r"), **FULL})
    shown = made.json()
    assert made.status_code == 201
    assert list(shown) == [name for name in ORDER if name in shown]
    for name, said in FULL.items():
        expected = [*said[:1], {"tool": "mail", "args": {}}] if name == "shouldCall" else said
        assert shown[name] == expected, name
    assert shown["madeBy"] == {"kind": "user", "id": caller.id}
    assert shown["subject"] == {"kind": "agent", "id": "refunds", "version": "v1"}
    assert shown["createdAt"] == shown["updatedAt"]
    assert made.headers["location"] == f"/v1/corrections/{shown['id']}"
    assert caller.get("/v1/corrections").json()["data"] == [shown]


def test_reading_one_adds_the_copy_and_the_values(api: Api) -> None:
    caller = api.tenant()
    made = caller.post("/v1/corrections", {"runId": caller.run("r"), **FULL})
    read = caller.get(f"/v1/corrections/{made.json()['id']}")
    shown = read.json()
    run = a_run()
    assert shown.pop("copy") == {name: run[name] for name in ("input", "calls", "output", "answer")}
    values = [item.pop("value", "none") for item in shown["items"]]
    assert values == [{"id": "a"}, "b", "none"]
    assert shown == made.json()
    assert read.headers["etag"] == made.headers["etag"]


def test_values_that_are_null_false_or_empty_are_values(api: Api) -> None:
    caller = api.tenant()
    run_id = caller.run(output={"a": None, "b": False, "c": "", "": 1})
    keys = ("a", "b", "c", "")
    items = [{"key": key or "whole", "pointer": f"/{key}", "verdict": "right"} for key in keys]
    made = caller.post("/v1/corrections", {"runId": run_id, "items": items}).json()
    shown = caller.get(f"/v1/corrections/{made['id']}").json()
    assert [item["value"] for item in shown["items"]] == [None, False, "", 1]


@pytest.mark.parametrize("bare", [False, True])
def test_an_id_of_ours_is_read_with_or_without_its_prefix(api: Api, bare: bool) -> None:
    caller = api.tenant()
    made = caller.correction()
    asked = made["id"].removeprefix("cor_") if bare else made["id"]
    assert caller.get(f"/v1/corrections/{asked}").json()["id"] == made["id"]
    assert caller.get(f"/v1/corrections/{asked.lower()}").json()["id"] == made["id"]


def test_what_the_caller_knows_is_not_sent_again(api: Api) -> None:
    caller = api.tenant()
    made = caller.correction()
    path = f"/v1/corrections/{made['id']}"
    tag = caller.get(path).headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = caller.get(path, headers={"if-none-match": known})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
        assert "content-type" not in answer.headers
    for other in ('"other"', tag.strip('"'), ""):
        assert caller.get(path, headers={"if-none-match": other}).status_code == 200
    caller.correction(made["runId"])
    assert caller.get(path, headers={"if-none-match": tag}).status_code == 200


def test_a_list_goes_on_by_its_cursor_and_neither_skips_nor_repeats(api: Api) -> None:
    caller = api.tenant()
    made = [caller.correction()["id"] for _ in range(7)]
    seen: list[str] = []
    path = "/v1/corrections?limit=3"
    pages = 0
    while path:
        page = caller.get(path).json()
        assert list(page) == ["data", *(["nextCursor"] if page["hasMore"] else []), "hasMore"]
        seen += [entry["id"] for entry in page["data"]]
        path = f"/v1/corrections?limit=3&cursor={page['nextCursor']}" if page["hasMore"] else ""
        caller.correction()
        pages += 1
    assert (pages, seen) == (3, list(reversed(made)))


def test_a_cursor_is_for_one_list_of_one_tenant(api: Api) -> None:
    caller, other = api.tenant(), api.tenant()
    for _ in range(2):
        caller.correction()
        other.correction()
    cursor = caller.get("/v1/corrections?limit=1").json()["nextCursor"]
    assert caller.get(f"/v1/corrections?cursor={cursor}").status_code == 200
    for path in (
        f"/v1/runs?cursor={cursor}",
        f"/v1/corrections?cursor={cursor}x",
        "/v1/corrections?cursor=%F0%9F%99%82",
    ):
        error = error_of(caller.get(path), 400, "invalid-cursor")
        assert error["details"]["parameter"] == "cursor"
    error_of(other.get(f"/v1/corrections?cursor={cursor}"), 400, "invalid-cursor")


def test_filters_are_passed_on(api: Api) -> None:
    caller = api.tenant()
    wrong = caller.correction(caller.run(subject={"kind": "flow", "id": "F", "version": "2"}))
    right = caller.post(
        "/v1/corrections", {"runId": caller.run(), "decisions": "right", "participantId": "p"}
    ).json()

    def found(query: str) -> list[str]:
        return [entry["id"] for entry in caller.get(f"/v1/corrections?{query}").json()["data"]]

    both = [right["id"], wrong["id"]]
    for query, expected in {
        "projectId=default": both,
        f"runId={wrong['runId']}": [wrong["id"]],
        "agentId=REFUNDS&agentVersion=v1": [right["id"]],
        "flowId=f": [wrong["id"]],
        "status=open&status=fixed": both,
        "sortedTo=improve": [wrong["id"]],
        "decisions=right": [right["id"]],
        "answer=wrong": [wrong["id"]],
        "participantId=p": [right["id"]],
        f"madeBy={caller.id}": both,
        "madeBy=usr_nobody": [],
        "expert=true": [],
        "expert=false": both,
        f"since={right['createdAt']}": [right["id"]],
        f"until={right['createdAt']}": [wrong["id"]],
        "correctorGroupId=grp_x": [],
    }.items():
        assert found(query) == expected, query
    error_of(caller.get("/v1/corrections?projectId=nowhere"), 404, "project-not-found")


def test_a_superseded_correction_is_listed_when_asked_for(api: Api) -> None:
    caller = api.tenant()
    run_id = caller.run()
    first, second = caller.correction(run_id), caller.correction(run_id)
    assert [entry["id"] for entry in caller.get("/v1/corrections").json()["data"]] == [second["id"]]
    listed = caller.get("/v1/corrections?includeUnregistered=true").json()["data"]
    assert [entry["id"] for entry in listed] == [second["id"], first["id"]]
    assert listed[1]["supersededBy"] == second["id"]
    assert listed[1]["unregisteredAt"] == second["createdAt"]


def test_the_history_and_the_feed(api: Api) -> None:
    caller = api.tenant()
    run_id = caller.run()
    first, second = caller.correction(run_id), caller.correction(run_id)
    history = caller.get(f"/v1/corrections/{first['id']}/history").json()
    assert [event["kind"] for event in history["data"]] == ["correction.recorded", "correction.superseded"]
    assert history["hasMore"] is False
    event = history["data"][0]
    assert list(event) == ["seq", "at", "by", "kind", "subject", "projectId", "changed", "about"]
    assert event["by"] == {"kind": "user", "id": caller.id}
    assert event["subject"] == {"kind": "correction", "id": first["id"]}
    seen: list[int] = []
    more = True
    while more:
        page = caller.get(f"/v1/events?limit=2&projectId=default&after={seen[-1] if seen else 0}").json()
        seen += [event["seq"] for event in page["data"]]
        more = page["hasMore"]
    assert len(seen) == len(set(seen)) >= 4
    later = caller.get(f"/v1/corrections/{first['id']}/history?after={event['seq']}").json()["data"]
    assert [event["kind"] for event in later] == ["correction.superseded"]
    assert second["id"] not in {event["subject"]["id"] for event in later}


def test_another_tenants_correction_is_not_found_and_ones_own_without_a_role_is_forbidden(api: Api) -> None:
    caller = api.tenant()
    made = caller.correction()
    for path in (f"/v1/corrections/{made['id']}", f"/v1/corrections/{made['id']}/history"):
        error_of(api.tenant().get(path), 404, "correction-not-found")
        caller.post("/v1/projects", {"id": "other", "name": "Other"})
        error_of(caller.service("read", projectId="other").get(path), 403, "permission-denied")
    assert caller.service("read", projectId="other").get("/v1/corrections").json()["data"] == []


def test_a_run_and_its_correction_go_in_together_or_not_at_all(api: Api) -> None:
    caller = api.tenant()
    body = {**a_correction("r"), "run": a_run(id="r2")}
    del body["runId"]
    made = caller.post("/v1/corrections", body)
    assert (made.status_code, made.json()["runId"]) == (201, "r2")
    items = [{"key": "x", "pointer": "/nowhere", "verdict": "right"}]
    broken = {**body, "run": a_run(id="r3"), "items": items}
    error_of(caller.post("/v1/corrections", broken), 400, "item-not-found")
    error_of(caller.get("/v1/runs/r3"), 404, "run-not-found")


TEXTS = [
    "\\u0000 as six characters",
    "a\u2028b\u2029",
    "😀 \U0010ffff",
    "<script>",
    '"\\',
    "ﬁ 14\u00a0days",
    "\ufeff",
    "\x1b[0m",
]


def test_texts_come_back_as_they_were_sent(api: Api) -> None:
    caller = api.tenant()
    for text in TEXTS:
        made = caller.correction(caller.run(), shouldSay=text, why=text)
        shown = caller.get(f"/v1/corrections/{made['id']}").json()
        assert (shown["shouldSay"], shown["why"]) == (text, text)


def test_numbers_and_names_come_back_as_they_were_sent(api: Api) -> None:
    caller = api.tenant()
    args = {
        "b": 1,
        "a": 1.0,
        "x.y": 9007199254740991,
        "": -0.5,
        "n": None,
        "z": [1e-7, 1e20, True],
        "ü/~": {"k": {}},
    }
    body = {"runId": caller.run(), "decisions": "wrong", "shouldCall": [{"tool": "math.sum", "args": args}]}
    made = caller.post("/v1/corrections", body).json()
    shown = caller.get(f"/v1/corrections/{made['id']}").json()["shouldCall"][0]
    assert json.dumps(shown["args"]) == json.dumps(args)
    assert shown["tool"] == "math.sum"


def test_a_caller_is_who_the_token_says(lone: Caller) -> None:
    service = lone.service()
    made = service.correction(lone.run())
    assert made["madeBy"] == {"kind": "service", "id": service.id}
    error_of(
        lone.post("/v1/corrections", a_correction("r", madeBy={"kind": "user", "id": "x"})),
        400,
        "unknown-field",
    )
