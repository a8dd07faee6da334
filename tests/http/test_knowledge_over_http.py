"""The three questions about knowledge over HTTP."""

import pytest

from tests.http.support import Api, Caller, error_of
from tests.knowledge.reading_room import HOUSE, a_line, a_text, a_token

SUMMARY = "/v1/artifacts/P1/summary"
WORD = "/v1/artifacts/P1/tokens/o.1.1/interpretation"


def test_each_answer_has_a_number_of_its_own_and_cites_what_it_says(caller: Caller) -> None:
    caller.text()
    paths = ("/v1/search?q=lugal", SUMMARY, WORD, "/v1/artifacts/P1/interpretation?line=1&position=1")
    told = [caller.get(path).json() for path in paths]
    assert [one["interactionId"] for one in told] == [1, 2, 3, 4]
    for one in told:
        assert "[1]" in one["summary"]
        assert one["citations"][0]["artifactId"] == "P1"
        assert one["sources"]
        assert {"requiredAttributions", "followUps", "generatedAt"} <= set(one)


def test_a_summary_is_the_same_until_another_reading_comes(caller: Caller) -> None:
    caller.text()
    first, second = caller.get(SUMMARY).json(), caller.get(SUMMARY).json()
    assert first["generatedAt"] == second["generatedAt"]
    other = a_text(lines=[a_line("1", a_token("lu\u2082-gal", sense="owner"), HOUSE)], source="theirs")
    caller.text("P1", **{name: value for name, value in other.items() if name != "id"})
    third = caller.get(SUMMARY).json()
    assert third["generatedAt"] > second["generatedAt"]
    assert "\u201cking\u201d (from ours/bricks)" in third["summary"]
    assert "\u201cowner\u201d (from theirs)" in third["summary"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/artifacts/P9/summary", "artifact-not-found"),
        ("/v1/artifacts/P1/tokens/o.9.1/interpretation", "token-not-found"),
        ("/v1/artifacts/P1/interpretation?line=o.9&position=1", "line-not-found"),
        (f"{SUMMARY}?runId=none", "run-not-found"),
    ],
)
def test_what_is_not_there_is_404(caller: Caller, path: str, code: str) -> None:
    caller.text()
    error_of(caller.get(path), 404, code)


@pytest.mark.parametrize(
    "path",
    [
        "/v1/search",
        "/v1/search?q=",
        "/v1/search?q=%20",
        "/v1/search?q=x&limit=0",
        "/v1/search?q=x&limit=51",
        "/v1/search?q=x&mode=magic",
        "/v1/search?q=x&types=sign",
        f"/v1/search?q={'x' * 501}",
        f"{SUMMARY}?focus={'x' * 501}",
        "/v1/artifacts/P1/interpretation?line=o.1",
        "/v1/artifacts/P1/interpretation?line=o.1&position=0",
    ],
)
def test_what_cannot_be_asked_is_refused(lone: Caller, path: str) -> None:
    error_of(lone.get(path), 400, "invalid-parameter")


def test_another_tenants_text_is_not_there(api: Api) -> None:
    api.tenant().text()
    other = api.tenant()
    error_of(other.get(SUMMARY), 404, "artifact-not-found")
    assert other.get("/v1/search?q=lugal").json()["data"]["hits"] == []


def test_asking_needs_the_scope(caller: Caller) -> None:
    caller.text()
    narrow = caller.service(scopes=["corrections:read"])
    for path in (SUMMARY, WORD, "/v1/search?q=king"):
        error_of(narrow.get(path), 403, "scope-missing")
    assert caller.service("read").get(SUMMARY).status_code == 200


def test_a_question_takes_neither_key_nor_body(lone: Caller) -> None:
    lone.text()
    first = lone.get(SUMMARY, headers={"idempotency-key": "k"})
    again = lone.get(SUMMARY, headers={"idempotency-key": "k"})
    assert again.json()["interactionId"] == first.json()["interactionId"] + 1
    assert "idempotent-replay" not in again.headers
