"""The order of checks of the contract: of two faults in one request, the earlier check answers."""

from typing import Any

import pytest

from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, a_correction, error_of, open_api

BROKEN = {"content": b"{", "headers": {"content-type": "application/json"}}
BIG = b"[" + b"1," * 3_000_000 + b"1]"


def _headers(**more: str) -> dict[str, str]:
    return {"content-type": "application/json", **more}


def test_an_unknown_route_comes_before_the_host(lone: Caller) -> None:
    answer = lone.get("/v1/nothing", headers={"host": "evil.example"})
    error_of(answer, 404, "route-not-found")


def test_a_wrong_method_comes_before_the_host(lone: Caller) -> None:
    answer = lone.send("PUT", "/v1/corrections", headers={"host": "evil.example"})
    error_of(answer, 405, "method-not-allowed")


def test_the_host_comes_before_the_media_type(lone: Caller) -> None:
    answer = lone.post(
        "/v1/corrections", content=b"x", headers={"host": "evil.example", "content-type": "text/plain"}
    )
    error_of(answer, 421, "misdirected-host")


def test_the_media_type_comes_before_the_size(lone: Caller) -> None:
    answer = lone.post("/v1/corrections", content=BIG, headers={"content-type": "text/plain"})
    error_of(answer, 415, "unsupported-media-type")


@pytest.mark.parametrize("chunked", [False, True])
def test_the_size_comes_before_the_token(lone: Caller, chunked: bool) -> None:
    content: Any = iter([BIG[:100], BIG[100:]]) if chunked else BIG
    answer = lone.client.post("/v1/corrections", content=content, headers=_headers())
    error = error_of(answer, 413, "request-too-large")
    assert error["details"] == {"maxBytes": 4 * 1024 * 1024}


def test_the_token_comes_before_the_body(lone: Caller) -> None:
    answer = lone.client.post("/v1/corrections", **BROKEN)
    error_of(answer, 401, "auth-missing")
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_the_token_comes_before_the_rate_and_the_rate_before_the_body(tmp_path: Any) -> None:
    api = open_api(new_sqlite(tmp_path), rate_per_second=1, rate_burst=2)
    caller = api.tenant()
    assert [caller.post("/v1/corrections", **BROKEN).status_code for _ in range(3)] == [400, 400, 429]
    error_of(api.client.post("/v1/corrections", **BROKEN), 401, "auth-missing")
    limited = caller.post("/v1/corrections", **BROKEN)
    error_of(limited, 429, "rate-limited")
    assert int(limited.headers["retry-after"]) >= 1
    api.close()


def test_the_kept_answer_comes_before_the_body(api: Api) -> None:
    """The same key with a body that cannot be read is a key that another body used, not a broken body."""
    caller = api.tenant()
    first = caller.keyed("k", "/v1/corrections", a_correction(caller.run()))
    assert first.status_code == 201
    answer = caller.post("/v1/corrections", content=b"{", headers=_headers(**{"idempotency-key": "k"}))
    error_of(answer, 409, "idempotency-key-body-mismatch")


def test_the_kept_answer_comes_before_the_scope_and_the_role(api: Api) -> None:
    caller = api.tenant()
    user = caller.user("bo", "write")
    run_id = caller.run()
    first = user.keyed("k", "/v1/corrections", a_correction(run_id))
    reader = caller.post(
        "/v1/tokens", {"kind": "user", "name": "narrow", "userId": user.id, "scopes": ["corrections:read"]}
    ).json()["secret"]
    again = user.with_token(reader).keyed("k", "/v1/corrections", a_correction(run_id))
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["idempotent-replay"] == "true"


def test_the_body_comes_before_the_scope(api: Api) -> None:
    reader = api.tenant().service("read")
    error_of(reader.post("/v1/corrections", {}), 400, "invalid-body")
    error_of(reader.post("/v1/corrections", a_correction("nowhere")), 403, "scope-missing")


def test_the_scope_comes_before_the_run(api: Api) -> None:
    caller = api.tenant()
    error_of(caller.post("/v1/corrections", a_correction("nowhere")), 404, "run-not-found")


def test_the_run_comes_before_the_role_and_the_role_before_its_status(api: Api) -> None:
    caller = api.tenant()
    caller.post("/v1/projects", {"id": "other", "name": "Other"})
    started = caller.post(
        "/v1/runs", {"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "1"}}
    )
    run_id = started.json()["id"]
    elsewhere = caller.service("write", projectId="other")
    error_of(elsewhere.post("/v1/corrections", a_correction(run_id)), 403, "permission-denied")
    error_of(caller.post("/v1/corrections", a_correction(run_id)), 409, "run-not-finished")


def test_another_tenants_run_is_not_found(api: Api) -> None:
    run_id = api.tenant().run()
    error_of(api.tenant().post("/v1/corrections", a_correction(run_id)), 404, "run-not-found")


def test_the_group_comes_before_the_pointers(api: Api) -> None:
    caller = api.tenant()
    items = [{"key": "x", "pointer": "/nowhere", "verdict": "right"}]
    body = a_correction(caller.run(), items=items, correctorGroupId="grp_x")
    error_of(caller.post("/v1/corrections", body), 400, "corrector-group-not-applicable")
    del body["correctorGroupId"]
    error_of(caller.post("/v1/corrections", body), 400, "item-not-found")
