"""Retention over real HTTP: who may set it, what is answered, and what is left to read."""

from tests.http.support import Caller, error_of


def test_it_is_set_counted_kept_to_and_reported(caller: Caller) -> None:
    path = "/v1/projects/default/retention"
    assert caller.get(path).json() == {"projectId": "default"}
    made = caller.send("PATCH", path, {"runs": 30})
    assert (made.status_code, made.json()["runs"]) == (200, 30)
    known = {"if-match": made.headers["etag"]}
    longer = caller.send("PATCH", path, {"runs": 31}, headers=known)
    assert "brings nothing back" in longer.json()["notice"]
    error_of(caller.send("PATCH", path, {"runs": 32}, headers=known), 412, "changed-meanwhile")
    assert "notice" not in caller.get(path).json()
    assert "runs" not in caller.send("PATCH", path, {"runs": None}).json()
    due = caller.get("/v1/retention/due").json()
    assert (due["state"], due["counts"], due["cuts"]) == ("dry-run", {}, [])
    begun = caller.post("/v1/retention-passings")
    passing = begun.json()
    assert (begun.status_code, passing["state"]) == (202, "running")
    assert begun.headers["location"] == f"/v1/retention-passings/{passing['id']}"
    while caller.app.worker.turn():
        pass
    done = caller.get(begun.headers["location"]).json()
    assert (done["state"], done["cuts"]) == ("done", [])
    listed = caller.get("/v1/retention-passings").json()["data"]
    assert [one["id"] for one in listed] == [passing["id"]]
    assert "cuts" not in listed[0]


def test_only_admins_set_it(caller: Caller) -> None:
    writer = caller.user("wynn", "write")
    error_of(writer.send("PATCH", "/v1/projects/default/retention", {"runs": 3}), 403, "permission-denied")
    assert writer.get("/v1/projects/default/retention").status_code == 200
    for path in ("/v1/retention", "/v1/retention/due", "/v1/retention-passings"):
        error_of(writer.get(path), 403, "permission-denied")
    error_of(writer.post("/v1/retention-passings"), 403, "permission-denied")


def test_what_cannot_be_set_is_told_by_its_field(caller: Caller) -> None:
    for wrong, fault in (
        ({"outputs": 0}, "is too small"),
        ({"briefings": 91}, "is too large"),
        ({"interactions": "30"}, "is a string"),
        ({}, "changes nothing"),
    ):
        refused = caller.send("PATCH", "/v1/retention", wrong)
        details = error_of(refused, 400, "invalid-body")["details"]
        assert fault in details["faults"][0]["fault"]
    error_of(caller.send("PATCH", "/v1/retention", {"runs": 3}), 400, "unknown-field")
