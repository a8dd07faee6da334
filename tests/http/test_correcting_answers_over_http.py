"""Correcting an answer over HTTP: the seed's story, and every bad input refused by name with nothing written."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.http.support import Api, Caller, error_of

WORD = "/v1/artifacts/P1/tokens/o.1.1/interpretation"
SEED = {
    "claim": "The agent read lu\u2082-gal as lugal[king]N",
    "correction": "This sign sequence in this context should be read as lugal[owner]N \u2014 the administrative genre "
    "and parallel texts from Nippur support the 'owner' sense",
    "evidence": "Steinkeller 1987, FAOS 9/2, p. 62",
}
MESSAGE = (
    "Correction recorded. The next request that re-loads any agent output citing the corrected annotation "
    "will regenerate."
)


def asked(caller: Caller, path: str = WORD) -> dict[str, Any]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def correct(caller: Caller, number: object, **said: Any) -> Any:
    return caller.post(f"/v1/interactions/{number}/corrections", {**SEED, **said})


def runs(caller: Caller) -> int:
    """How many annotation runs there are."""
    return len(caller.get("/v1/annotation-runs?limit=100").json()["data"])


def annotation(caller: Caller, told: dict[str, Any], value: str) -> dict[str, Any]:
    """The cited annotation with a value, with its layers."""
    (found,) = {one["annotationId"] for one in told["citations"] if one["value"] == value}
    return caller.get(f"/v1/annotations/{found}").json()


def speaker(caller: Caller, name: str) -> tuple[Caller, int]:
    """A user who may speak as a new scholar."""
    scholar = caller.post("/v1/scholars", {"name": name}).json()["id"]
    user = caller.user(name.replace(" ", "-"), "write")
    assert caller.post(f"/v1/scholars/{scholar}/claims", {"userId": user.id}).status_code == 201
    return user, scholar


def test_the_seeds_correction(caller: Caller) -> None:
    caller.text()
    user, scholar = speaker(caller, "P. Steinkeller")
    told = asked(caller)
    made = correct(user, told["interactionId"], scholarId=scholar)
    assert (made.status_code, made.headers["location"]) == (201, "/v1/annotation-runs/2")
    assert made.json() == {"interactionId": 1, "feedbackId": 1, "newAnnotationRunId": 2, "message": MESSAGE}
    run = caller.get("/v1/annotation-runs/2").json()
    assert (run["sourceName"], run["method"]) == ("user-correction", "agent-hypothesis-correction")
    assert (run["scholarId"], run["evidence"], run["artifactId"], run["interactionId"]) == (
        scholar,
        SEED["evidence"],
        "P1",
        1,
    )
    layers = annotation(caller, told, "king")
    assert (layers["standing"], layers["run"]["sourceName"]) == ("contested", "ours/bricks")
    (over,) = layers["contestedBy"]
    assert (over["value"], over["field"], over["contests"]) == (SEED["correction"], "sense", [layers["id"]])
    over = caller.get(f"/v1/annotations/{over['id']}").json()
    assert (over["standing"], over["scholar"], over["run"]["id"]) == ("correction", "P. Steinkeller", 2)
    kept = caller.get("/v1/interactions/1").json()
    assert {"interactionId": 1, **kept["answer"]} == told
    (feedback,) = kept["feedback"]
    assert {name: feedback[name] for name in SEED} == SEED


def test_the_summary_is_composed_anew_once_and_others_stay(caller: Caller) -> None:
    for artifact in ("P1", "P2"):
        caller.text(artifact)
    summary, other = "/v1/artifacts/P1/summary", "/v1/artifacts/P2/summary"
    first, untouched = asked(caller, summary), asked(caller, other)
    assert caller.get("/v1/outputs?stale=true").json()["data"] == []
    user, scholar = speaker(caller, "P. Steinkeller")
    correct(user, first["interactionId"], scholarId=scholar)
    stale = caller.get("/v1/outputs?stale=true").json()["data"]
    assert [(one["artifactId"], one["stale"]) for one in stale] == [("P1", True)]
    second, third = asked(caller, summary), asked(caller, summary)
    assert first["generatedAt"] < second["generatedAt"] == third["generatedAt"]
    for words in ("\u201cking\u201d", SEED["correction"], "P. Steinkeller", SEED["evidence"]):
        assert words in second["summary"]
    assert asked(caller, other)["generatedAt"] == untouched["generatedAt"]
    assert caller.get("/v1/outputs?stale=true").json()["data"] == []
    history = [one for one in caller.get("/v1/outputs").json()["data"] if one["artifactId"] == "P1"]
    assert [one.get("supersededBy") for one in history] == [None, history[0]["id"]]
    old = caller.get(f"/v1/outputs/{history[1]['id']}").json()
    assert old["answer"]["summary"] == first["summary"]


@pytest.mark.parametrize(
    "number", ["0", "-1", "king", "1.5", "9223372036854775808", "9007199254740992", "%2B1"]
)
def test_what_is_no_number_of_an_answer(caller: Caller, number: str) -> None:
    error = error_of(correct(caller, number), 400, "invalid-parameter")
    assert error["details"]["faults"][0] == {
        "parameter": "interactionId",
        "fault": "is not a whole number"
        if number in ("king", "1.5", "%2B1", "9223372036854775808")
        else "is no number of a thing",
        "allowed": "a whole number from 1 to 9007199254740991",
    }
    error_of(caller.get(f"/v1/interactions/{number}"), 400, "invalid-parameter")
    error_of(caller.post(f"/v1/interactions/{number}/ratings", {"rating": "up"}), 400, "invalid-parameter")


def test_another_tenants_answer_is_not_there(api: Api) -> None:
    caller, other = api.tenant(), api.tenant()
    other.text()
    number = asked(other)["interactionId"]
    for answer in (
        correct(caller, number),
        correct(caller, 9007199254740991),
        caller.get(f"/v1/interactions/{number}"),
        caller.post(f"/v1/interactions/{number}/ratings", {"rating": "up"}),
    ):
        error_of(answer, 404, "interaction-not-found")
    assert (runs(caller), runs(other)) == (0, 1)


BODIES: list[tuple[dict[str, Any], str, str]] = [
    ({"claim": ""}, "/claim", "is too short"),
    ({"claim": " \u200b"}, "/claim", "is blank"),
    ({"claim": "x" * 102_400}, "/claim", "has 102400 characters"),
    ({"claim": None}, "/claim", "is null"),
    ({"correction": ""}, "/correction", "is too short"),
    ({"correction": "x" * 102_400}, "/correction", "has 102400 characters"),
    ({"correction": ["owner"]}, "/correction", "is an array"),
    ({"evidence": "x" * 102_400}, "/evidence", "has 102400 characters"),
    ({"claim": "a\u0000b"}, "/claim", "contains U+0000"),
    ({"scholarId": 0}, "/scholarId", "is too small"),
    ({"scholarId": -1}, "/scholarId", "is too small"),
    ({"scholarId": 2**53}, "/scholarId", "is an integer beyond 2^53-1"),
    ({"scholarId": "1"}, "/scholarId", "is a string"),
    ({"scholarId": 1.5}, "/scholarId", "is a number"),
]


@pytest.mark.parametrize(("said", "pointer", "fault"), BODIES)
def test_what_is_no_correction(caller: Caller, said: dict[str, Any], pointer: str, fault: str) -> None:
    caller.text()
    error = error_of(correct(caller, asked(caller)["interactionId"], **said), 400, "invalid-body")
    told = {one["pointer"]: one["fault"] for one in error["details"]["faults"]}
    assert fault in told[pointer], told
    assert runs(caller) == 1


def test_an_unknown_scholar_and_one_who_is_not_yours(caller: Caller) -> None:
    caller.text()
    number = asked(caller)["interactionId"]
    error = error_of(correct(caller, number, scholarId=7), 404, "scholar-not-found")
    assert error["details"] == {"scholarId": 7}
    scholar = caller.post("/v1/scholars", {"name": "Ada"}).json()["id"]
    error = error_of(correct(caller, number, scholarId=scholar), 403, "scholar-not-yours")
    assert "POST /v1/scholars/1/claims" in error["message"]
    claim = caller.post(f"/v1/scholars/{scholar}/claims").json()["id"]
    error_of(correct(caller, number, scholarId=scholar), 403, "scholar-not-yours")
    caller.post(f"/v1/scholars/{scholar}/claims/{claim}/approve")
    assert correct(caller, number, scholarId=scholar).status_code == 201
    caller.post(f"/v1/scholars/{scholar}/claims/{claim}/withdraw")
    error_of(correct(caller, number, scholarId=scholar, claim="Another"), 403, "scholar-not-yours")
    assert runs(caller) == 2


def test_an_answer_that_cited_nothing_takes_a_note(caller: Caller) -> None:
    caller.text()
    told = asked(caller, "/v1/search?q=nothing-like-it&mode=lexical")
    assert told["citations"] == []
    made = correct(caller, told["interactionId"])
    assert made.status_code == 201
    assert "cited nothing" in made.json()["message"]
    assert caller.get("/v1/annotation-runs/2").json()["interactionId"] == told["interactionId"]


def test_a_claim_of_a_search_that_names_nothing_is_a_note_that_says_how_to_name_one(caller: Caller) -> None:
    caller.text()
    told = asked(caller, "/v1/search?q=king&mode=lexical")
    made = correct(caller, told["interactionId"], claim="That is wrong.", correction="Look elsewhere.")
    assert "names none of the readings" in made.json()["message"]
    assert annotation(caller, told, "king")["standing"] == "plain"


def test_a_claim_that_names_two_of_the_cited_annotations_contests_both(caller: Caller) -> None:
    caller.text()
    told = asked(caller, "/v1/artifacts/P1/summary")
    said = {"claim": "It speaks of a king and a house.", "correction": "an owner and a temple"}
    made = correct(caller, told["interactionId"], **said)
    assert made.json()["message"] == MESSAGE
    over = [annotation(caller, told, value)["contestedBy"] for value in ("king", "house")]
    assert [[one["annotationRunId"] for one in layers] for layers in over] == [[2], [2]]
    assert annotation(caller, told, "The king: his house.")["standing"] == "plain"


def test_a_correction_of_a_correction_is_one_more_layer(caller: Caller) -> None:
    caller.text()
    correct(caller, asked(caller)["interactionId"], claim="It is no king.", correction="an owner")
    told = asked(caller)
    correct(caller, told["interactionId"], claim="It is not \u201can owner\u201d.", correction="a great man")
    owner = annotation(caller, told, "an owner")
    assert owner["standing"] == "contested"
    assert [one["value"] for one in owner["contestedBy"]] == ["a great man"]
    assert annotation(caller, told, "king")["standing"] == "contested"
    shown = asked(caller, "/v1/artifacts/P1/summary")["summary"]
    assert shown.index("a great man") < min(shown.index("an owner"), shown.index("\u201cking\u201d"))


def test_two_scholars_correct_one_reading_at_once_and_both_are_shown(caller: Caller) -> None:
    caller.text()
    users = [speaker(caller, name) for name in ("A. One", "B. Two")]
    told = asked(caller, "/v1/artifacts/P1/summary")

    def say(place: int) -> Any:
        user, scholar = users[place]
        said = {"claim": "It is no king.", "correction": f"reading {place}", "scholarId": scholar}
        return correct(user, told["interactionId"], **said)

    with ThreadPoolExecutor(2) as both:
        made = list(both.map(say, range(2)))
    assert [one.status_code for one in made] == [201, 201]
    assert sorted(one.json()["newAnnotationRunId"] for one in made) == [2, 3]
    assert len(annotation(caller, told, "king")["contestedBy"]) == 2
    shown = asked(caller, "/v1/artifacts/P1/summary")["summary"]
    for words in ("reading 0", "reading 1", "A. One", "B. Two", "king"):
        assert words in shown


def test_the_same_correction_again_is_the_first(caller: Caller) -> None:
    caller.text()
    number = asked(caller)["interactionId"]
    first = correct(caller, number)

    with ThreadPoolExecutor(4) as many:
        again = list(many.map(lambda _: correct(caller, number), range(4)))
    assert {one.status_code for one in again} == {200}
    assert [one.json() for one in again] == [first.json()] * 4
    assert runs(caller) == 2


def test_an_answer_is_rated_and_the_newest_counts(caller: Caller) -> None:
    caller.text()
    number = asked(caller)["interactionId"]
    path = f"/v1/interactions/{number}/ratings"
    first = caller.post(path, {"rating": "up"}).json()
    assert caller.post(path, {"rating": "up"}).json() == first
    for rating in ("down", "up"):
        assert caller.post(path, {"rating": rating}).json()["rating"] == rating
    caller.service().post(path, {"rating": "down"})
    told = caller.get(f"/v1/interactions/{number}").json()["feedback"]
    assert [one["rating"] for one in told] == ["up", "down", "up", "down"]
    error_of(caller.post(path, {"rating": "sideways"}), 400, "invalid-body")


def test_interactions_are_listed_newest_first(caller: Caller) -> None:
    caller.text()
    caller.text("P2")
    bo = caller.user("bo", "write")
    asked(caller)
    asked(bo, "/v1/artifacts/P2/summary")
    asked(caller, "/v1/search?q=king")
    listed = caller.get("/v1/interactions").json()["data"]
    assert [one["tool"] for one in listed] == ["semantic_search", "summarize_artifact", "interpret_token"]
    assert "answer" not in listed[0]
    assert [one["id"] for one in caller.get("/v1/interactions?mine=true").json()["data"]] == [3, 1]
    assert [one["id"] for one in caller.get("/v1/interactions?artifactId=P2").json()["data"]] == [2]
    assert [one["id"] for one in caller.get("/v1/interactions?tool=interpret_token").json()["data"]] == [1]
    page = caller.get("/v1/interactions?limit=2").json()
    rest = caller.get(f"/v1/interactions?limit=2&cursor={page['nextCursor']}").json()
    assert [one["id"] for one in [*page["data"], *rest["data"]]] == [3, 2, 1]


def test_scopes_are_needed(caller: Caller) -> None:
    caller.text()
    number = asked(caller)["interactionId"]
    reader = caller.service(scopes=["knowledge:read"])
    error_of(correct(reader, number), 403, "scope-missing")
    error_of(reader.post(f"/v1/interactions/{number}/ratings", {"rating": "up"}), 403, "scope-missing")
    assert reader.get(f"/v1/interactions/{number}").status_code == 200
    assert reader.get("/v1/annotation-runs").status_code == 200
