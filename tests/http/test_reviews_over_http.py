"""Review queues over HTTP: what is handed out, what nobody sees before the end, and what is refused how."""

from pathlib import Path
from typing import Any

import pytest

from setright.reviews import picking
from tests.backup.places import sound
from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, a_correction, error_of, open_api

QUEUES = "/v1/review-queues"
NOBODY = "rvq_00000000000000000000000000"
NO_CLAIM = "rvc_00000000000000000000000000"
RIGHT, WRONG = {"answer": "right"}, {"answer": "wrong", "shouldSay": "14 days"}


def claims(queue: dict[str, Any], *rest: str) -> str:
    return "/".join((f"{QUEUES}/{queue['id']}/claims", *rest))


def adjudication(queue: dict[str, Any], run_id: str) -> str:
    return f"{QUEUES}/{queue['id']}/items/{run_id}/adjudication"


def faults(answer: Any) -> dict[str, str]:
    """What is allowed instead, by the pointer of each fault."""
    told = error_of(answer, 400, answer.json()["error"]["code"])["details"]["faults"]
    assert all(fault["fault"] for fault in told)
    return {fault["pointer"]: fault.get("allowed", "") for fault in told}


def test_a_queue_answers_with_all_that_was_said_and_what_was_not(api: Api) -> None:
    caller = api.tenant()
    chosen = {"subject": {"kind": "agent", "id": "refunds", "version": "v1"}, "status": "completed"}
    body = {"projectId": "default", "name": "Weekly", "filter": chosen, "sampleRate": 0.25}
    made = caller.post(QUEUES, body)
    assert made.status_code == 201
    queue = made.json()
    assert {name: queue[name] for name in body} == body
    assert (queue["reviewersPerItem"], queue["claimSeconds"], queue["status"]) == (1, 1800, "open")
    assert queue["createdBy"] == {"kind": "user", "id": caller.id}
    assert made.headers["location"] == f"{QUEUES}/{queue['id']}"
    found = caller.get(made.headers["location"]).json()
    assert found.pop("counts") == dict.fromkeys(
        ("waiting", "claimed", "complete", "disagreed", "adjudicated", "dropped"), 0
    )
    assert found == queue
    late = caller.send("PATCH", f"{QUEUES}/{queue['id']}", {"name": "x"}, headers={"if-match": '"1"'})
    assert error_of(late, 412, "changed-meanwhile")["details"]["current"] == queue


def test_a_claim_hands_out_the_run_and_204_says_that_there_is_none(api: Api) -> None:
    caller = api.tenant()
    run_id, queue = caller.run(), caller.queue()
    made = caller.post(claims(queue))
    assert (made.status_code, made.json()["runId"], made.json()["run"]["id"]) == (201, run_id, run_id)
    assert made.json()["run"]["output"] == caller.get(f"/v1/runs/{run_id}").json()["output"]
    none = caller.post(claims(queue), {})
    assert (none.status_code, none.content) == (204, b"")


def test_a_claim_with_a_key_is_the_same_claim_again(api: Api) -> None:
    caller = api.tenant()
    caller.run()
    caller.run()
    queue = caller.queue()
    first, again = (caller.keyed("k", claims(queue)) for _ in range(2))
    assert (again.content, again.headers["idempotent-replay"]) == (first.content, "true")
    assert caller.claim(queue)["runId"] != first.json()["runId"]


def test_a_search_through_very_many_runs_is_answered_in_steps(
    lone: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("STRETCH", 4), ("PAGE", 2), ("MOST", 600), ("OF_STRETCH", 500)):
        monkeypatch.setattr(picking, name, value)
    subject = {"kind": "agent", "id": "seldom", "version": "1"}
    for _ in range(12):
        lone.run(subject={**subject, "id": "often"})
    rare = lone.run(subject=subject)
    queue = lone.queue(filter={"subject": {"kind": "agent", "id": "seldom"}})
    told = [lone.post(claims(queue))]
    while told[-1].status_code == 202:
        told.append(lone.post(claims(queue)))
    assert len(told) > 2
    assert told[-1].json()["runId"] == rare
    looked = [one.json()["lookedUntil"] for one in told[:-1]]
    assert looked == sorted(set(looked))
    nothing = lone.queue(filter={"subject": {"kind": "agent", "id": "nobody"}})
    statuses = [lone.post(claims(nothing)).status_code for _ in range(12)]
    assert (statuses[0], statuses[-1], set(statuses)) == (202, 204, {202, 204})


