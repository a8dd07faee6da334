"""The seed's story over a real MCP client: import, interpret, correct, and be told both readings with the scholar's name."""

from typing import Any

import pytest

from setright.demo import samples
from tests.mcp.asking import ERAS, Asking
from tests.mcp.scholars_desk import FIELDS, Desk, Said, corrected

CLAIM = "The agent read lu\u2082-gal as lugal[king]N"
CORRECTION = (
    "This sign sequence in this context should be read as lugal[owner]N \u2014 the administrative genre and parallel "
    "texts from Nippur support the 'owner' sense"
)
EVIDENCE = "Steinkeller 1987, FAOS 9/2, p. 62"
WORD = {"p_number": "P900001", "token_id": "o.3.2"}


@pytest.fixture
def desk(person: Asking) -> Desk:
    """A desk with our two texts, of which one is read in two ways."""
    made = Desk(person)
    made.keep(samples.corpus()["storehouse.atf"])
    return made


@pytest.mark.parametrize("era", ERAS)
def test_a_correction_over_a_real_client(desk: Desk, era: str) -> None:
    said = Said("P900001", "o.3.2", "\u201cking\u201d", CLAIM, CORRECTION, EVIDENCE)
    corrected(desk, era, said, ["P900002"])


def test_readings_of_two_projects_stand_side_by_side(desk: Desk) -> None:
    desk.keep(samples.corpus()["storehouse_owner.atf"])
    told = desk.asking("interpret_token", **WORD)
    (sense,) = told["data"]["hypotheses"]
    assert {one["value"]: one["source"] for one in sense["readings"]} == {
        "king": "setright/first",
        "owner": "setright/second",
    }


def test_evidence_and_scholar_may_be_left_out_and_integers_come_as_text(desk: Desk) -> None:
    number = desk.asking("interpret_token", **WORD)["interaction_id"]
    for given in (str(number), float(number)):
        answer = desk.asking("submit_correction", interaction_id=given, claim=CLAIM, correction="owner")
        assert set(answer) == FIELDS
        assert answer["interaction_id"] == number
    summary = desk.asking("summarize_artifact", p_number="P900001")["summary"]
    assert "\u201cowner\u201d (correction; from user-correction)" in summary


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"interaction_id": 0}, "interaction_id"),
        ({"interaction_id": -1}, "interaction_id"),
        ({"interaction_id": "x"}, "whole number"),
        ({"interaction_id": 2**63}, "whole number"),
        ({"interaction_id": 999}, "no interaction 999"),
        ({"claim": ""}, "claim: is required"),
        ({"claim": "x" * 100_000}, "claim"),
        ({"correction": " "}, "correction"),
        ({"scholar_id": 77}, "scholar"),
        ({"run_id": "x"}, "Unknown argument"),
    ],
)
def test_what_cannot_be_corrected_says_why_and_writes_nothing(
    desk: Desk, arguments: dict[str, Any], says: str
) -> None:
    number = desk.asking("interpret_token", **WORD)["interaction_id"]
    before = desk.annotations("P900001")
    given = {"interaction_id": number, "claim": CLAIM, "correction": "owner", **arguments}
    assert says in desk.asking.refused("submit_correction", **given)
    assert desk.annotations("P900001") == before


def test_another_tenants_answer_is_not_there(desk: Desk, api: Any) -> None:
    number = desk.asking("interpret_token", **WORD)["interaction_id"]
    other = Asking(api.tenant())
    said = {"interaction_id": number, "claim": CLAIM, "correction": "owner"}
    assert f"no interaction {number}" in other.refused("submit_correction", **said)


def test_an_answer_that_belongs_to_a_run_is_corrected_as_one(desk: Desk) -> None:
    caller = desk.asking.caller
    run_id = caller.run()
    told = desk.asking("interpret_token", **WORD, run_id=run_id.removeprefix("run_"))
    number = told["interaction_id"]
    desk.asking("submit_correction", interaction_id=number, claim=CLAIM, correction=CORRECTION)
    (made,) = caller.get(f"/v1/corrections?runId=interaction-{number}").json()["data"]
    assert (made["answer"], made["shouldSay"], made["why"]) == ("wrong", CORRECTION, CLAIM)
    assert made["subject"]["id"] == "knowledge.interpret_token"
    kept = caller.get(f"/v1/runs/interaction-{number}").json()
    assert (kept["answer"], kept["output"]["citations"][0]["n"]) == (told["summary"], 1)
