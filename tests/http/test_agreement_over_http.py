"""The agreement of raters over HTTP."""

from tests.http.support import Caller, error_of


def test_agreement_is_told_by_aspect_by_pair_and_where_it_ends(caller: Caller) -> None:
    maria = caller.user("maria", "admin")
    made = []
    for verdicts in ("rr", "rr", "ww", "rw", "wr"):
        run = caller.run()
        for one, verdict in zip((caller, maria), verdicts, strict=True):
            said = {"answer": "right", "shouldSay": None} if verdict == "r" else {}
            made.append(one.correction(run, **said))
    whole = caller.get("/v1/corrections/agreement").json()
    decisions, answer, items = whole["aspects"]
    none = {"units": 0, "agreeing": 0, "alpha": {"whyNot": "no-overlap"}}
    assert (decisions, items) == ({"aspect": "decisions", **none}, {"aspect": "items", **none})
    assert {name: answer[name] for name in ("units", "agreeing", "share")} == {
        "units": 5,
        "agreeing": 3,
        "share": 0.6,
    }
    assert 0.2 < answer["alpha"]["value"] < 0.3
    (pair,) = whole["pairs"]
    assert {rater["by"]["id"] for rater in pair["raters"]} == {caller.id, maria.id}
    assert (pair["aspect"], pair["units"], round(pair["kappa"]["value"], 4)) == ("answer", 5, 0.1667)
    assert whole["morePairs"] is False
    newest, older = whole["data"]
    assert (newest["runId"], older["runId"]) == (made[8]["runId"], made[6]["runId"])
    assert (newest["aspect"], newest["right"], newest["wrong"], "itemKey" in newest) == (
        "answer",
        1,
        1,
        False,
    )
    assert sorted(newest["said"], key=lambda voice: voice["verdict"]) == [
        {"by": {"kind": "user", "id": maria.id}, "verdict": "right", "correctionId": made[9]["id"]},
        {"by": {"kind": "user", "id": caller.id}, "verdict": "wrong", "correctionId": made[8]["id"]},
    ]


def test_two_raters_can_be_named(caller: Caller) -> None:
    agent, run = caller.service(), caller.run()
    caller.correction(run)
    agent.correction(run, answer="right", shouldSay=None, participantId="guest/1")
    query = f"rater={caller.id}&rater={agent.id}/guest%2F1"
    pairs = caller.get(f"/v1/corrections/agreement?{query}").json()["pairs"]
    assert [(pair["aspect"], pair["units"], pair["kappa"]) for pair in pairs] == [
        ("decisions", 0, {"whyNot": "no-overlap"}),
        ("answer", 1, {"value": 0.0}),
        ("items", 0, {"whyNot": "no-overlap"}),
    ]
    raters = pairs[0]["raters"]
    assert {"by": {"kind": "service", "id": agent.id}, "participantId": "guest/1"} in raters
    assert {"by": {"kind": "user", "id": caller.id}} in raters


def test_disagreements_go_on_by_cursor(caller: Caller) -> None:
    maria = caller.user("maria", "admin")
    runs = [caller.run() for _ in range(3)]
    for run in runs:
        caller.correction(run)
        maria.correction(run, answer="right", shouldSay=None)
    first = caller.get("/v1/corrections/agreement?limit=2").json()
    rest = caller.get(f"/v1/corrections/agreement?limit=2&cursor={first['nextCursor']}").json()
    assert [one["runId"] for page in (first, rest) for one in page["data"]] == runs[::-1]
    assert (first["hasMore"], rest["hasMore"], rest["aspects"]) == (True, False, first["aspects"])


def test_what_does_not_fit_is_refused(caller: Caller) -> None:
    path = "/v1/corrections/agreement"
    for query in ("rater=a", "rater=a&rater=a", "rater=a&rater=b&rater=c", "aspect=tone", "agentVersion=v1"):
        error_of(caller.get(f"{path}?{query}"), 400, "invalid-parameter")
    error_of(caller.get(f"{path}?status=open"), 400, "unknown-parameter")
    error_of(caller.get(f"{path}?projectId=nowhere"), 404, "project-not-found")
    told = caller.get(f"{path}?rater=a&rater=b").json()
    assert [pair["kappa"] for pair in told["pairs"]] == [{"whyNot": "no-overlap"}] * 3
