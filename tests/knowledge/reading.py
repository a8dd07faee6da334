"""A tenant in which texts are read: imports, annotations and their layers, answers and corrections."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from setright import identity, knowledge
from setright.identity import NewScholar, NewScholarClaim
from setright.kernel.actor import Actor, Role
from setright.kernel.fields import validate
from setright.knowledge import (
    About,
    Artifact,
    Citation,
    Corrected,
    ImportedArtifact,
    Layered,
    NewArtifact,
    NewDecision,
    SubmittedCorrection,
)
from setright.knowledge.queries import layers_of
from setright.knowledge.reading import record
from tests.support.rooms import Room


@dataclass(frozen=True, slots=True)
class Reading(Room):
    """A tenant whose texts are read and corrected."""

    def brought(self, body: dict[str, Any], by: Actor | None = None) -> ImportedArtifact:
        """What an import came to."""
        new = validate(NewArtifact, body)
        return self.do(lambda tx: knowledge.record_artifact(tx, new), by)

    def artifact(self, artifact_id: str) -> Artifact:
        """An artifact as it stands."""
        return self.ask(lambda at: knowledge.get_artifact(at, artifact_id))

    def layers(self, artifact_id: str, *targets: str) -> list[Layered]:
        """The annotations of an artifact, or of some targets of it."""
        return self.ask(lambda at: layers_of(at, artifact_id, list(targets) or None))

    def values(self, artifact_id: str, target: str, field: str) -> list[str]:
        """What is said of one target and field, in the order in which it is shown."""
        layers = [one for one in self.layers(artifact_id, target) if one.annotation.field == field]
        return [one.annotation.value for one in knowledge.in_order(layers)]

    def answered(
        self,
        artifact_id: str = "T1",
        target: str | None = "o.1.1",
        by: Actor | None = None,
        run_id: str | None = None,
    ) -> int:
        """The number of an answer that cites all that is said of a target; without one, of an artifact by a search."""
        layers = self.layers(artifact_id, *([] if target is None else [target]))
        cited = [Citation(n, one.annotation.id) for n, one in enumerate(layers, 1)]
        about = None if target is None else About(artifact_id, target)
        tool = "semantic_search" if target is None else "interpret_token"
        told = {"summary": "; ".join(one.annotation.value for one in layers)}
        asked = {"tokenId": target}
        return self.do(lambda tx: record(tx, tool, asked, told, cited, about, run_id), by).interaction

    def corrected(
        self, number: int, claim: str, correction: str, by: Actor | None = None, **more: Any
    ) -> Corrected:
        """What a correction of an answer came to."""
        said = validate(SubmittedCorrection, {"claim": claim, "correction": correction, **more})
        return self.do(lambda tx: knowledge.submit_correction(tx, number, said), by)

    def decided(self, verb: str, annotation_id: str, by: Actor, **more: Any) -> Layered:
        """An annotation after a decision."""
        verbs = {"accept": knowledge.accept_annotation, "reject": knowledge.reject_annotation}
        new = validate(NewDecision, more)
        return self.do(lambda tx: verbs[verb](tx, annotation_id, new), by)

    def one(self, artifact_id: str, target: str, value: str) -> Layered:
        """The annotation of a target with a value."""
        return next(one for one in self.layers(artifact_id, target) if one.annotation.value == value)

    def standing(self, artifact_id: str, target: str, value: str) -> str:
        """Where the annotation of a target with a value stands."""
        return knowledge.standing(self.one(artifact_id, target, value))

    def scholar(self, name: str = "A. Scholar", **more: Any) -> int:
        """The number of a new scholar."""
        new = validate(NewScholar, {"name": name, **more})
        return self.do(lambda tx: identity.create_scholar(tx, new)).number

    def speaker(self, *names: str) -> tuple[Actor, Sequence[int]]:
        """A user of the tenant who may speak as new scholars, and their numbers."""
        numbers = [self.scholar(name) for name in names or ("A. Scholar",)]
        person = self.user()
        grant = validate(NewScholarClaim, {"userId": person.id})
        for number in numbers:
            self.do(lambda tx, number=number: identity.ask_to_speak(tx, number, grant))
        return person, numbers

    def user(self) -> Actor:
        """A user of the tenant with write in the default project."""
        name = f"user-{self.person.id}"
        made = self.do(lambda tx: identity.create_user(tx, validate(identity.NewUser, {"name": name})))
        return self.ledger.actor(self.tenant, Role.WRITE, id=made.id)


def a_text(**more: Any) -> dict[str, Any]:
    """The body of a short text of our own, with one word that is read in two ways."""
    return {
        "id": "T1",
        "source": "sample/one",
        "title": "A delivery of barley",
        "genre": "administrative",
        "licence": "CC0",
        "lines": [
            a_line(
                "1",
                "lu2-gal sze",
                a_word("lu2-gal", reading="lugal", lemma="lugal", sense="king", pos="N"),
                a_word("sze", lemma="sze", sense="barley", pos="N"),
                annotations=[{"field": "translation", "value": "The king: barley."}],
            ),
            {"surface": "o", "kind": "ruling", "text": "$ single ruling"},
            a_line("2", "i3-ag2", a_word("i3-ag2", lemma="ag", sense="measure", pos="V/t")),
        ],
        **more,
    }


def a_line(label: str, text: str, *words: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A line of a text."""
    return {"surface": "o", "label": label, "text": text, "tokens": list(words), **more}


def a_word(form: str, **said: str) -> dict[str, Any]:
    """A word of a line with what is said of it."""
    return {"form": form, "annotations": [{"field": name, "value": value} for name, value in said.items()]}
