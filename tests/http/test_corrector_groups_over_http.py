"""Corrector groups over HTTP: made, changed, retired, and named by a correction."""

from typing import Any

import pytest

from tests.http.support import Api, Caller, a_correction, error_of

TENANT = {"kind": "tenant"}
GROUPS = "/v1/corrector-groups"


def test_a_group_answers_with_where_it_stands_and_all_that_was_said(api: Api) -> None:
    caller = api.tenant()
    scope = {"kind": "agent", "projectId": "default", "agentId": "Refunds"}
    by = {"minReviewerRole": "senior", "principalKinds": ["user"], "principalIds": [caller.id]}
    body = {"name": "Lawyers", "scope": scope, "weight": 2.5, "assertableBy": by}
    made = caller.post(GROUPS, body)
    assert made.status_code == 201
    group = made.json()
    assert list(group) == (
        [
            "id",
            "tenantId",
            "name",
            "scope",
            "weight",
            "assertableBy",
            "status",
            "createdBy",
            "createdAt",
            "updatedAt",
        ]
    )
    assert {name: group[name] for name in body} == body
    assert group["createdBy"] == {"kind": "user", "id": caller.id}
    assert made.headers["location"] == f"{GROUPS}/{group['id']}"
    found = caller.get(made.headers["location"])
    assert (found.json(), found.headers["etag"]) == (group, made.headers["etag"])
    again = caller.get(made.headers["location"], headers={"if-none-match": made.headers["etag"]})
    assert again.status_code == 304


def test_a_weight_left_out_is_1_and_a_whole_one_has_no_fraction(lone: Caller) -> None:
    assert lone.group()["weight"] == 1
    answer = lone.post(GROUPS, {"name": "two", "scope": TENANT, "weight": 2.0})
    assert b'"weight":2,' in answer.content


@pytest.mark.parametrize("weight", ["-1", "-0.001", "NaN", "Infinity", "-Infinity", "1e999", "1e10", '"2"'])
def test_what_is_no_weight_is_refused_by_name(lone: Caller, weight: str) -> None:
    headers = {"content-type": "application/json"}
    text = f'{{"name": "g", "scope": {{"kind": "tenant"}}, "weight": {weight}}}'
    made = lone.post(GROUPS, content=text.encode(), headers=headers)
    assert error_of(made, 400, "invalid-body")["details"]["faults"][0]["pointer"] == "/weight"
    path = f"{GROUPS}/{lone.group()['id']}"
    changed = lone.send("PATCH", path, content=f'{{"weight": {weight}}}'.encode(), headers=headers)
    assert error_of(changed, 400, "invalid-body")["details"]["faults"][0]["pointer"] == "/weight"


def test_a_name_that_is_taken_names_who_has_it(api: Api) -> None:
    caller = api.tenant()
    first = caller.group()
    error = error_of(caller.post(GROUPS, {"name": "EXPERTS", "scope": TENANT}), 409, "corrector-group-exists")
    assert error["details"] == {"correctorGroupId": first["id"], "name": "Experts", "status": "active"}
    assert first["id"] in error["message"]


def test_a_change_honours_the_state_that_it_names(api: Api) -> None:
    caller = api.tenant()
    path = f"{GROUPS}/{caller.group()['id']}"
    first = caller.get(path).headers["etag"]
    changed = caller.send("PATCH", path, {"weight": 2}, headers={"if-match": first})
    assert (changed.status_code, changed.json()["weight"]) == (200, 2)
    late = caller.send("PATCH", path, {"weight": 3}, headers={"if-match": first})
    details = error_of(late, 412, "changed-meanwhile")["details"]
    assert details == {"etag": changed.headers["etag"], "current": changed.json()}
    assert caller.send("PATCH", path, {"weight": 3}).json()["weight"] == 3


