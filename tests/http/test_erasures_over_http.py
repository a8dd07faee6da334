"""Erasures and legal holds over real HTTP: who may ask, what is answered, and what a retry is told."""

from tests.erasure.said import SENTENCE
from tests.http.support import Api, Caller


def carried_out(caller: Caller) -> None:
    """Have the worker do what was asked for."""
    while caller.app.worker.turn():
        pass


def test_an_erasure_is_asked_for_carried_out_and_read(caller: Caller) -> None:
    caller.run("theirs", participantId="ann", input=SENTENCE, output=SENTENCE)
    caller.correction("theirs", answer="wrong", why=SENTENCE)
    asked = caller.post("/v1/erasures", {"participantId": "ann", "reason": "asked for"})
    assert asked.status_code == 202
    erasure = asked.json()
    assert (erasure["state"], "target" in erasure) == ("running", False)
    assert caller.get(f"/v1/erasures/{erasure['id']}").json()["target"] == "ann"
    assert asked.headers["location"] == f"/v1/erasures/{erasure['id']}"
    carried_out(caller)
    done = caller.get(f"/v1/erasures/{erasure['id']}").json()
    assert (done["state"], done["counts"]) == ("done", {"corrections": 1, "runs": 1})
    assert "target" not in done
    run = caller.get("/v1/runs/theirs").json()
    assert "contentErasedAt" in run
    assert SENTENCE not in str(run)
    refused = caller.post("/v1/corrections", {"runId": "theirs", "answer": "right"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (410, "run-erased")
    again = caller.post("/v1/runs/theirs/finish", {"output": SENTENCE})
    assert again.status_code == 410


def test_the_answer_of_a_kept_request_is_withheld_once_it_was_erased(caller: Caller) -> None:
    caller.run("theirs", participantId="ann")
    body = {"runId": "theirs", "answer": "wrong", "why": SENTENCE}
    first = caller.keyed("k-1", "/v1/corrections", body)
    assert first.status_code == 201
    caller.post("/v1/erasures", {"runId": "theirs", "reason": "asked for"})
    carried_out(caller)
    again = caller.keyed("k-1", "/v1/corrections", body)
    assert again.status_code == 409
    assert again.json()["error"]["code"] == "idempotency-key-replay-withheld"
    assert SENTENCE not in again.text


def test_a_legal_hold_answers_409_with_its_id_and_can_be_released(caller: Caller) -> None:
    caller.run("theirs", participantId="ann")
    hold = caller.post("/v1/legal-holds", {"runId": "theirs", "reason": "lawsuit"}).json()
    refused = caller.post("/v1/erasures", {"participantId": "ann", "reason": "asked for"})
    assert refused.status_code == 409
    assert refused.json()["error"]["details"] == {"legalHoldId": hold["id"]}
    assert caller.post(f"/v1/legal-holds/{hold['id']}/release").json()["releasedAt"]
    assert caller.post("/v1/erasures", {"participantId": "ann", "reason": "asked for"}).status_code == 202


def test_bad_wishes_name_the_field_the_fault_and_what_is_allowed(caller: Caller) -> None:
    none = caller.post("/v1/erasures", {"reason": "x"})
    assert none.status_code == 400
    assert "exactly one of participantId, runId, userId" in none.text
    assert (
        caller.post("/v1/erasures", {"participantId": "a"}).json()["error"]["details"]["faults"][0]["pointer"]
        == "/reason"
    )
    assert caller.post("/v1/erasures", {"runId": "no-such", "reason": "x"}).status_code == 404
    assert caller.get("/v1/erasures/ers_01KE5MCQ80000000000000000A").status_code == 404


def test_only_admins_erase_and_nobody_sees_anothers(caller: Caller, api: Api) -> None:
    member = caller.user("member", "write")
    asked = {"participantId": "ann", "reason": "x"}
    for path in ("/v1/erasures", "/v1/legal-holds"):
        assert member.post(path, asked).status_code == 403
        assert member.get(path).status_code == 403
    erasure = caller.post("/v1/erasures", asked).json()["id"]
    hold = caller.post("/v1/legal-holds", asked).json()["id"]
    other = api.tenant()
    assert other.get(f"/v1/erasures/{erasure}").status_code == 404
    assert other.post(f"/v1/legal-holds/{hold}/release").status_code == 404
