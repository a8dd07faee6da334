"""Paths and methods: which route answers, and what is refused before any is asked."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.faces.http.errors import InvalidPath, MethodNotAllowed, RouteNotFound
from setright.faces.http.routing import Router
from setright.faces.http.table import ROUTES
from tests.http.support import Caller, a_run, error_of

ROUTER = Router(ROUTES)


def name_of(method: str, path: str) -> str:
    return ROUTER.find(method, path.encode())[0].name


def test_every_route_is_found_by_its_own_path() -> None:
    for route in ROUTES:
        path = "/".join("x" if part.startswith("{") else part for part in route.path.split("/"))
        found, values = ROUTER.find(route.method, path.encode())
        assert found is route
        assert values == dict.fromkeys(route.parameters, "x")


def test_operation_names_are_unique() -> None:
    names = [route.name for route in ROUTES]
    assert len(names) == len(set(names))


@given(st.text(min_size=1).filter(lambda text: text not in (".", "..") and "\0" not in text))
def test_any_text_is_an_id_when_it_is_encoded_as_one_segment(text: str) -> None:
    try:
        encoded = quote(text, safe="")
    except UnicodeEncodeError:
        return
    assert ROUTER.find("GET", f"/v1/agents/{encoded}".encode())[1] == {"agentId": text}


@pytest.mark.parametrize("encoded", ["a%2Fb", "a%2fb"])
def test_an_encoded_slash_is_part_of_an_id(encoded: str) -> None:
    assert ROUTER.find("GET", f"/v1/runs/{encoded}".encode())[1] == {"runId": "a/b"}


def test_a_literal_comes_before_a_parameter_and_does_not_hide_it() -> None:
    assert name_of("POST", "/v1/runs/batch") == "recordRuns"
    assert name_of("GET", "/v1/runs/batch") == "getRun"
    assert name_of("POST", "/v1/runs/batch/finish") == "finishRun"


def test_a_letter_may_be_encoded() -> None:
    assert name_of("GET", "/v1/%72uns") == "listRuns"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/runs/",
        "/v1/runs//",
        "//v1/runs",
        "/v1",
        "/v2/runs",
        "/V1/runs",
        "",
        "*",
        "/v1/runs/x/y",
        "/docs/",
    ],
)
def test_unknown_paths(path: str) -> None:
    with pytest.raises(RouteNotFound):
        ROUTER.find("GET", path.encode())


@pytest.mark.parametrize(
    "path",
    [
        f"/v1/runs/{end}"
        for end in (".", "..", "%2e", "%2E%2e", "../me", "%zz", "%", "%4", "%ff", "a%00b", "%c0%af")
    ],
)
def test_paths_that_no_request_may_have(path: str) -> None:
    with pytest.raises(InvalidPath):
        ROUTER.find("GET", path.encode())


def test_a_wrong_method_says_which_there_are() -> None:
    with pytest.raises(MethodNotAllowed) as refused:
        ROUTER.find("PATCH", b"/v1/runs/batch")
    assert refused.value.details == {"allowed": ["GET", "HEAD", "OPTIONS", "POST"]}


def test_a_run_may_have_an_id_with_a_slash_or_the_name_of_a_route(lone: Caller) -> None:
    for run_id in ("a/b", "batch", "ü %2F"):
        made = lone.post("/v1/runs", a_run(id=run_id))
        assert made.status_code == 201
        assert made.headers["location"] == f"/v1/runs/{quote(run_id, safe='')}"
        assert lone.get(made.headers["location"]).json()["id"] == run_id


def test_a_wrong_method_is_answered_with_allow(lone: Caller) -> None:
    answer = lone.send("DELETE", "/v1/corrections")
    error_of(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"


def test_options_and_head(lone: Caller) -> None:
    options = lone.client.options("/v1/corrections")
    assert (options.status_code, options.headers["allow"], options.content) == (
        204,
        "GET, HEAD, OPTIONS, POST",
        b"",
    )
    error_of(lone.client.options("/v1/nothing"), 404, "route-not-found")
    head, get = lone.send("HEAD", "/v1/projects"), lone.get("/v1/projects")
    assert (head.status_code, head.content, head.headers["content-length"]) == (
        200,
        b"",
        str(len(get.content)),
    )