def test_null_lifts_the_restriction_and_nothing_else(api: Api) -> None:
    caller = api.tenant()
    path = f"{GROUPS}/{caller.group(assertableBy={'principalKinds': ['user']})['id']}"
    assert "assertableBy" not in caller.send("PATCH", path, {"assertableBy": None}).json()
    error_of(caller.send("PATCH", path, {"name": None}), 400, "invalid-body")
    error_of(caller.send("PATCH", path, {}), 400, "invalid-body")
    error_of(caller.send("PATCH", path, {"scope": TENANT}), 400, "unknown-field")


def test_a_correction_keeps_its_group_and_whether_that_was_an_experts(api: Api) -> None:
    caller = api.tenant()
    open_one = caller.group()
    closed = caller.group(name="closed", assertableBy={"principalKinds": ["user"]})
    plain = caller.correction(correctorGroupId=open_one["id"])
    assert (plain["correctorGroupId"], "expert" in plain) == (open_one["id"], False)
    bare = closed["id"].removeprefix("grp_")
    expert = caller.correction(correctorGroupId=bare)
    assert (expert["correctorGroupId"], expert["expert"]) == (closed["id"], True)
    caller.send("PATCH", f"{GROUPS}/{closed['id']}", {"assertableBy": None, "weight": 9})
    assert caller.get(f"/v1/corrections/{expert['id']}").json()["expert"] is True
    for query, found in (
        (f"correctorGroupId={closed['id']}", [expert]),
        ("expert=true", [expert]),
        ("expert=false", [plain]),
    ):
        assert caller.get(f"/v1/corrections?{query}").json()["data"] == found


def test_a_retired_group_is_read_and_not_asserted(api: Api) -> None:
    caller = api.tenant()
    group = caller.group()
    gone = caller.post(f"{GROUPS}/{group['id']}/retire")
    assert (gone.status_code, gone.json()["status"]) == (200, "retired")
    assert caller.post(f"{GROUPS}/{group['id']}/retire").content == gone.content
    assert caller.get(f"{GROUPS}/{group['id']}").json() == gone.json()
    refused = caller.post("/v1/corrections", a_correction(caller.run(), correctorGroupId=group["id"]))
    error = error_of(refused, 400, "corrector-group-not-applicable")
    assert error["details"] == {"correctorGroupId": group["id"], "retiredAt": gone.json()["retiredAt"]}
    assert caller.get(GROUPS).json() == {"data": [], "hasMore": False}
    assert caller.get(f"{GROUPS}?includeRetired=true").json()["data"] == [gone.json()]


def test_who_may_not_assert_a_group_is_told_which_part_does_not_hold(api: Api) -> None:
    caller = api.tenant()
    user = caller.user("bo")
    member = f"/v1/projects/default/members/{user.id}"
    caller.send("PUT", member, {"role": "write", "reviewerRole": "standard"})
    by = {"minReviewerRole": "senior", "principalKinds": ["user"]}
    group = caller.group(assertableBy=by)
    body = a_correction(caller.run(), correctorGroupId=group["id"])
    error = error_of(user.post("/v1/corrections", body), 403, "corrector-group-not-allowed")
    assert error["details"] == {
        "correctorGroupId": group["id"],
        "projectId": "default",
        "notHeld": ["minReviewerRole"],
    }
    assert "senior or higher" in error["message"]
    assert "standard" in error["message"]
    service = error_of(caller.service().post("/v1/corrections", body), 403, "corrector-group-not-allowed")
    assert service["details"]["notHeld"] == ["minReviewerRole", "principalKinds"]
    caller.send("PUT", member, {"role": "write", "reviewerRole": "senior"})
    assert user.post("/v1/corrections", body).json()["expert"] is True


