"""Lessons over HTTP: who says and decides what, and how it is refused."""

import pytest

from tests.http.support import Api, Caller, a_lesson, error_of

GONE = "les_01JD8Z3QK4W5X6Y7Z8A9B0C1D2"


def test_from_the_first_word_to_the_verified_rule(api: Api) -> None:
    person = api.tenant()
    assistant = person.service()
    made = assistant.post("/v1/lessons", a_lesson(session="one", agent="Refunds"))
    lesson = made.json()
    assert made.status_code == 201
    assert made.headers["location"] == f"/v1/lessons/{lesson['id']}"
    assert lesson["recordedBy"] == {"kind": "service", "id": assistant.id}
    assert (lesson["status"], lesson["severity"], lesson["brokenAgain"]) == ("open", "medium", 0)
    again = assistant.post("/v1/lessons", a_lesson(session="one", agent="Refunds"))
    assert (again.status_code, again.json()) == (200, lesson)
    path = f"/v1/lessons/{lesson['id']}"
    adopted = assistant.send("PATCH", path, {"status": "adopted"})
    assert adopted.json()["adoptedBy"] == {"kind": "service", "id": assistant.id}
    broken = assistant.post("/v1/lessons", a_lesson(session="two", rule="look up the order FIRST")).json()
    assert (broken["recurrenceOf"], broken["status"]) == (lesson["id"], "duplicate")
    verified = person.send("PATCH", path, {"status": "verified"}).json()
    assert verified["verifiedBy"] == {"kind": "user", "id": person.id}
    assert person.get(path).json() == verified
    listed = person.get("/v1/lessons?status=verified&agent=REFUNDS&projectId=default").json()
    assert listed == {"data": [verified], "hasMore": False}
    occurrences = person.get(f"/v1/lessons?duplicateOf={lesson['id']}").json()["data"]
    assert [one["id"] for one in occurrences] == [broken["id"]]
    told = person.get(f"{path}/history").json()["data"]
    assert [one["kind"] for one in told] == [
        "lesson.recorded",
        "lesson.adopted",
        "lesson.recurred",
        "lesson.verified",
    ]
    assert told[0]["rule"] == "Look up the order first."
    assert told[2]["about"] == broken["id"]


@pytest.mark.parametrize("status", ["verified", "dismissed", "retired"])
def test_what_only_a_person_does_says_how(api: Api, status: str) -> None:
    person = api.tenant()
    assistant = person.service()
    path = f"/v1/lessons/{person.lesson()['id']}"
    assistant.send("PATCH", path, {"status": "adopted"})
    error = error_of(assistant.send("PATCH", path, {"status": status}), 403, "person-needed")
    assert "user's token" in error["message"]
    assert error["details"]["open"] == ["recurred", "duplicate", "open"]
    error_of(assistant.send("DELETE", path), 403, "person-needed")
    assert person.get(path).json()["status"] == "adopted"
    assert person.send("PATCH", path, {"status": status}).status_code == 200


def test_if_match_counts_where_it_is_given(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/lessons/{caller.lesson()['id']}"
    stamp = caller.get(path).headers["etag"]
    first = caller.send("PATCH", path, {"status": "adopted"}, headers={"if-match": stamp})
    assert first.status_code == 200
    late = caller.send("PATCH", path, {"status": "verified"}, headers={"if-match": stamp})
    error = error_of(late, 412, "changed-meanwhile")
    assert error["details"]["current"] == first.json()
    assert error["details"]["etag"] == first.headers["etag"]
    assert caller.get(path, headers={"if-none-match": first.headers["etag"]}).status_code == 304


def test_a_deleted_lesson_is_gone_everywhere(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/lessons/{caller.lesson()['id']}"
    for _ in range(2):
        assert caller.send("DELETE", path).status_code == 204
    for answer in (
        caller.get(path),
        caller.get(f"{path}/history"),
        caller.send("PATCH", path, {"status": "open"}),
    ):
        error_of(answer, 404, "lesson-not-found")
    assert caller.get("/v1/lessons").json() == {"data": [], "hasMore": False}


def test_another_account_is_as_if_it_were_not_there(api: Api) -> None:
    mine, other = api.tenant(), api.tenant()
    lesson_id = mine.lesson()["id"]
    for wanted in (lesson_id, lesson_id.removeprefix("les_")):
        answers = (
            other.get(f"/v1/lessons/{wanted}"),
            other.send("PATCH", f"/v1/lessons/{wanted}", {"status": "adopted"}),
            other.send("DELETE", f"/v1/lessons/{wanted}"),
        )
        for answer in answers:
            told = error_of(answer, 404, "lesson-not-found")
            missing = error_of(other.get(f"/v1/lessons/{GONE}"), 404, "lesson-not-found")
            assert told["message"].replace(wanted, GONE) == missing["message"]


def test_scopes_are_those_of_decisions(api: Api) -> None:
    caller = api.tenant()
    lesson_id = caller.lesson()["id"]
    reader = caller.service(scopes=["decisions:read"])
    blind = caller.service(scopes=["corrections:read", "corrections:write"])
    assert reader.get("/v1/lessons").status_code == 200
    for answer in (
        reader.post("/v1/lessons", a_lesson()),
        reader.send("PATCH", f"/v1/lessons/{lesson_id}", {"status": "adopted"}),
        blind.get("/v1/lessons"),
        blind.get(f"/v1/lessons/{lesson_id}"),
    ):
        error_of(answer, 403, "scope-missing")


def test_every_fault_of_a_body_at_once(api: Api) -> None:
    answer = api.tenant().post(
        "/v1/lessons",
        {"kind": "banana", "noticedBy": "me", "whatHappened": "", "rule": "a\nb", "recordedBy": "ada"},
    )
    faults = error_of(answer, 400, "invalid-body")["details"]["faults"]
    assert {one["pointer"] for one in faults} == {
        "/kind",
        "/noticedBy",
        "/whatHappened",
        "/rule",
        "/recordedBy",
    }
    assert all(one.get("allowed") for one in faults if one["pointer"] in ("/kind", "/noticedBy", "/rule"))


@pytest.mark.parametrize("query", ["status=banana", "kind=x", "noticedBy=4b1c2d3e", "limit=0", "pageSize=5"])
def test_a_list_names_what_it_does_not_know(lone: Caller, query: str) -> None:
    assert lone.get(f"/v1/lessons?{query}").status_code == 400


def test_the_cursor_of_another_list_is_refused(lone: Caller) -> None:
    for _ in range(2):
        lone.run()
    cursor = lone.get("/v1/runs?limit=1").json()["nextCursor"]
    error_of(lone.get(f"/v1/lessons?cursor={cursor}"), 400, "invalid-cursor")