def reads(run_id: str, correction_id: str) -> list[str]:
    """Every list and count in which what was said of a run could show."""
    return [
        f"/v1/corrections?runId={run_id}",
        "/v1/corrections?projectId=default&includeUnregistered=true",
        "/v1/corrections?answer=wrong&status=open&sortedTo=improve",
        "/v1/corrections/summary",
        "/v1/corrections/summary?projectId=default&expert=false",
        "/v1/corrections/agreement",
        "/v1/corrections/agreement?projectId=default",
        "/v1/waiting-corrections",
        "/v1/events?limit=100",
        f"/v1/runs/{run_id}",
        "/v1/runs",
        "/v1/agents",
        "/v1/flows",
        f"/v1/corrections/{correction_id}",
        f"/v1/corrections/{correction_id}/history",
    ]


def test_until_all_have_spoken_nothing_that_another_reads_changes(api: Api) -> None:
    admin = api.tenant()
    run_id, queue = admin.run(), admin.queue(reviewersPerItem=2)
    one, two = admin.user("bo", "write"), admin.user("cy", "write")
    reader, assistant = admin.user("dee", "read"), admin.service("write")
    first, second = one.claim(queue), two.claim(queue)
    others = (two, reader, assistant)
    before = [[other.get(path).text for path in reads(run_id, NO_CLAIM)[:-2]] for other in others]
    made = one.judge(first, **WRONG)
    assert made["blind"] == queue["id"]
    after = [[other.get(path).text for path in reads(run_id, NO_CLAIM)[:-2]] for other in others]
    assert after == before
    for other in others:
        for path in reads(run_id, made["id"])[-2:]:
            error_of(other.get(path), 404, "correction-not-found")
        for path in reads(run_id, made["id"]):
            assert made["id"] not in other.get(path).text or path.startswith(f"/v1/corrections/{made['id']}")
    for sees in (one, admin):
        assert made["id"] in sees.get(f"/v1/corrections?runId={run_id}").text
        assert sees.get(f"/v1/corrections/{made['id']}/history").status_code == 200
    two.judge(second, **RIGHT)
    for other in (*others, one):
        listed = other.get(f"/v1/corrections?runId={run_id}").json()["data"]
        assert ({entry["answer"] for entry in listed}, any("blind" in entry for entry in listed)) == (
            {"right", "wrong"},
            False,
        )
        assert other.get(f"/v1/corrections/{made['id']}").json()["id"] == made["id"]
    assert [one.get(path).text for path in reads(run_id, NO_CLAIM)[3:7]] == [
        reader.get(path).text for path in reads(run_id, NO_CLAIM)[3:7]
    ]


def test_what_another_said_blind_can_neither_be_moved_nor_removed_nor_tested(api: Api) -> None:
    admin = api.tenant()
    admin.run()
    queue = admin.queue(reviewersPerItem=2)
    one, two = admin.user("bo", "write"), admin.user("cy", "write")
    made = one.judge(one.claim(queue), **WRONG)
    path = f"/v1/corrections/{made['id']}"
    moved = two.send("PATCH", path, {"status": "wont-fix"}, headers={"if-match": "*"})
    error_of(moved, 404, "correction-not-found")
    error_of(two.post(f"{path}/unregister"), 404, "correction-not-found")
    subject = {"kind": "agent", "id": "refunds", "version": "v2"}
    for caller in (two, one):
        tested = caller.post("/v1/test-runs", {"projectId": "default", "subject": subject})
        assert made["id"] not in tested.text
        assert error_of(tested, 409, "no-cases")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": None}, "/name"),
        ({"projectId": None}, "/projectId"),
        ({"sampleRate": "half"}, "/sampleRate"),
        ({"sampleRate": 1.01}, "/sampleRate"),
        ({"reviewersPerItem": 6}, "/reviewersPerItem"),
        ({"reviewersPerItem": True}, "/reviewersPerItem"),
        ({"claimSeconds": 0}, "/claimSeconds"),
        ({"minReviewerRole": "boss"}, "/minReviewerRole"),
        ({"filter": {"status": "running"}}, "/filter/status"),
        ({"filter": {"subject": {"kind": "tool", "id": "a"}}}, "/filter/subject/kind"),
        ({"filter": {"since": "2026-01-05"}}, "/filter/since"),
        ({"filter": {"version": "v1"}}, "/filter/version"),
        ({"status": "open"}, "/status"),
        ({"name": "a\u0000"}, "/name"),
    ],
)
def test_each_fault_of_a_queue_is_named_with_what_is_allowed(
    lone: Caller, body: dict[str, Any], pointer: str
) -> None:
    sent = {"projectId": "default", "name": "Q", **body}
    told = faults(lone.post(QUEUES, {name: value for name, value in sent.items() if value is not None}))
    assert list(told) == [pointer]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"name": None}, "/name"),
        ({"claimSeconds": "60"}, "/claimSeconds"),
        ({"filter": {}}, "/filter"),
        ({"projectId": "other"}, "/projectId"),
    ],
)
def test_each_fault_of_a_change_is_named_with_what_is_allowed(
    lone: Caller, body: dict[str, Any], pointer: str
) -> None:
    told = faults(lone.send("PATCH", f"{QUEUES}/{lone.queue()['id']}", body))
    assert list(told) == [pointer]


