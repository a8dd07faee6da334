"""One form for every error, from every path that can fail."""

import asyncio
import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from setright.faces.http.application import build
from setright.faces.http.codes import every_refusal, kinds_by_code
from setright.faces.http.envelope import STATUS
from setright.faces.http.guard import Guard
from setright.faces.http.metrics import Metrics
from setright.faces.http.request import chosen_request_id
from setright.kernel.errors import Kind, StorageUnavailable
from tests.http.support import Api, Caller, a_correction, error_of

HEADERS = {"content-type": "application/json"}


def test_every_kind_has_a_status_and_every_code_one_kind() -> None:
    assert set(STATUS) == set(Kind)
    for refused in every_refusal():
        assert kinds_by_code()[refused.code] is refused.kind, refused


BODIES = {
    "nothing": b"",
    "broken": b'{"runId": ',
    "not an object": b"[]",
    "a word": b"null",
    "two values": b"{} {}",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "not UTF-8": b'{"runId": "\xff"}',
    "100,000 deep": b'{"runId":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "not a number": b'{"runId": NaN}',
    "infinity": b'{"runId": 1e999}',
    "a huge integer": b'{"runId": 9007199254740993}',
    "an endless integer": b'{"runId": ' + b"9" * 10_000 + b"}",
    "U+0000": b'{"runId": "a\\u0000b"}',
    "U+0000 in a name": b'{"a\\u0000b": 1}',
    "a lone surrogate": b'{"runId": "\\ud800"}',
    "a lone surrogate in a name": b'{"\\udc00": 1}',
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_cannot_be_used(api: Api, name: str) -> None:
    answer = api.tenant().post("/v1/corrections", content=BODIES[name], headers=HEADERS)
    error = error_of(answer, 400, "invalid-body")
    assert all({"pointer", "fault"} <= set(fault) for fault in error["details"]["faults"])


def test_every_fault_of_a_body_is_told_at_once(lone: Caller) -> None:
    body = {
        "runId": 7,
        "decisions": "maybe",
        "mustNotCall": ["x", 1],
        "items": [{"key": "", "verdict": "right"}],
    }
    error = error_of(lone.post("/v1/corrections", body), 400, "invalid-body")
    pointers = {fault["pointer"] for fault in error["details"]["faults"]}
    assert {"/runId", "/decisions", "/mustNotCall/1", "/items/0/key"} <= pointers


def test_an_unknown_field_alone_has_its_own_code(lone: Caller) -> None:
    body = a_correction("r", score=1)
    error = error_of(lone.post("/v1/corrections", body), 400, "unknown-field")
    assert [fault["pointer"] for fault in error["details"]["faults"]] == ["/score"]
    error_of(lone.post("/v1/corrections", {**body, "why": 1}), 400, "invalid-body")


def test_where_no_body_belongs_only_an_empty_one_may_stand(lone: Caller) -> None:
    user = lone.user("bo")
    error_of(lone.post(f"/v1/users/{user.id}/disable", {"force": True}), 400, "unknown-field")
    assert lone.post(f"/v1/users/{user.id}/disable", {}).status_code == 200
    assert lone.post(f"/v1/users/{user.id}/disable").status_code == 200


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "auth-missing"),
        ("", "auth-missing"),
        ("Basic abc", "auth-invalid"),
        ("Bearer", "auth-invalid"),
        ("Bearer nonsense", "auth-invalid"),
        ("Bearer \xff\xfe", "auth-invalid"),
        ("Bearer srt_" + "0" * 75, "auth-invalid"),
    ],
)
def test_tokens_that_let_nobody_in(lone_api: Api, header: str | None, code: str) -> None:
    headers: Any = {} if header is None else {"authorization": header.encode("latin-1")}
    answer = lone_api.client.get("/v1/me", headers=headers)
    error_of(answer, 401, code)
    assert answer.headers["www-authenticate"].startswith('Bearer realm="setright"')


def test_the_scheme_is_read_in_any_case_and_two_tokens_are_none(lone: Caller) -> None:
    ok = lone.client.get("/v1/me", headers={"authorization": f"bEARER   {lone.token}"})
    assert ok.status_code == 200
    twice = [("authorization", f"Bearer {lone.token}"), ("authorization", f"Bearer {lone.token}")]
    error_of(lone.client.get("/v1/me", headers=twice), 401, "auth-invalid")


def test_the_callers_request_id_is_used_when_it_is_one(lone: Caller) -> None:
    for given in ("a", "A.b_c-1", "x" * 128):
        assert lone.get("/v1/nothing", headers={"x-request-id": given}).json()["error"]["requestId"] == given
    for given in ("", "x" * 129, "a b", "ü".encode().decode("latin-1"), "a\tb"):
        answer = lone.get("/v1/me", headers={"x-request-id": given.encode("latin-1")})
        assert answer.headers["x-request-id"].startswith("req_")
    twice = lone.client.get("/healthz", headers=[("x-request-id", "a"), ("x-request-id", "b")])
    assert twice.headers["x-request-id"].startswith("req_")
    assert chosen_request_id(None) is None


def test_every_answer_has_the_headers_that_keep_browsers_safe(lone: Caller) -> None:
    for path in ("/v1/me", "/v1/nothing", "/healthz", "/metrics", "/docs"):
        headers = lone.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["content-security-policy"].startswith("default-src 'none'; frame-ancestors 'none'")
        assert "server" not in headers


class Lines:
    """A log that keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []

    def _take(self, event: str, **fields: Any) -> None:
        self.told.append({"event": event, **fields})

    info = warning = error = _take


def guarded(api: Api, failing: BaseException) -> tuple[TestClient, Lines]:
    async def answering(request: Any) -> Any:
        request.pattern = "/v1/me"
        raise failing

    log = Lines()
    guard: Any = Guard(api.app, answering, Metrics(api.app), log)
    return TestClient(guard, base_url="http://localhost"), log


def test_a_crash_says_nothing_of_its_reason_and_the_log_says_where(lone_api: Api) -> None:
    client, log = guarded(lone_api, RuntimeError("the customer's words"))
    error = error_of(client.get("/v1/me"), 500, "internal-error")
    assert "words" not in json.dumps(error)
    crash = log.told[0]
    assert (crash["event"], crash["request_id"], crash["error"]) == (
        "crash",
        error["requestId"],
        "builtins.RuntimeError",
    )
    assert any("answering" in frame for frame in crash["frames"])
    assert "words" not in json.dumps(log.told)


def test_a_database_in_trouble_is_503_with_a_time_to_retry(lone_api: Api) -> None:
    client, _ = guarded(lone_api, StorageUnavailable("the disk is full", 5))
    answer = client.get("/v1/me")
    error_of(answer, 503, "storage-unavailable")
    assert answer.headers["retry-after"] == "5"


def test_a_request_that_is_cut_off_by_the_end_is_told_so(lone_api: Api) -> None:
    client, _ = guarded(lone_api, asyncio.CancelledError())
    error_of(client.get("/v1/me"), 503, "server-stopping")


def test_a_websocket_is_closed(lone_api: Api) -> None:
    asgi: Any = build(lone_api.app)
    sent: list[Any] = []

    async def talk() -> None:
        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message["type"])

        await asgi({"type": "websocket", "path": "/", "headers": []}, receive, send)

    asyncio.run(talk())
    assert sent == ["websocket.close"]


def test_starting_and_stopping_are_answered(lone_api: Api) -> None:
    asgi: Any = build(lone_api.app)
    with TestClient(asgi, base_url="http://localhost") as client:
        assert client.get("/healthz").status_code == 200
