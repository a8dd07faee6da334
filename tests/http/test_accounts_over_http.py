"""Projects, members, users, tokens and the caller itself over HTTP."""

from tests.http.support import Api, a_run, error_of


def test_me(api: Api) -> None:
    caller = api.tenant()
    me = caller.get("/v1/me").json()
    assert (me["kind"], me["id"], me["tenantId"], me["name"], me["role"]) == (
        "user",
        caller.id,
        caller.tenant_id,
        "ada",
        "admin",
    )
    assert "admin" in me["scopes"]
    assert "secret" not in me["token"]
    service = caller.service("write", projectId="default")
    told = service.get("/v1/me").json()
    assert (told["kind"], told["id"], told["projects"]) == (
        "service",
        service.id,
        [{"id": "default", "role": "write"}],
    )
    assert "role" not in told


def test_projects(api: Api) -> None:
    caller = api.tenant()
    made = caller.post("/v1/projects", {"id": "Support_1", "name": "Support"})
    assert (made.status_code, made.headers["location"]) == (201, "/v1/projects/Support_1")
    again = caller.post("/v1/projects", {"id": "Support_1", "name": "Support"})
    assert (again.status_code, again.json()) == (200, made.json())
    error_of(caller.post("/v1/projects", {"id": "Support_1", "name": "x"}), 409, "project-exists")
    ours = caller.post("/v1/projects", {"name": "Ours"}).json()
    assert ours["id"].startswith("prj_")
    assert [entry["id"] for entry in caller.get("/v1/projects").json()["data"]] == [
        ours["id"],
        "Support_1",
        "default",
    ]
    renamed = caller.send("PATCH", "/v1/projects/Support_1", {"name": "Help"})
    assert renamed.json()["name"] == "Help"
    read = caller.get("/v1/projects/Support_1")
    assert read.json() == renamed.json()
    assert (
        caller.get("/v1/projects/Support_1", headers={"if-none-match": read.headers["etag"]}).status_code
        == 304
    )
    error_of(caller.get("/v1/projects/nowhere"), 404, "project-not-found")


def test_members(api: Api) -> None:
    caller = api.tenant()
    user, service = caller.user("bo"), caller.service("read", projectId="default")
    error_of(user.get("/v1/projects/default"), 403, "permission-denied")
    member = caller.send(
        "PUT", f"/v1/projects/default/members/{user.id}", {"role": "read", "reviewerRole": "senior"}
    )
    assert member.json()["kind"] == "user"
    assert user.get("/v1/projects/default").status_code == 200
    raised = caller.send("PUT", f"/v1/projects/default/members/{service.id}", {"role": "write"})
    assert (raised.json()["kind"], raised.json()["name"]) == ("service", "agent")
    explicit = {"role": "write", "kind": "user"}
    assert caller.send("PUT", f"/v1/projects/default/members/{user.id}", explicit).json()["role"] == "write"
    listed = caller.get("/v1/projects/default/members").json()["data"]
    assert {entry["id"] for entry in listed} == {user.id, service.id}
    gone = caller.send("DELETE", f"/v1/projects/default/members/{user.id}")
    assert (gone.status_code, gone.content) == (204, b"")
    assert "content-type" not in gone.headers
    error_of(user.get("/v1/projects/default"), 403, "permission-denied")
    error_of(caller.send("DELETE", f"/v1/projects/default/members/{user.id}"), 404, "member-not-found")
    assert caller.send("DELETE", f"/v1/projects/default/members/{service.id}?kind=service").status_code == 204
    error_of(
        caller.send("PUT", f"/v1/projects/default/members/{'x' * 300}", {"role": "read"}), 400, "invalid-body"
    )


def test_users(api: Api) -> None:
    caller = api.tenant()
    made = caller.post("/v1/users", {"name": "bo", "email": "bo@example.org", "role": "read"})
    assert made.status_code == 201
    user = made.json()
    assert user == {
        "id": user["id"],
        "tenantId": caller.tenant_id,
        "name": "bo",
        "email": "bo@example.org",
        "role": "read",
        "createdAt": user["createdAt"],
        "updatedAt": user["createdAt"],
    }
    error_of(caller.post("/v1/users", {"name": "bo"}), 409, "user-exists")
    assert [entry["name"] for entry in caller.get("/v1/users").json()["data"]] == ["bo", "ada"]
    assert caller.get("/v1/users?name=bo").json()["data"] == [user]
    assert caller.get(made.headers["location"]).json() == user
    disabled = caller.post(f"/v1/users/{user['id']}/disable")
    assert disabled.json()["disabledAt"]
    error_of(caller.post(f"/v1/users/{caller.id}/disable"), 409, "last-admin")


