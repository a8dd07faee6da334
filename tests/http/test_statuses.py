"""Every status that the document promises can be had, on every route; and those that it does not are not answered."""

from collections.abc import Callable
from typing import Any

import pytest

from setright.app.catalog import Operation
from setright.faces.http.openapi import document
from setright.faces.http.protocol import HEAD_BYTES
from setright.faces.http.route import Route
from setright.faces.http.table import ROUTES
from setright.kernel.errors import StorageUnavailable
from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, a_correction, a_lesson, a_run, open_api
from tests.http.test_openapi import OPERATIONS
from tests.http.writes import REQUESTS, prepared

MINE = [route for route in ROUTES if isinstance(route, Route)]
BIG = b"[" + b"1," * 3_000_000 + b"1]"
JSON = {"content-type": "application/json"}
SUCCESSES = {"200", "201", "202", "204", "304"}
# 410 needs content that left by retention or erasure, 431 is answered before there is a route.
ELSEWHERE = {"410", "431"}

NUMBERED = {"interactionId", "annotationRunId", "scholarId"}
"""Parameters of paths that are whole numbers; another text is no number of anything."""

ASKED = {
    "listSessions": "?userId=nobody",
    "searchKnowledge": "?q=lugal&runId=nowhere",
    "interpretWordAt": "?line=o.1&position=1",
}
"""What must be asked by routes that take no question without it."""


def path_of(route: Route, **known: str) -> str:
    """A path of the route whose parameters name nothing unless they are known."""
    for name in route.parameters:
        known.setdefault(name, "999999" if name in NUMBERED else "nothing")
    return route.path.format(**known)


def bad_request(caller: Caller, route: Route) -> Any:
    return caller.send(route.method, path_of(route) + "?nonsense=1")


def no_token(caller: Caller, route: Route) -> Any:
    return caller.client.request(route.method, path_of(route))


def not_allowed(caller: Caller, route: Route) -> Any:
    if isinstance(route.does, Operation) and route.method != "GET":
        return caller.send(route.method, path_of(route), headers={"origin": "https://evil.example"})
    if route.does.scope:
        other = "knowledge:read" if route.does.scope != "knowledge:read" else "decisions:read"
        narrow = caller.post("/v1/tokens", {"kind": "user", "name": "n", "scopes": [other]}).json()["secret"]
        return caller.with_token(narrow).get(path_of(route) + ASKED.get(route.name, ""))
    nobody = caller.service("read", projectId="default")
    known = {"projectId": "other", "userId": caller.id, "tokenId": caller.get("/v1/me").json()["token"]["id"]}
    caller.post("/v1/projects", {"id": "other", "name": "Other"})
    return nobody.get(path_of(route, **known))


def not_found(caller: Caller, route: Route) -> Any:
    body = REQUESTS[route.name][1] if route.name in REQUESTS else None
    if route.name == "recordCorrection":
        body = a_correction("nowhere")
    elif route.name == "recordRun":
        body = a_run(projectId="nowhere")
    elif route.name == "createCorrectorGroup":
        body = {"name": "G", "scope": {"kind": "project", "projectId": "nowhere"}}
    elif route.name == "createReviewQueue":
        body = {"name": "Q", "projectId": "nowhere"}
    elif route.name == "createErasure":
        body = {"runId": "nowhere", "reason": "asked for"}
    elif route.name == "createTestRun":
        body = {"projectId": "nowhere", "subject": {"kind": "agent", "id": "refunds", "version": "v2"}}
    elif route.name == "recordLesson":
        body = {**a_lesson(), "projectId": "nowhere"}
    elif route.name == "recordArtifact":
        body = {**REQUESTS[route.name][1], "run": {"scholarId": 9}}
    elif route.name == "createToken":
        body = {"kind": "service", "name": "t", "role": "read", "projectId": "nowhere"}
    query = "" if route.parameters or body else "?projectId=nowhere"
    query = ASKED.get(route.name, query)
    return caller.send(route.method, path_of(route) + query, body)


def not_acceptable(caller: Caller, route: Route) -> Any:
    return caller.send(route.method, path_of(route), headers={"accept": "text/html"})


def in_conflict(caller: Caller, route: Route) -> Any:
    """The same key with another body."""
    path, body = prepared(caller, route.name)
    first = caller.keyed("k", path, body, route.method)
    assert first.status_code < 300, first.text
    return caller.send(route.method, path, content=b" ", headers={**JSON, "idempotency-key": "k"})


def changed_meanwhile(caller: Caller, route: Route) -> Any:
    path, body = prepared(caller, route.name)
    return caller.send(route.method, path, body, headers={"if-match": '"1"'})


def too_large(caller: Caller, route: Route) -> Any:
    return caller.send(route.method, path_of(route), content=BIG, headers=JSON)


def of_another_type(caller: Caller, route: Route) -> Any:
    return caller.send(route.method, path_of(route), content=b"x", headers={"content-type": "text/plain"})


def misdirected(caller: Caller, route: Route) -> Any:
    return caller.send(route.method, path_of(route), headers={"host": "evil.example"})


PROVOKED: dict[str, Callable[[Caller, Route], Any]] = {
    "400": bad_request,
    "401": no_token,
    "403": not_allowed,
    "404": not_found,
    "406": not_acceptable,
    "409": in_conflict,
    "412": changed_meanwhile,
    "413": too_large,
    "415": of_another_type,
    "421": misdirected,
}
TROUBLES = {"429", "500", "503"}
CASES = [
    (route, status)
    for route in MINE
    for status in OPERATIONS[route.name][2]["responses"]
    if status in PROVOKED
]


@pytest.mark.parametrize(("route", "status"), CASES, ids=lambda value: getattr(value, "name", value))
def test_each_refusal_of_the_document_can_be_had(lone: Caller, route: Route, status: str) -> None:
    answer = PROVOKED[status](lone, route)
    assert str(answer.status_code) == status, answer.text
    assert answer.json()["error"]["requestId"] == answer.headers["x-request-id"]
    described = OPERATIONS[route.name][2]["responses"][status]["description"]
    assert f"`{answer.json()['error']['code']}`" in described


def test_no_status_of_the_document_is_left_out() -> None:
    told = {status for route in MINE for status in OPERATIONS[route.name][2]["responses"]}
    assert told == set(PROVOKED) | TROUBLES | SUCCESSES | ELSEWHERE
    assert HEAD_BYTES == 64 * 1024


@pytest.mark.parametrize("route", MINE, ids=lambda route: route.name)
def test_each_route_says_when_it_is_asked_too_often_or_cannot(
    troubled: Api, route: Route, monkeypatch: pytest.MonkeyPatch
) -> None:
    responses = OPERATIONS[route.name][2]["responses"]
    assert set(responses) >= TROUBLES
    caller = troubled.tenant()
    told = [caller.send(route.method, path_of(route) + "?nonsense=1").status_code for _ in range(3)]
    assert told == [400, 400, 429]
    for trouble, status in ((StorageUnavailable("it is locked"), 503), (RuntimeError("a fault"), 500)):

        def fail(*_: Any, trouble: Exception = trouble) -> Any:
            raise trouble

        monkeypatch.setattr(troubled.app.callers, "remembered", fail)
        assert caller.send(route.method, path_of(route)).status_code == status


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    api = open_api(new_sqlite(tmp_path_factory.mktemp("troubled")), rate_per_second=1, rate_burst=2)
    yield api
    api.close()


def test_the_document_of_the_table_is_the_document_of_the_server(lone_api: Api) -> None:
    assert lone_api.client.get("/openapi.json").json()["paths"].keys() == document(ROUTES)["paths"].keys()
