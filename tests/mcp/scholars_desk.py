"""A tenant whose texts are corrected over a real MCP client, and the story that every text can go through."""

from dataclasses import dataclass
from typing import Any

import mcp

from setright import identity, knowledge
from setright.identity import NewScholar, NewScholarClaim
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.fields import validate
from setright.knowledge import NewArtifact, RunFilters
from setright.storage import Snapshot, Tx
from tests.exchange.atf_samples import read
from tests.mcp.asking import Asking, in_era

FIELDS = {"interaction_id", "feedback_id", "new_annotation_run_id", "message"}
MESSAGE = (
    "Correction recorded. The next request that re-loads any agent output citing the corrected annotation will "
    "regenerate."
)


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


@dataclass(frozen=True)
class Said:
    """What is corrected: a word by artifact and target, the old value that the claim names, and what is right."""

    artifact: str
    target: str
    old: str
    claim: str
    correction: str
    evidence: str
    scholar: str = "P. Steinkeller"


def corrected(desk: Desk, era: str, said: Said, others: list[str]) -> None:
    """Interpret a word, correct it, and see that what cites it is told anew once, and nothing else changes."""
    scholar = desk.scholar(said.scholar)
    before = desk.annotations(said.artifact)

    async def story(client: mcp.Client) -> dict[str, Any]:
        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result.content
            assert result.structured_content is not None
            return result.structured_content

        async def summaries() -> list[dict[str, Any]]:
            names = [said.artifact, *others]
            return [await call("summarize_artifact", p_number=name) for name in names]

        told: dict[str, Any] = {"before": await summaries()}
        told["word"] = await call("interpret_token", p_number=said.artifact, token_id=said.target)
        told["answer"] = await call(
            "submit_correction",
            interaction_id=told["word"]["interaction_id"],
            claim=said.claim,
            correction=said.correction,
            evidence=said.evidence,
            scholar_id=scholar,
        )
        return {**told, "fresh": await summaries(), "again": await summaries()}

    told = in_era(desk.asking, era, story)
    answer = told["answer"]
    assert set(answer) == FIELDS
    assert (answer["interaction_id"], answer["message"]) == (told["word"]["interaction_id"], MESSAGE)
    was, fresh, again = ([one["generated_at"] for one in told[name]] for name in ("before", "fresh", "again"))
    assert fresh[0] > was[0]
    assert fresh[1:] == was[1:]
    assert again == fresh
    lines = told["fresh"][0]["summary"].splitlines()
    line = next(one for one in lines if one.startswith(f"{said.target}:"))
    for words in (said.correction, said.old, f"by {said.scholar}", said.evidence):
        assert words in line
    after = desk.annotations(said.artifact)
    assert before.items() <= after.items()
    assert [one.value for name, one in after.items() if name not in before] == [said.correction]
    recorded(desk, said, scholar, answer)


def recorded(desk: Desk, said: Said, scholar: int, answer: dict[str, Any]) -> None:
    """The history of runs lists the correction by scholar, and the feedback holds all that was said."""
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
        said.claim,
        said.correction,
        said.evidence,
    )
