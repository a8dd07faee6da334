"""Moving a correction over HTTP: the state it is meant for, and what is told when that is gone."""

from tests.http.support import Api, error_of

ANY = {"if-match": "*"}


def test_a_change_names_the_state_that_it_is_meant_for(api: Api) -> None:
    caller = api.tenant()
    made = caller.correction()
    path = f"/v1/corrections/{made['id']}"
    first = caller.get(path).headers["etag"]
    moved = caller.send("PATCH", path, {"status": "being-fixed"}, headers={"if-match": first})
    assert (moved.status_code, moved.json()["status"]) == (200, "being-fixed")
    late = caller.send("PATCH", path, {"status": "wont-fix"}, headers={"if-match": first})
    details = error_of(late, 412, "changed-meanwhile")["details"]
    assert details == {"etag": moved.headers["etag"], "current": moved.json()}


def test_without_a_state_the_refusal_tells_the_one_there_is(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/corrections/{caller.correction()['id']}"
    headers = {"authorization": f"Bearer {caller.token}"}
    answer = caller.client.patch(path, json={"status": "open"}, headers=headers)
    assert error_of(answer, 400, "invalid-parameter")["details"]["etag"] == caller.get(path).headers["etag"]


def test_what_is_no_state_is_refused_as_such_and_another_state_as_changed(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/corrections/{caller.correction()['id']}"
    now = caller.get(path).headers["etag"]
    change = {"statusNote": "soon"}
    for text in (now.strip('"'), "abc", "", f"{now}, x", '"'):
        error = error_of(
            caller.send("PATCH", path, change, headers={"if-match": text}), 400, "invalid-parameter"
        )
        assert error["details"]["faults"][0]["parameter"] == "If-Match"
        assert "quotation marks" in error["message"]
    for other in (f"W/{now}", '"abc"', '"1"'):
        error_of(caller.send("PATCH", path, change, headers={"if-match": other}), 412, "changed-meanwhile")
    listed = caller.send("PATCH", path, change, headers={"if-match": f'"1", {now}'})
    assert listed.status_code == 200


def test_an_unknown_status_is_told_which_can_be_set(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/corrections/{caller.correction()['id']}"
    for word in ("done", 1, ["open"]):
        (fault,) = error_of(caller.send("PATCH", path, {"status": word}, headers=ANY), 400, "invalid-body")[
            "details"
        ]["faults"]
        assert (fault["pointer"], fault["allowed"]) == ("/status", "open, being-fixed, with-owner, wont-fix")


def test_a_star_says_that_any_state_is_meant(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/corrections/{caller.correction()['id']}"
    assert caller.send("PATCH", path, {"status": "wont-fix"}, headers=ANY).status_code == 200


def test_what_cannot_be_set_by_hand_tells_the_moves_that_are_open(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/corrections/{caller.correction()['id']}"
    details = error_of(caller.send("PATCH", path, {"status": "fixed"}, headers=ANY), 409, "move-refused")[
        "details"
    ]
    assert details["status"] == "open"
    assert "set wont-fix" in details["open"]
    error_of(caller.send("PATCH", path, {"status": "solved"}, headers=ANY), 400, "invalid-body")


def test_removed_is_final_and_removing_again_is_fine(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/corrections/{caller.correction()['id']}"
    gone = caller.post(f"{path}/unregister")
    assert (gone.status_code, gone.json()["status"]) == (200, "removed")
    assert caller.post(f"{path}/unregister").content == gone.content
    error_of(caller.send("PATCH", path, {"status": "open"}, headers=ANY), 409, "already-removed")
    assert caller.get("/v1/corrections").json()["data"] == []


def test_of_two_people_who_move_one_correction_at_once_one_is_told(api: Api) -> None:
    caller = api.tenant()
    path = f"/v1/corrections/{caller.correction()['id']}"
    etag = {"if-match": caller.get(path).headers["etag"]}
    told = [
        caller.send("PATCH", path, {"status": status}, headers=etag) for status in ("wont-fix", "being-fixed")
    ]
    assert [answer.status_code for answer in told] == [200, 412]
    history = caller.get(f"{path}/history").json()["data"]
    assert [event["kind"] for event in history] == ["correction.recorded", "correction.moved"]