def test_all_faults_of_an_answer_are_told_and_the_claim_stays(api: Api) -> None:
    caller = api.tenant()
    caller.run()
    queue = caller.queue()
    claim = caller.claim(queue)
    path = claims(queue, claim["id"], "correction")
    assert set(faults(caller.post(path, {"answer": "wrong", "decisions": "bad", "runId": "x"}))) >= {
        "/decisions",
        "/runId",
    }
    assert faults(caller.post(path, {}))
    group = caller.group(assertableBy={"principalKinds": ["service"]})
    refused = caller.post(path, {**RIGHT, "correctorGroupId": group["id"]})
    error_of(refused, 403, "corrector-group-not-allowed")
    caller.post(f"/v1/corrector-groups/{group['id']}/retire")
    refused = caller.post(path, {**RIGHT, "correctorGroupId": group["id"]})
    assert group["id"] in error_of(refused, 400, "corrector-group-not-applicable")["message"]
    assert caller.judge(claim, **RIGHT)["runId"] == claim["runId"]


def test_what_is_not_there_is_404_and_what_is_not_allowed_403(api: Api) -> None:
    admin, stranger = api.tenant(), api.tenant()
    run_id, queue = admin.run(), admin.queue()
    claim = admin.claim(queue)
    writer, reader = admin.user("bo", "write"), admin.user("cy", "read")
    admin.post("/v1/projects", {"id": "other", "name": "Other"})
    elsewhere = admin.service("admin", projectId="other")
    verbs = [
        ("GET", f"{QUEUES}/{queue['id']}", None),
        ("GET", f"{QUEUES}/{queue['id']}/items", None),
        ("PATCH", f"{QUEUES}/{queue['id']}", {"name": "x"}),
        ("POST", f"{QUEUES}/{queue['id']}/close", None),
        ("POST", claims(queue), None),
        ("POST", claims(queue, claim["id"], "correction"), RIGHT),
        ("POST", claims(queue, claim["id"], "release"), None),
        ("POST", claims(queue, claim["id"], "skip"), None),
        ("POST", adjudication(queue, run_id), RIGHT),
    ]
    for method, path, body in verbs:
        theirs = stranger.send(method, path, body)
        absent = stranger.send(method, path.replace(queue["id"], NOBODY), body)
        assert error_of(theirs, 404, "review-queue-not-found")["details"] == {"queueId": queue["id"]}
        assert (
            theirs.json()["error"]["message"].replace(queue["id"], NOBODY)
            == absent.json()["error"]["message"]
        )
        error_of(elsewhere.send(method, path, body), 403, "permission-denied")
    for caller, allowed in ((reader, verbs[:2]), (writer, verbs[:2])):
        for method, path, _ in allowed:
            assert caller.send(method, path).status_code == 200
    for method, path, body in (verbs[2], verbs[3], verbs[8]):
        error_of(writer.send(method, path, body), 403, "permission-denied")
    for method, path, body in verbs[5:8]:
        assert error_of(writer.send(method, path, body), 404, "review-claim-not-found")
    error_of(reader.post(claims(queue)), 403, "scope-missing")
    listed = [who.get(QUEUES).json()["data"] for who in (reader, elsewhere, stranger)]
    assert [len(one) for one in listed] == [1, 0, 0]
    error_of(stranger.get(f"{QUEUES}?projectId=nowhere"), 404, "project-not-found")
    error_of(reader.get(f"{QUEUES}?state=open"), 400, "unknown-parameter")
    error_of(reader.get(f"{QUEUES}/{queue['id']}/items?state=done"), 400, "invalid-parameter")


