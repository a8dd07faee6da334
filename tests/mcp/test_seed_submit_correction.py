"""The seed's story over a real MCP client: import, interpret, correct, and be told both readings with the scholar's name."""

from typing import Any

import mcp
import pytest

from setright import identity, knowledge
from setright.demo import samples
from setright.identity import NewScholar, NewScholarClaim
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.fields import validate
from setright.knowledge import NewArtifact, RunFilters
from setright.storage import Snapshot, Tx
from tests.exchange.atf_samples import read
from tests.mcp.asking import ERAS, Asking, in_era

FIELDS = {"interaction_id", "feedback_id", "new_annotation_run_id", "message"}
MESSAGE = (
    "Correction recorded. The next request that re-loads any agent output citing the corrected annotation will "
    "regenerate."
)
CLAIM = "The agent read lu\u2082-gal as lugal[king]N"
CORRECTION = (
    "This sign sequence in this context should be read as lugal[owner]N \u2014 the administrative genre and parallel "
    "texts from Nippur support the 'owner' sense"
)
EVIDENCE = "Steinkeller 1987, FAOS 9/2, p. 62"
WORD = {"p_number": "P900001", "token_id": "o.3.2"}


class Desk:
    """A tenant with texts and a scholar, as whom its admin may speak, and who asks over MCP."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        caller = asking.caller
        self.actor = Actor(caller.tenant_id, "user", caller.id, "", frozenset(SCOPES), {}, Role.ADMIN)

    def write(self, work: Any) -> Any:
        """Write as the admin."""

        def as_admin(tx: Tx) -> Any:
            tx.actor = self.actor
            return work(tx)

        return self.asking.caller.app.store.write(as_admin).result(30)

    def read(self, work: Any) -> Any:
        """Read as the admin."""

        def as_admin(at: Snapshot) -> Any:
            at.actor = self.actor
            return work(at)

        return self.asking.caller.app.store.read(as_admin).result(30)

    def keep(self, text: str) -> None:
        """Import a file in ATF."""
        artifacts, _ = read(text)
        for said in artifacts:
            new = validate(NewArtifact, said)
            self.write(lambda tx, new=new: knowledge.record_artifact(tx, new))

    def scholar(self, name: str) -> int:
        """A scholar as whom the admin may speak."""

        def make(tx: Tx) -> int:
            made = identity.create_scholar(tx, validate(NewScholar, {"name": name}))
            identity.ask_to_speak(tx, made.number, validate(NewScholarClaim, {"userId": self.actor.id}))
            return made.number

        return self.write(make)

    def annotations(self, artifact_id: str) -> dict[str, Any]:
        """Every annotation of a text by its id."""
        layers = self.read(lambda at: knowledge.layers_of(at, artifact_id))
        return {one.annotation.id: one.annotation for one in layers}


@pytest.fixture
def desk(person: Asking) -> Desk:
    """A desk with our two texts, of which one is read in two ways."""
    made = Desk(person)
    made.keep(samples.corpus()["storehouse.atf"])
    return made


@pytest.mark.parametrize("era", ERAS)
def test_a_correction_over_a_real_client(desk: Desk, era: str) -> None:
    scholar = desk.scholar("P. Steinkeller")

    async def story(client: mcp.Client) -> dict[str, Any]:
        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result.content
            assert result.structured_content is not None
            return result.structured_content

        told = {
            "summary": await call("summarize_artifact", p_number="P900001"),
            "other": await call("summarize_artifact", p_number="P900002"),
            "word": await call("interpret_token", **WORD),
        }
        told["answer"] = await call(
            "submit_correction",
            interaction_id=told["word"]["interaction_id"],
            claim=CLAIM,
            correction=CORRECTION,
            evidence=EVIDENCE,
            scholar_id=scholar,
        )
        told["fresh"] = await call("summarize_artifact", p_number="P900001")
        told["again"] = await call("summarize_artifact", p_number="P900001")
        told["other_again"] = await call("summarize_artifact", p_number="P900002")
        return told

    before = desk.annotations("P900001")
    told = in_era(desk.asking, era, story)
    answer = told["answer"]
    assert set(answer) == FIELDS
    assert (answer["interaction_id"], answer["message"]) == (told["word"]["interaction_id"], MESSAGE)
    assert "\u201cking\u201d" in told["summary"]["summary"]
    fresh = told["fresh"]
    assert fresh["generated_at"] > told["summary"]["generated_at"]
    assert told["again"]["generated_at"] == fresh["generated_at"]
    assert told["other_again"]["generated_at"] == told["other"]["generated_at"]
    line = next(one for one in fresh["summary"].splitlines() if one.startswith("o.3.2:"))
    for words in (CORRECTION, "\u201cking\u201d", "by P. Steinkeller", EVIDENCE):
        assert words in line
    after = desk.annotations("P900001")
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1
    (run,) = desk.read(lambda at: knowledge.list_annotation_runs(at, RunFilters(scholar=scholar))).data
    assert (run.number, run.source_name, run.method, run.scholar) == (
        answer["new_annotation_run_id"],
        "user-correction",
        "agent-hypothesis-correction",
        scholar,
    )
    interaction = desk.read(lambda at: knowledge.get_interaction(at, answer["interaction_id"]))
    (feedback,) = interaction.feedback
    assert (feedback.number, feedback.claim, feedback.correction, feedback.evidence) == (
        answer["feedback_id"],
        CLAIM,
        CORRECTION,
        EVIDENCE,
    )


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