def test_a_user_is_changed_in_the_state_that_was_read(api: Api) -> None:
    caller = api.tenant()
    bo = caller.user("bo")
    path = f"/v1/users/{bo.id}"
    read = caller.get(path)
    state = {"if-match": read.headers["etag"]}
    changed = caller.send("PATCH", path, {"email": "bo@example.org", "role": "write"}, headers=state)
    assert (changed.status_code, changed.headers["etag"] != read.headers["etag"]) == (200, True)
    assert (changed.json()["email"], changed.json()["role"]) == ("bo@example.org", "write")
    assert bo.post("/v1/runs", a_run()).status_code == 201
    late = error_of(caller.send("PATCH", path, {"role": "admin"}, headers=state), 412, "changed-meanwhile")
    assert late["details"] == {"etag": changed.headers["etag"], "current": changed.json()}
    lifted = caller.send("PATCH", path, {"email": None, "role": None}).json()
    assert lifted.keys().isdisjoint({"email", "role"})
    error_of(bo.post("/v1/runs", a_run(id="another")), 403, "scope-missing")
    error_of(bo.send("PATCH", path, {"role": "admin"}), 403, "permission-denied")
    error_of(caller.send("PATCH", path, {}), 400, "invalid-body")
    error_of(caller.send("PATCH", path, {"disabledAt": None}), 400, "unknown-field")
    error_of(caller.send("PATCH", path, {"name": "ada"}), 409, "user-exists")
    error_of(caller.send("PATCH", f"/v1/users/{caller.id}", {"role": "read"}), 409, "last-admin")


def test_a_token_that_ends_makes_none_that_goes_on(api: Api) -> None:
    caller = api.tenant()
    until = "2036-01-05T01:00:00.000000Z"
    own = {"kind": "user", "name": "for the weekend", "expiresAt": until}
    brief = caller.with_token(caller.post("/v1/tokens", own).json()["secret"])
    for_good = {"kind": "service", "name": "agent", "role": "write"}
    error = error_of(brief.post("/v1/tokens", for_good), 403, "permission-denied")
    assert error["details"] == {"latest": until}
    assert brief.post("/v1/tokens", {**for_good, "expiresAt": until}).status_code == 201


def test_a_token_works_until_it_is_revoked_and_then_at_once_not(api: Api) -> None:
    caller = api.tenant()
    service = caller.service()
    assert service.post("/v1/runs", a_run()).status_code == 201
    revoked = caller.send("DELETE", f"/v1/tokens/{service.id}")
    assert revoked.status_code == 200
    assert revoked.json()["revokedAt"]
    error_of(service.get("/v1/me"), 401, "auth-revoked")
    error_of(service.post("/v1/runs", a_run()), 401, "auth-revoked")
    error_of(service.post("/v1/runs", {}), 401, "auth-revoked")
    error_of(service.get("/v1/runs"), 401, "auth-revoked")
    error_of(service.get("/v1/runs?limit=0"), 401, "auth-revoked")


def test_a_disabled_users_token_stops_at_once(api: Api) -> None:
    caller = api.tenant()
    user = caller.user("bo", "write")
    assert user.get("/v1/me").status_code == 200
    caller.post(f"/v1/users/{user.id}/disable")
    error_of(user.get("/v1/me"), 401, "auth-revoked")


def test_rotation(api: Api) -> None:
    caller = api.tenant()
    service = caller.service()
    kept = caller.post(f"/v1/tokens/{service.id}/rotate", {"keepOldMinutes": 5}).json()
    new = service.with_token(kept["secret"])
    assert kept["id"] == service.id
    assert kept["oldUntil"] > kept["rotatedAt"]
    assert service.get("/v1/me").status_code == new.get("/v1/me").status_code == 200
    newer = caller.post(f"/v1/tokens/{service.id}/rotate").json()
    error_of(service.get("/v1/me"), 401, "auth-invalid")
    error_of(new.get("/v1/me"), 401, "auth-expired")
    assert service.with_token(newer["secret"]).get("/v1/me").status_code == 200


def test_secrets_are_shown_once(api: Api) -> None:
    caller = api.tenant()
    service = caller.service(scopes=["corrections:read"])
    for path in ("/v1/tokens", f"/v1/tokens/{service.id}", "/v1/me", "/v1/events?limit=100"):
        text = caller.get(path).text
        assert service.token not in text
        assert "secret" not in text
    assert caller.get(f"/v1/tokens/{service.id}").json()["scopes"] == ["corrections:read"]


def test_nobody_gains_rights(api: Api) -> None:
    caller = api.tenant()
    user = caller.user("bo", "write")
    error_of(user.post("/v1/users", {"name": "cy"}), 403, "permission-denied")
    error_of(user.post("/v1/projects", {"name": "x"}), 403, "permission-denied")
    error_of(
        user.post("/v1/tokens", {"kind": "service", "name": "x", "role": "admin"}), 403, "permission-denied"
    )
    error_of(caller.service("write").post("/v1/projects", {"name": "x"}), 403, "scope-missing")
