"""The history of a correction over HTTP reads like a story: who, when, what it changed, and why."""

from typing import Any

from tests.http.support import Caller


def corrected(caller: Caller) -> str:
    made = caller.post("/v1/corrections", {"runId": caller.run(), "answer": "wrong", "shouldSay": "14 days."})
    assert made.status_code == 201, made.text
    return made.json()["id"]


def moved(caller: Caller, correction_id: str, **change: Any) -> None:
    answer = caller.send("PATCH", f"/v1/corrections/{correction_id}", change, headers={"if-match": "*"})
    assert answer.status_code == 200, answer.text


def history(caller: Caller, correction_id: str, **query: Any) -> list[dict[str, Any]]:
    return caller.get(f"/v1/corrections/{correction_id}/history", params=query).json()["data"]


def test_every_move_tells_what_it_changed_and_why(caller: Caller) -> None:
    correction = corrected(caller)
    moved(caller, correction, sortedTo="owner", reason="Only they know the rule.")
    moved(caller, correction, status="wont-fix", statusNote="The rule ends in May.")
    moved(caller, correction, sortedTo="developer", reason="It is in the code after all.")
    moved(caller, correction, statusNote=None)
    assert caller.post(f"/v1/corrections/{correction}/unregister").status_code == 200
    made, owner, ended, developer, lifted, gone = history(caller, correction)
    assert (made["kind"], "status" in made) == ("correction.recorded", False)
    assert (owner["status"], owner["sortedTo"]) == ("with-owner", "owner")
    assert owner["sorted"]["reason"] == "Only they know the rule."
    assert owner["sorted"]["by"] == owner["by"]
    assert (ended["status"], ended["statusNote"]["text"]) == ("wont-fix", "The rule ends in May.")
    assert developer["sorted"]["reason"] == "It is in the code after all."
    assert "statusNote" not in developer
    assert (lifted["changed"], "statusNote" in lifted) == (["statusNote"], False)
    assert gone["status"] == "removed"


def test_a_page_in_the_middle_tells_the_same(caller: Caller) -> None:
    correction = corrected(caller)
    for number in range(7):
        moved(caller, correction, statusNote=f"Note {number}.")
    whole = history(caller, correction)
    seen: list[dict[str, Any]] = []
    while len(seen) < len(whole):
        seen += history(caller, correction, limit=2, after=seen[-1]["seq"] if seen else 0)
    assert seen == whole
    assert [event["statusNote"]["text"] for event in seen[1:]] == [f"Note {number}." for number in range(7)]


def test_the_feed_of_all_events_holds_no_words(caller: Caller) -> None:
    correction = corrected(caller)
    moved(caller, correction, statusNote="Not for the feed.")
    assert "Not for the feed." not in caller.get("/v1/events").text
