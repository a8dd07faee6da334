"""Idempotency-Key on every writing route: the same bytes again, once recorded, and refused where it must be."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from setright.faces.http.route import Route
from setright.faces.http.table import ROUTES
from tests.http.support import Api, Caller, a_correction, a_run, error_of
from tests.http.writes import REQUESTS, prepared

WRITING = [route for route in ROUTES if isinstance(route, Route) and route.writes]


def test_the_first_answer_is_given_again_byte_by_byte(api: Api) -> None:
    caller = api.tenant()
    body = a_correction(caller.run())
    first = caller.keyed("k", "/v1/corrections", body)
    again = caller.keyed("k", "/v1/corrections", body)
    assert (again.status_code, again.content) == (first.status_code, first.content) == (201, first.content)
    for name in ("etag", "location", "content-type"):
        assert again.headers[name] == first.headers[name]
    assert "idempotent-replay" not in first.headers
    assert again.headers["idempotent-replay"] == "true"
    assert len(caller.get("/v1/corrections?includeUnregistered=true").json()["data"]) == 1


def test_without_a_key_the_same_body_is_another_request(api: Api) -> None:
    caller = api.tenant()
    body = a_correction(caller.run())
    ids = {caller.post("/v1/corrections", body).json()["id"] for _ in range(2)}
    assert len(ids) == 2


def test_another_body_is_refused(api: Api) -> None:
    caller = api.tenant()
    run_id = caller.run()
    caller.keyed("k", "/v1/corrections", a_correction(run_id))
    other = caller.keyed("k", "/v1/corrections", a_correction(run_id, why="because"))
    error_of(other, 409, "idempotency-key-body-mismatch")


def test_a_key_counts_for_one_caller_method_path_and_query(api: Api) -> None:
    caller = api.tenant()
    run = caller.post(
        "/v1/runs", {"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "1"}}
    )
    run_id = run.json()["id"]
    end = {"output": 1}
    assert caller.keyed("k", f"/v1/runs/{run_id}/finish", end).status_code == 200
    assert caller.keyed("k", "/v1/runs", a_run()).status_code == 201
    assert "idempotent-replay" not in caller.user("bo", "write").keyed("k", "/v1/runs", a_run()).headers
    assert "idempotent-replay" not in caller.service().keyed("k", "/v1/runs", a_run()).headers
    assert "idempotent-replay" not in api.tenant().keyed("k", "/v1/runs", a_run()).headers


def test_a_user_is_the_same_caller_with_another_token(api: Api) -> None:
    caller = api.tenant()
    body = a_run()
    first = caller.keyed("k", "/v1/runs", body)
    second = caller.post("/v1/tokens", {"kind": "user", "name": "second"}).json()["secret"]
    again = caller.with_token(second).keyed("k", "/v1/runs", body)
    assert again.content == first.content


def _revoke(admin: Caller, of: Caller) -> Any:
    token_id = of.get("/v1/me").json()["token"]["id"]
    return admin.send("DELETE", f"/v1/tokens/{token_id}")


def _disable(admin: Caller, of: Caller) -> Any:
    return admin.post(f"/v1/users/{of.id}/disable")


def _rotate(admin: Caller, of: Caller) -> Any:
    token_id = of.get("/v1/me").json()["token"]["id"]
    return admin.post(f"/v1/tokens/{token_id}/rotate")


@pytest.mark.parametrize(
    ("shut_out", "code"), [(_revoke, "auth-revoked"), (_disable, "auth-revoked"), (_rotate, "auth-expired")]
)
def test_who_was_shut_out_is_told_nothing_about_its_keys(api: Api, shut_out: Any, code: str) -> None:
    admin = api.tenant()
    caller = admin.user("bo", "write")
    body = a_run()
    assert caller.keyed("k", "/v1/runs", body).status_code == 201
    assert shut_out(admin, caller).status_code == 200
    for again in (body, a_run(output="another"), {"no": "run"}):
        error_of(caller.keyed("k", "/v1/runs", again), 401, code)


def test_refusals_are_not_kept(api: Api) -> None:
    caller = api.tenant()
    body = a_correction("later")
    error_of(caller.keyed("k", "/v1/corrections", body), 404, "run-not-found")
    caller.run("later")
    assert caller.keyed("k", "/v1/corrections", body).status_code == 201


def test_an_answer_with_a_secret_is_not_kept(api: Api) -> None:
    caller = api.tenant()
    body = {"kind": "service", "name": "s", "role": "read"}
    made = caller.keyed("k", "/v1/tokens", body)
    again = caller.keyed("k", "/v1/tokens", body)
    details = error_of(again, 409, "idempotency-key-replay-withheld")["details"]
    assert details == {"status": 201, "succeededAt": made.json()["createdAt"]}
    rotated = f"/v1/tokens/{made.json()['id']}/rotate"
    assert caller.keyed("r", rotated, {}).status_code == 200
    error_of(caller.keyed("r", rotated, {}), 409, "idempotency-key-replay-withheld")


@pytest.mark.parametrize("key", [b"", b"  ", b"x" * 256, "ü".encode(), b"a\tb"])
def test_what_is_no_key_is_refused(lone: Caller, key: bytes) -> None:
    answer = lone.post("/v1/runs", a_run(), headers={"idempotency-key": key})
    error = error_of(answer, 400, "invalid-parameter")
    assert error["details"]["faults"][0]["parameter"] == "Idempotency-Key"


def test_several_keys_are_refused(lone: Caller) -> None:
    headers = [("authorization", f"Bearer {lone.token}"), ("idempotency-key", "a"), ("idempotency-key", "a")]
    error_of(lone.client.post("/v1/runs", json=a_run(), headers=headers), 400, "invalid-parameter")


@pytest.mark.parametrize("key", ["x", "x" * 255, "!~", "with a space"])
def test_what_is_a_key(lone: Caller, key: str) -> None:
    body = a_run()
    first = lone.keyed(key, "/v1/runs", body)
    assert (first.status_code, lone.keyed(key, "/v1/runs", body).content) == (201, first.content)


def test_a_key_on_a_read_changes_nothing(lone: Caller) -> None:
    first = lone.send("GET", "/v1/me", headers={"idempotency-key": "k"})
    again = lone.send("GET", "/v1/me", headers={"idempotency-key": "k"})
    assert first.status_code == again.status_code == 200
    assert "idempotent-replay" not in again.headers


def test_twenty_at_once_are_one(api: Api) -> None:
    caller = api.tenant()
    body = a_correction(caller.run())

    def send(_: int) -> Any:
        return caller.keyed("k", "/v1/corrections", body)

    with ThreadPoolExecutor(20) as pool:
        told = list(pool.map(send, range(20)))
    good = [answer for answer in told if answer.status_code == 201]
    assert good
    assert len({answer.content for answer in good}) == 1
    for answer in told:
        if answer.status_code != 201:
            error_of(answer, 409, "idempotency-key-in-flight")
            assert answer.headers["retry-after"] == "1"
    assert len(caller.get("/v1/corrections?includeUnregistered=true").json()["data"]) == 1


def test_every_writing_route_is_here() -> None:
    assert {route.name for route in WRITING} == set(REQUESTS)


@pytest.mark.parametrize("route", WRITING, ids=lambda route: route.name)
def test_every_writing_route_takes_a_key(lone: Caller, route: Route) -> None:
    path, body = prepared(lone, route.name)
    first = lone.keyed("key", path, body, route.method)
    again = lone.keyed("key", path, body, route.method)
    assert first.status_code < 300, first.text
    if "secret" in first.text:
        error_of(again, 409, "idempotency-key-replay-withheld")
    else:
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["idempotent-replay"] == "true"
