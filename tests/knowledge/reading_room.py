"""A tenant with texts of ours that are asked about, and corrected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from setright import knowledge
from setright.knowledge import Answered, ImportedArtifact, SearchAsked, WordAsked
from tests.knowledge.reading import Reading


def a_token(form: str, **said: str) -> dict[str, Any]:
    """A word and what is said of it."""
    return {"form": form, "annotations": [{"field": name, "value": value} for name, value in said.items()]}


def a_line(label: str, *tokens: dict[str, Any], translation: str | None = None) -> dict[str, Any]:
    """A line of these words."""
    made: dict[str, Any] = {
        "label": label,
        "text": " ".join(token["form"] for token in tokens),
        "tokens": list(tokens),
    }
    if translation is not None:
        made["annotations"] = [{"field": "translation", "value": translation}]
    return made


KING = a_token("lu\u2082-gal", reading="lugal", lemma="lugal", sense="king", pos="N")
HOUSE = a_token("e\u2082", reading="e", lemma="e", sense="house", pos="N")


def a_text(artifact_id: str = "P1", lines: Sequence[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
    """A text of two words on one line, unless told otherwise."""
    return {
        "id": artifact_id,
        "source": "ours/bricks",
        "title": f"Brick {artifact_id}",
        "period": "Old",
        "licence": "CC0-1.0",
        "lines": list(lines) or [a_line("1", KING, HOUSE, translation="The king: his house.")],
        **more,
    }


@dataclass(frozen=True, slots=True)
class ReadingRoom(Reading):
    """A tenant whose texts are asked about."""

    def keep(self, text: dict[str, Any]) -> ImportedArtifact:
        """What importing a text came to."""
        return self.brought(text)

    def summary(self, artifact_id: str = "P1", focus: str = "", run_id: str | None = None) -> Answered:
        """The summary of a text."""
        return self.do(lambda tx: knowledge.summarize_artifact(tx, artifact_id, focus, run_id))

    def word(self, token_id: str, artifact_id: str = "P1") -> Answered:
        """What a word is taken to be."""
        return self.do(lambda tx: knowledge.interpret_token(tx, artifact_id, WordAsked(token_id)))

    def search(self, q: str, **more: Any) -> Answered:
        """What a search finds."""
        return self.do(lambda tx: knowledge.semantic_search(tx, SearchAsked(q, **more)))
