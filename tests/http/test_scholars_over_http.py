"""Scholars over HTTP, and who may speak as one."""

import pytest

from tests.http.support import Api, Caller, error_of

CARBERRY = {"name": "Josiah Carberry", "orcid": "0000-0002-1825-0097"}


def test_a_scholar_is_made_read_and_listed(caller: Caller) -> None:
    made = caller.post("/v1/scholars", CARBERRY)
    assert (made.status_code, made.headers["location"], made.json()["id"]) == (201, "/v1/scholars/1", 1)
    assert caller.post("/v1/scholars", {"name": "Ada"}).json()["id"] == 2
    assert caller.get("/v1/scholars/1").json() == made.json()
    assert [one["id"] for one in caller.get("/v1/scholars").json()["data"]] == [2, 1]
    page = caller.get("/v1/scholars?limit=1").json()
    rest = caller.get(f"/v1/scholars?limit=1&cursor={page['nextCursor']}").json()
    assert ([one["id"] for one in rest["data"]], rest["hasMore"]) == ([1], False)
    by_orcid = caller.get("/v1/scholars?orcid=https://orcid.org/0000-0002-1825-0097").json()
    assert [one["id"] for one in by_orcid["data"]] == [1]


def test_an_orcid_is_one_scholars(caller: Caller) -> None:
    caller.post("/v1/scholars", CARBERRY)
    error = error_of(caller.post("/v1/scholars", {**CARBERRY, "name": "Another"}), 409, "orcid-taken")
    assert error["details"] == {"orcid": CARBERRY["orcid"], "scholarId": 1}
    caller.post("/v1/scholars", {"name": "Ada"})
    error_of(caller.send("PATCH", "/v1/scholars/2", {"orcid": CARBERRY["orcid"]}), 409, "orcid-taken")
    assert caller.send("PATCH", "/v1/scholars/1", {"orcid": None}).status_code == 200
    assert caller.send("PATCH", "/v1/scholars/2", {"orcid": CARBERRY["orcid"]}).status_code == 200


@pytest.mark.parametrize("orcid", ["0000-0002-1825-0098", "0000", "0000-0002-1825-009X", ""])
def test_what_is_no_orcid_is_refused(caller: Caller, orcid: str) -> None:
    error = error_of(caller.post("/v1/scholars", {"name": "A", "orcid": orcid}), 400, "invalid-body")
    assert error["details"]["faults"][0]["pointer"] == "/orcid"


@pytest.mark.parametrize(
    "number", ["0", "-1", "king", "1.5", "9223372036854775808", "9007199254740992", "%20"]
)
def test_what_is_no_number_is_400(caller: Caller, number: str) -> None:
    error = error_of(caller.get(f"/v1/scholars/{number}"), 400, "invalid-parameter")
    assert error["details"]["faults"][0]["parameter"] == "scholarId"


def test_an_unknown_scholar_and_another_tenants_are_404(api: Api) -> None:
    caller, other = api.tenant(), api.tenant()
    other.post("/v1/scholars", CARBERRY)
    for answer in (
        caller.get("/v1/scholars/1"),
        caller.send("PATCH", "/v1/scholars/1", {"name": "Mine"}),
        caller.post("/v1/scholars/1/claims"),
        caller.get("/v1/scholars/9007199254740991/claims"),
    ):
        error_of(answer, 404, "scholar-not-found")


def test_a_user_asks_and_an_admin_approves(caller: Caller) -> None:
    caller.post("/v1/scholars", CARBERRY)
    bo = caller.user("bo", "write")
    asked = bo.post("/v1/scholars/1/claims", {"note": "That is me."})
    assert (asked.status_code, asked.json()["status"]) == (201, "asked")
    assert asked.json()["principal"] == {"kind": "user", "id": bo.id}
    again = bo.post("/v1/scholars/1/claims", {"note": "Really."})
    assert (again.status_code, again.json()) == (200, asked.json())
    path = f"/v1/scholars/1/claims/{asked.json()['id']}"
    error_of(bo.post(f"{path}/approve"), 403, "permission-denied")
    approved = caller.post(f"{path}/approve", {"reason": "We met."}).json()
    assert (approved["status"], approved["reason"], approved["decidedBy"]["id"]) == (
        "approved",
        "We met.",
        caller.id,
    )
    assert caller.post(f"{path}/approve").json() == approved
    assert bo.post(f"{path}/withdraw").json()["status"] == "withdrawn"
    error = error_of(caller.post(f"{path}/reject"), 409, "scholar-claim-move-refused")
    assert error["details"]["open"] == []


def test_an_admin_lets_another_speak_at_once(caller: Caller) -> None:
    caller.post("/v1/scholars", CARBERRY)
    bo, bot = caller.user("bo", "write"), caller.service()
    granted = caller.post("/v1/scholars/1/claims", {"userId": bo.id})
    assert (granted.status_code, granted.json()["status"]) == (201, "approved")
    of_service = caller.post("/v1/scholars/1/claims", {"serviceId": bot.id}).json()
    assert of_service["principal"] == {"kind": "service", "id": bot.id}
    error_of(bo.post("/v1/scholars/1/claims", {"userId": caller.id}), 403, "permission-denied")
    error_of(caller.post("/v1/scholars/1/claims", {"userId": "usr_nobody"}), 404, "user-not-found")
    both = {"userId": bo.id, "serviceId": bot.id}
    error_of(caller.post("/v1/scholars/1/claims", both), 400, "invalid-body")


def test_claims_are_shown_to_admins_and_to_whose_they_are(caller: Caller) -> None:
    caller.post("/v1/scholars", CARBERRY)
    bo, dee = caller.user("bo", "write"), caller.user("dee", "write")
    claims = [one.post("/v1/scholars/1/claims").json()["id"] for one in (bo, dee)]
    listed = "/v1/scholars/1/claims"
    assert [one["id"] for one in caller.get(listed).json()["data"]] == claims[::-1]
    assert [one["id"] for one in bo.get(listed).json()["data"]] == claims[:1]
    error_of(bo.post(f"{listed}/{claims[1]}/withdraw"), 404, "scholar-claim-not-found")
    error_of(caller.post(f"{listed}/{claims[1]}/withdraw"), 403, "permission-denied")


def test_a_scholar_is_changed_by_who_speaks_as_that_one_or_by_an_admin(caller: Caller) -> None:
    made = caller.post("/v1/scholars", CARBERRY)
    bo = caller.user("bo", "write")
    error_of(bo.send("PATCH", "/v1/scholars/1", {"name": "Bo"}), 403, "permission-denied")
    caller.post("/v1/scholars/1/claims", {"userId": bo.id})
    changed = bo.send("PATCH", "/v1/scholars/1", {"institution": "A university"})
    assert changed.json()["institution"] == "A university"
    stale = caller.send("PATCH", "/v1/scholars/1", {"name": "J."}, headers={"if-match": made.headers["etag"]})
    error_of(stale, 412, "changed-meanwhile")
    fresh = {"if-match": changed.headers["etag"]}
    assert caller.send("PATCH", "/v1/scholars/1", {"name": "J."}, headers=fresh).json()["name"] == "J."
    error_of(caller.send("PATCH", "/v1/scholars/1", {}), 400, "invalid-body")