def test_another_tenants_group_is_as_if_it_were_not_there(api: Api) -> None:
    group, other = api.tenant().group(), api.tenant()
    unknown = "grp_01KE5MCQ800000000000000009"

    def told(group_id: str) -> list[Any]:
        path = f"{GROUPS}/{group_id}"
        body = a_correction("known", correctorGroupId=group_id)
        asked = [
            other.get(path),
            other.send("PATCH", path, {"weight": 1}),
            other.post(f"{path}/retire"),
            other.post("/v1/corrections", body),
        ]
        return [(one.status_code, one.json()["error"]["message"].replace(group_id, "")) for one in asked]

    other.run("known")
    assert told(group["id"]) == told(unknown)
    assert [status for status, _ in told(unknown)] == [404, 404, 404, 400]
    assert other.get(f"{GROUPS}?includeRetired=true").json()["data"] == []


def test_who_may_make_and_read_which_groups(api: Api) -> None:
    caller = api.tenant()
    caller.post("/v1/projects", {"id": "other", "name": "Other"})
    keeper = caller.service("admin", projectId="default")
    scope = {"kind": "project", "projectId": "default"}
    error_of(keeper.post(GROUPS, {"name": "g", "scope": TENANT}), 403, "permission-denied")
    mine = keeper.group(scope=scope)
    elsewhere = {"kind": "project", "projectId": "other"}
    error_of(keeper.post(GROUPS, {"name": "g", "scope": elsewhere}), 403, "permission-denied")
    theirs, for_all = caller.group(scope=elsewhere), caller.group()
    reader = caller.service("read", projectId="default")
    assert reader.get(GROUPS).json()["data"] == [for_all, mine]
    error_of(reader.get(f"{GROUPS}/{theirs['id']}"), 403, "permission-denied")
    error_of(reader.get(f"{GROUPS}?projectId=other"), 403, "permission-denied")
    error_of(reader.get(f"{GROUPS}?projectId=nowhere"), 404, "project-not-found")
    error_of(reader.post(GROUPS, {"name": "h", "scope": scope}), 403, "scope-missing")
    writer = caller.service("write", projectId="default")
    error_of(writer.post(f"{GROUPS}/{mine['id']}/retire"), 403, "permission-denied")
    nowhere = {"kind": "project", "projectId": "nowhere"}
    error_of(caller.post(GROUPS, {"name": "g", "scope": nowhere}), 404, "project-not-found")


def test_what_happened_to_a_group_is_in_the_feed(api: Api) -> None:
    caller = api.tenant()
    group = caller.group()
    caller.send("PATCH", f"{GROUPS}/{group['id']}", {"weight": 2})
    caller.send("PATCH", f"{GROUPS}/{group['id']}", {"weight": 2})
    caller.post(f"{GROUPS}/{group['id']}/retire")
    about = {"kind": "group", "id": group["id"]}
    events = caller.get("/v1/events?limit=100").json()["data"]
    told = [(event["kind"], event["changed"]) for event in events if event["subject"] == about]
    assert told == [
        ("group.created", ["name", "weight", "scope", "assertableBy", "status"]),
        ("group.changed", ["weight"]),
        ("group.retired", ["status"]),
    ]


def test_lists_of_groups_are_narrowed_and_come_in_pages(api: Api) -> None:
    caller = api.tenant()
    agent = {"kind": "agent", "projectId": "default", "agentId": "Refunds"}
    made = [
        caller.group(scope=scope) for scope in (TENANT, {"kind": "project", "projectId": "default"}, agent)
    ]
    for query, found in (
        ("projectId=default", [2, 1]),
        ("agentId=%20refunds", [2]),
        ("scope=tenant", [0]),
        ("scope=project&projectId=default", [1]),
    ):
        assert caller.get(f"{GROUPS}?{query}").json()["data"] == [made[place] for place in found], query
    first = caller.get(f"{GROUPS}?limit=2").json()
    rest = caller.get(f"{GROUPS}?limit=2&cursor={first['nextCursor']}").json()
    assert [*first["data"], *rest["data"]] == made[::-1]
    error_of(caller.get(f"{GROUPS}?scope=team"), 400, "invalid-parameter")
    error_of(caller.get(f"{GROUPS}?name=x"), 400, "unknown-parameter")
