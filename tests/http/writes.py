"""A request of every writing route that succeeds, and what must be there for it."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from tests.http.support import Caller, a_correction, a_lesson, a_run

REQUESTS: dict[str, tuple[str, Any]] = {
    "createProject": ("/v1/projects", {"name": "P"}),
    "renameProject": ("/v1/projects/default", {"name": "Other"}),
    "putMember": ("/v1/projects/default/members/{user}", {"role": "read"}),
    "removeMember": ("/v1/projects/default/members/{member}", None),
    "createUser": ("/v1/users", {"name": "fay"}),
    "changeUser": ("/v1/users/{user}", {"name": "flo"}),
    "disableUser": ("/v1/users/{user}/disable", None),
    "inviteUser": ("/v1/users/{mailed}/invite", None),
    "endSession": ("/v1/sessions/{session}", None),
    "createToken": ("/v1/tokens", {"kind": "user", "name": "t"}),
    "rotateToken": ("/v1/tokens/{token}/rotate", {}),
    "revokeToken": ("/v1/tokens/{token}", None),
    "recordRun": ("/v1/runs", a_run()),
    "recordRuns": ("/v1/runs/batch", {"runs": [a_run()]}),
    "appendCalls": ("/v1/runs/{running}/calls", {"position": 0, "calls": [{"tool": "t"}]}),
    "finishRun": ("/v1/runs/{running}/finish", {"output": 1}),
    "recordCorrection": ("/v1/corrections", a_correction("known")),
    "changeCorrection": ("/v1/corrections/{correction}", {"status": "being-fixed"}),
    "unregisterCorrection": ("/v1/corrections/{correction}/unregister", None),
    "withdrawCorrection": ("/v1/waiting-corrections/{held}", None),
    "createCorrectorGroup": ("/v1/corrector-groups", {"name": "G", "scope": {"kind": "tenant"}}),
    "changeCorrectorGroup": ("/v1/corrector-groups/{group}", {"weight": 2}),
    "retireCorrectorGroup": ("/v1/corrector-groups/{group}/retire", None),
    "deployAgent": ("/v1/agents/refunds/versions", {"version": "v2"}),
    "deployFlow": ("/v1/flows/flow/versions", {"version": "2"}),
    "pinVersion": (
        "/v1/projects/default/pins",
        {"subject": {"kind": "agent", "id": "refunds"}, "version": "v1"},
    ),
    "unpinVersion": ("/v1/projects/default/pins/{pin}/unpin", None),
    "setToolEffect": ("/v1/projects/default/tools/t", {"effect": "read"}),
    "dropToolEffect": ("/v1/projects/default/tools/declared", None),
    "createTestRun": (
        "/v1/test-runs",
        {"projectId": "default", "subject": {"kind": "agent", "id": "refunds", "version": "v2"}},
    ),
    "claimCases": ("/v1/test-runs/{testRun}/claim", {"n": 5}),
    "renewLease": ("/v1/test-runs/{claimedRun}/renew", {"lease": "{lease}"}),
    "submitResults": (
        "/v1/test-runs/{claimedRun}/results",
        {"results": [{"caseId": "{case}", "lease": "{lease}", "calls": []}]},
    ),
    "finishTestRun": ("/v1/test-runs/{testRun}/finish", {"partial": True}),
    "cancelTestRun": ("/v1/test-runs/{testRun}/cancel", None),
    "createReviewQueue": ("/v1/review-queues", {"projectId": "default", "name": "R"}),
    "changeReviewQueue": ("/v1/review-queues/{queue}", {"claimSeconds": 60}),
    "closeReviewQueue": ("/v1/review-queues/{queue}/close", None),
    "claimRun": ("/v1/review-queues/{queue}/claims", None),
    "answerClaim": ("/v1/review-queues/{queue}/claims/{claim}/correction", {"answer": "right"}),
    "releaseClaim": ("/v1/review-queues/{queue}/claims/{claim}/release", None),
    "skipClaim": ("/v1/review-queues/{queue}/claims/{claim}/skip", None),
    "adjudicateItem": (
        "/v1/review-queues/{queue}/items/{disagreed}/adjudication",
        {"answer": "wrong", "why": "so"},
    ),
    "recordLesson": ("/v1/lessons", a_lesson()),
    "updateLesson": ("/v1/lessons/{lesson}", {"status": "adopted"}),
    "countStops": ("/v1/lessons/stops", {"stops": [{"lessonId": "{lesson}"}]}),
    "deleteLesson": ("/v1/lessons/{lesson}", None),
    "recordArtifact": ("/v1/artifacts", {"id": "P1", "source": "s", "title": "T"}),
    "createScholar": ("/v1/scholars", {"name": "A. Scholar"}),
    "changeScholar": ("/v1/scholars/1", {"institution": "A university"}),
    "claimScholar": ("/v1/scholars/2/claims", {"note": "That is me."}),
    "approveScholarClaim": ("/v1/scholars/1/claims/{scholarClaim}/approve", {"reason": "We met."}),
    "rejectScholarClaim": ("/v1/scholars/1/claims/{scholarClaim}/reject", {}),
    "withdrawScholarClaim": ("/v1/scholars/1/claims/{scholarClaim}/withdraw", None),
    "createErasure": ("/v1/erasures", {"participantId": "nobody", "reason": "asked for"}),
    "createLegalHold": ("/v1/legal-holds", {"participantId": "somebody", "reason": "lawsuit"}),
    "releaseLegalHold": ("/v1/legal-holds/{hold}/release", None),
    "changeProjectRetention": ("/v1/projects/default/retention", {"runs": 30}),
    "keepReadLog": ("/v1/projects/default/read-log", {"kept": True}),
    "changeRetention": ("/v1/retention", {"outputs": 90}),
    "beginPassing": ("/v1/retention-passings", None),
    "submitCorrection": (
        "/v1/interactions/{interaction}/corrections",
        {"claim": "It is no house.", "correction": "a temple"},
    ),
    "rateInteraction": ("/v1/interactions/{interaction}/ratings", {"rating": "up"}),
    "acceptAnnotation": ("/v1/annotations/{contested}/accept", {"reason": "So it is."}),
    "rejectAnnotation": ("/v1/annotations/{contested}/reject", {"scholarId": 1}),
    "cancelJob": ("/v1/jobs/{job}/cancel", None),
    "retryJob": ("/v1/jobs/{cancelled}/retry", None),
    "patchAgent": ("/v1/agents/refunds", {"name": "R"}),
    "patchFlow": ("/v1/flows/flow", {"name": "F"}),
}


NAMED = {
    "agent": "refunds",
    "artifact": "P7",
    "cursor": "nowhere",
    "flow": "flow",
    "participant": "somebody",
    "project": "default",
    "run": "known",
    "scholar": "1",
    "sitting": "morning",
    "tool": "declared",
    "userName": "cy",
}
"""What callers name themselves, and numbers, by what they name."""


def prepared(caller: Caller, name: str) -> tuple[str, Any]:
    """The path and the body of a request that succeeds; what its path names is made first."""
    path, body = REQUESTS[name]
    made = made_things(caller)
    return path.format(**made), filled(body, made)


def filled(body: Any, made: Mapping[str, str]) -> Any:
    """A body with the ids of what was made in the place of texts such as `{lease}`."""
    if isinstance(body, dict):
        return {filled(name, made): filled(value, made) for name, value in body.items()}
    if isinstance(body, list):
        return [filled(value, made) for value in body]
    return body.format(**made) if isinstance(body, str) else body


def made_things(caller: Caller) -> dict[str, str]:
    """The ids of things in all the states that a path may need."""
    caller.run("known")
    caller.run(subject={"kind": "flow", "id": "flow", "version": "1"})
    started = {"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "1"}}
    member, cancelled = caller.user("member"), caller.job()
    caller.send("PUT", f"/v1/projects/default/members/{member.id}", {"role": "read"})
    caller.post(f"/v1/jobs/{cancelled}/cancel")
    pinned = {"subject": {"kind": "flow", "id": "flow"}, "version": "1"}
    caller.send("PUT", "/v1/projects/default/tools/declared", {"effect": "read"})
    correction = caller.correction("known")["id"]
    claimed_run = caller.test_run()["id"]
    claimed = caller.post(f"/v1/test-runs/{claimed_run}/claim").json()
    return {
        **NAMED,
        **_read(caller),
        "claimedRun": claimed_run,
        "lease": claimed["lease"],
        "case": claimed["cases"][0]["id"],
        "pin": caller.post("/v1/projects/default/pins", pinned).json()["id"],
        "user": caller.user("cy").id,
        "member": member.id,
        "token": caller.service().id,
        "mailed": caller.mailed("di"),
        "session": caller.session()[0],
        "running": caller.post("/v1/runs", started).json()["id"],
        "correction": correction,
        "held": caller.held("later")["id"],
        "testRun": caller.test_run()["id"],
        "lesson": caller.lesson()["id"],
        "group": caller.group()["id"],
        "hold": caller.post("/v1/legal-holds", {"runId": "r", "reason": "lawsuit"}).json()["id"],
        "job": caller.job(),
        "erasure": caller.post("/v1/erasures", {"participantId": "gone", "reason": "asked for"}).json()["id"],
        "passing": caller.post("/v1/retention-passings").json()["id"],
        "cancelled": cancelled,
        "trace": caller.trace("default", uuid4().hex),
        **_reviewed(caller),
    }


def _read(caller: Caller) -> dict[str, str]:
    """An answer about a text, a contested reading, and two scholars, as the first of whom the caller may speak."""
    for name in ("One", "Two"):
        caller.post("/v1/scholars", {"name": name})
    claim = caller.post("/v1/scholars/1/claims", {"userId": caller.id}).json()["id"]
    told = caller.get(f"/v1/artifacts/{caller.text('P7')}/summary").json()
    number = str(told["interactionId"])
    wrong = {"claim": "It is no king.", "correction": "an owner"}
    assert caller.post(f"/v1/interactions/{number}/corrections", wrong).status_code == 201
    contested = next(one["annotationId"] for one in told["citations"] if one["value"] == "king")
    return {
        "scholarClaim": claim,
        "interaction": number,
        "annotationRun": "1",
        "output": caller.get("/v1/outputs").json()["data"][0]["id"],
        "contested": contested,
    }


def _reviewed(caller: Caller) -> dict[str, str]:
    """A review queue with a run on which two disagree, one that the caller has claimed, and one that nobody has."""
    subject = {"kind": "agent", "id": "reviewed", "version": "1"}
    for _ in range(3):
        caller.run(subject=subject)
    queue = caller.queue(reviewersPerItem=2, filter={"subject": {"kind": "agent", "id": "reviewed"}})
    other = caller.user("dee", "write")
    first, second = caller.claim(queue), other.claim(queue)
    caller.judge(first)
    other.judge(second, answer="right")
    return {"queue": queue["id"], "claim": caller.claim(queue)["id"], "disagreed": first["runId"]}