def test_a_removed_member_reviews_no_more_and_another_gets_the_run(api: Api) -> None:
    admin = api.tenant()
    run_id, queue = admin.run(), admin.queue(reviewersPerItem=2)
    member, other = admin.user("bo"), admin.user("cy", "write")
    path = f"/v1/projects/default/members/{member.id}"
    assert admin.send("PUT", path, {"role": "write"}).status_code == 200
    claim = member.claim(queue)
    assert admin.send("DELETE", path).status_code in (200, 204)
    for verb in ("release", "skip", "correction"):
        refused = member.post(claims(queue, claim["id"], verb), RIGHT if verb == "correction" else None)
        assert refused.status_code == 403
    assert member.post(claims(queue)).status_code == 403
    assert other.claim(queue)["runId"] == run_id
    assert admin.get(f"{QUEUES}/{queue['id']}").json()["counts"]["claimed"] == 1


def test_a_reviewer_who_corrects_the_run_elsewhere_is_told_so(api: Api) -> None:
    admin = api.tenant()
    run_id, queue = admin.run(), admin.queue(reviewersPerItem=2)
    one = admin.user("bo", "write")
    claim = one.claim(queue)
    made = one.correction(run_id)
    refused = one.post(claims(queue, claim["id"], "correction"), RIGHT)
    details = error_of(refused, 409, "run-already-corrected")["details"]
    assert details == {"runId": run_id, "correctionId": made["id"]}
    assert one.post(claims(queue, claim["id"], "skip")).json()["state"] == "skipped"
    error_of(one.post(claims(queue), {"runId": run_id}), 409, "review-item-taken")
    two = admin.user("cy", "write")
    error_of(two.post(claims(queue), {"runId": run_id}), 404, "review-item-not-found")
    two.claim(queue)
    twice = two.post("/v1/corrections", a_correction(run_id))
    assert "blind" not in twice.json()


def test_the_end_of_a_claim_says_what_is_open(api: Api) -> None:
    admin = api.tenant()
    admin.run()
    queue = admin.queue()
    claim = admin.claim(queue)
    assert admin.post(claims(queue, claim["id"], "release")).json()["state"] == "released"
    error = error_of(admin.post(claims(queue, claim["id"], "correction"), RIGHT), 409, "review-claim-ended")
    assert error["details"]["open"] == ["take up again"]
    assert "take the run up again" in error["message"]
    admin.post(f"{QUEUES}/{queue['id']}/close")
    for path, body in ((claims(queue), None), (claims(queue, claim["id"], "correction"), RIGHT)):
        assert error_of(admin.post(path, body), 409, "review-queue-closed")["details"]["open"] == []


def test_only_an_admin_decides_and_only_where_reviewers_disagree(api: Api) -> None:
    admin = api.tenant()
    run_id, queue = admin.run(), admin.queue(reviewersPerItem=2)
    one, two = admin.user("bo", "write"), admin.user("cy", "write")
    first, second = one.claim(queue), two.claim(queue)
    early = error_of(admin.post(adjudication(queue, run_id), RIGHT), 409, "review-not-disagreed")
    assert (early["details"]["state"], "not all" in early["message"]) == ("claimed", True)
    made = [one.judge(first, **RIGHT), two.judge(second, **WRONG)]
    error_of(one.post(adjudication(queue, run_id), RIGHT), 403, "permission-denied")
    by = admin.post(adjudication(queue, run_id), WRONG)
    assert (by.status_code, set(by.json()["adjudicates"])) == (201, {entry["id"] for entry in made})
    again = error_of(admin.post(adjudication(queue, run_id), RIGHT), 409, "review-not-disagreed")
    assert again["details"]["adjudicatedBy"] == by.json()["id"]
    item = one.get(f"{QUEUES}/{queue['id']}/items?state=adjudicated").json()["data"][0]
    assert (item["differs"], item["adjudicatedBy"]) == (["answer"], by.json()["id"])
    error_of(admin.post(adjudication(queue, "nowhere"), RIGHT), 404, "review-item-not-found")


def test_reviews_that_are_over_begun_and_taken_back_are_sound(tmp_path: Path) -> None:
    url = new_sqlite(tmp_path)
    own = open_api(url)
    admin = own.tenant()
    people = [admin.user(name, "write") for name in ("bo", "cy", "dee")]
    for _ in range(3):
        admin.run()
    queue = admin.queue(reviewersPerItem=2)
    taken_back, *_ = [people[0].judge(people[0].claim(queue)) for _ in range(2)]
    assert people[0].post(f"/v1/corrections/{taken_back['id']}/unregister").status_code == 200
    for person in people[1:]:
        person.judge(person.claim(queue), **RIGHT)
    people[1].claim(queue)
    states = [item["state"] for item in admin.get(f"{QUEUES}/{queue['id']}/items").json()["data"]]
    assert sorted(states) == ["claimed", "complete"]
    own.close()
    assert sound(url)
