"""Annotation runs and annotations over HTTP, and scholars who accept or reject a contested reading."""

import pytest

from tests.http.support import Api, Caller, error_of
from tests.http.test_correcting_answers_over_http import annotation, asked, correct, speaker


@pytest.fixture
def contested(caller: Caller) -> tuple[Caller, dict[str, str]]:
    """A caller whose text has a contested reading: the ids of what was said of its first word, by value."""
    caller.text()
    number = asked(caller)["interactionId"]
    correct(caller, number, claim="It is no king.", correction="an owner")
    told = asked(caller)
    return caller, {one["value"]: one["annotationId"] for one in told["citations"]}


def test_a_scholar_decides_and_the_answer_says_so(contested: tuple[Caller, dict[str, str]]) -> None:
    caller, ids = contested
    before = asked(caller, "/v1/artifacts/P1/summary")
    user, scholar = speaker(caller, "A. Judge")
    made = user.post(f"/v1/annotations/{ids['an owner']}/accept", {"reason": "The genre says so."})
    assert made.status_code == 200, made.text
    assert made.json()["standing"] == "accepted"
    (decision,) = made.json()["decisions"]
    assert (decision["scholar"], decision["scholarId"], decision["reason"]) == (
        "A. Judge",
        scholar,
        "The genre says so.",
    )
    rejected = user.post(f"/v1/annotations/{ids['king']}/reject").json()
    assert (rejected["standing"], rejected["value"]) == ("rejected", "king")
    after = asked(caller, "/v1/artifacts/P1/summary")
    assert after["generatedAt"] > before["generatedAt"]
    assert after["summary"].index("an owner") < after["summary"].index("\u201cking\u201d")
    assert "A. Judge" in after["summary"]


def test_who_may_decide(contested: tuple[Caller, dict[str, str]]) -> None:
    caller, ids = contested
    path = f"/v1/annotations/{ids['king']}/accept"
    error_of(caller.service().post(path), 403, "person-needed")
    error_of(caller.post(path), 403, "scholar-needed")
    error_of(caller.post(path, {"scholarId": 9}), 404, "scholar-not-found")
    caller.post("/v1/scholars", {"name": "Ada"})
    error_of(caller.post(path, {"scholarId": 1}), 403, "scholar-not-yours")
    user, _ = speaker(caller, "A. Judge")
    second = caller.post("/v1/scholars", {"name": "B. Other"}).json()["id"]
    caller.post(f"/v1/scholars/{second}/claims", {"userId": user.id})
    error = error_of(user.post(path), 403, "scholar-needed")
    assert error["details"]["scholars"] == [2, 3]
    assert user.post(path, {"scholarId": 3}).json()["decisions"][0]["scholar"] == "B. Other"


def test_what_nobody_contests_is_not_decided_on(contested: tuple[Caller, dict[str, str]]) -> None:
    caller, ids = contested
    user, _ = speaker(caller, "A. Judge")
    error = error_of(user.post(f"/v1/annotations/{ids['N']}/accept"), 409, "annotation-move-refused")
    assert error["details"]["open"] == ["contest"]
    for broken in ({"reason": ""}, {"reason": "x" * 5000}, {"scholarId": 0}, {"why": "x"}):
        assert user.post(f"/v1/annotations/{ids['king']}/accept", broken).status_code == 400


def test_another_tenants_annotations_and_runs_are_not_there(
    api: Api, contested: tuple[Caller, dict[str, str]]
) -> None:
    _, ids = contested
    other = api.tenant()
    user, _ = speaker(other, "A. Judge")
    error_of(other.get(f"/v1/annotations/{ids['king']}"), 404, "annotation-not-found")
    error_of(user.post(f"/v1/annotations/{ids['king']}/accept"), 404, "annotation-not-found")
    error_of(other.get("/v1/annotation-runs/1"), 404, "annotation-run-not-found")
    error_of(other.get("/v1/annotation-runs/0"), 400, "invalid-parameter")
    error_of(other.get("/v1/outputs/out_01KE5MCQ800000000000000060"), 404, "output-not-found")
    assert other.get("/v1/annotation-runs").json()["data"] == []


def test_an_annotation_is_found_with_and_without_its_prefix(contested: tuple[Caller, dict[str, str]]) -> None:
    caller, ids = contested
    bare = ids["king"].removeprefix("ann_")
    assert caller.get(f"/v1/annotations/{bare}").json()["id"] == ids["king"]


def test_annotation_runs_are_narrowed(contested: tuple[Caller, dict[str, str]]) -> None:
    caller, _ = contested
    caller.text("P2", source="theirs")
    user, scholar = speaker(caller, "A. One")
    told = asked(user, "/v1/artifacts/P2/summary")
    correct(user, told["interactionId"], claim="It is no king.", correction="a lord", scholarId=scholar)
    correct(caller.service(), told["interactionId"], claim="It is no house.", correction="a temple")

    def listed(query: str) -> list[int]:
        return [one["id"] for one in caller.get(f"/v1/annotation-runs?{query}").json()["data"]]

    assert listed("") == [5, 4, 3, 2, 1]
    assert listed("artifactId=P2") == [5, 4, 3]
    assert listed("sourceName=user-correction") == [5, 4, 2]
    assert listed("sourceType=model") == [5]
    assert listed(f"scholarId={scholar}") == [4]
    assert listed("method=json&artifactId=P1") == [1]
    assert listed("method=nothing") == []
    first = caller.get("/v1/annotation-runs?limit=3").json()
    rest = caller.get(f"/v1/annotation-runs?limit=3&cursor={first['nextCursor']}").json()
    assert [one["id"] for one in rest["data"]] == [2, 1]
    for broken in ("scholarId=0", "scholarId=x", "sourceType=robot"):
        error_of(caller.get(f"/v1/annotation-runs?{broken}"), 400, "invalid-parameter")


def test_a_correction_of_an_answer_about_several_texts_stands_in_the_history_of_each(caller: Caller) -> None:
    for artifact in ("P1", "P2"):
        caller.text(artifact)
    told = asked(caller, "/v1/search?q=king&types=token&mode=lexical")
    correct(caller, told["interactionId"], claim="They are no king.", correction="an owner")
    for artifact in ("P1", "P2"):
        found = caller.get(f"/v1/annotation-runs?artifactId={artifact}&sourceName=user-correction").json()
        assert [one["id"] for one in found["data"]] == [3]
    kings = {one["annotationId"] for one in told["citations"] if one["value"] == "king"}
    assert [caller.get(f"/v1/annotations/{one}").json()["standing"] for one in kings] == ["contested"] * 2
    assert annotation(caller, asked(caller), "king")["standing"] == "contested"
