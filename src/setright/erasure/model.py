"""An erasure: whose words leave every room, and what came of it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import StringConstraints

from setright.kernel.errors import fault_at
from setright.kernel.fields import WORDS, Id, Input, optional, required

TargetKind = Literal["participant", "run", "user"]
HeldKind = Literal["participant", "run", "user", "project"]
WordsWord = Literal["keep", "erase"]
Reason = Annotated[str, StringConstraints(min_length=1, max_length=WORDS)]
_TARGETS = ("participantId", "runId", "userId")


class NewErasure(Input):
    """What is to be erased: exactly one of an end user, a run and a user of Setright."""

    participant_id: Id | None = optional(
        "The app's opaque id of its end user: all their runs so far, and what was said of or for them."
    )
    run_id: Id | None = optional("A run, and what was said of it.")
    user_id: Id | None = optional(
        "A user: a pseudonym takes the place of name, e-mail and id wherever they stand."
    )
    words: WordsWord | None = optional(
        "Only with userId: erase also takes out every text that the user wrote; left out, keep."
    )
    reason: Reason = required("Why, for who reads the record later; never a name of who is erased.")
    dry_run: bool | None = optional(
        "True: only count what would be erased, and keep nothing of the question."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """Exactly one target, and `words` only for a user."""
        given = [name for name in _TARGETS if body.get(name) is not None]
        if len(given) != 1:
            told = "names nothing to erase" if not given else f"names {' and '.join(given)}"
            yield fault_at("", told, f"exactly one of {', '.join(_TARGETS)}")
        if body.get("words") is not None and body.get("userId") is None:
            yield fault_at("/words", "is given", "only with userId")

    @property
    def target(self) -> tuple[TargetKind, str]:
        """What is to be erased: its kind and its id."""
        if self.participant_id is not None:
            return "participant", self.participant_id
        return ("run", self.run_id) if self.run_id is not None else ("user", self.user_id or "")


class NewLegalHold(Input):
    """What must not be erased: exactly one of an end user, a run, a user and a project."""

    participant_id: Id | None = optional("The app's opaque id of its end user.")
    run_id: Id | None = optional("A run.")
    user_id: Id | None = optional("A user of Setright.")
    project_id: Id | None = optional("A project: no run of it is erased.")
    reason: Reason = required("Why it must be kept.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """Exactly one target."""
        names = (*_TARGETS, "projectId")
        given = [name for name in names if body.get(name) is not None]
        if len(given) != 1:
            told = "names nothing to keep" if not given else f"names {' and '.join(given)}"
            yield fault_at("", told, f"exactly one of {', '.join(names)}")

    @property
    def target(self) -> tuple[HeldKind, str]:
        """What is to be kept: its kind and its id."""
        if self.project_id is not None:
            return "project", self.project_id
        if self.participant_id is not None:
            return "participant", self.participant_id
        return ("run", self.run_id) if self.run_id is not None else ("user", self.user_id or "")


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erasure as it stands; times are microseconds, `counts` says how much was erased, by kind of thing.

    `target` is None once it is done, but for a run: nothing of who was erased is left. `pseudonym` is the id that takes the
    place of a user's. A dry run has no `id`.
    """

    id: str
    kind: TargetKind
    target: str | None
    words: WordsWord
    reason: str
    state: str
    asked_by_kind: str
    asked_by_id: str
    created_at: int
    updated_at: int
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    pseudonym: str | None = None
    held_by: str | None = None
    ended_at: int | None = None


@dataclass(frozen=True, slots=True)
class LegalHold:
    """Something that must not be erased as long as the hold is not released."""

    id: str
    kind: HeldKind
    target: str
    reason: str
    placed_by_kind: str
    placed_by_id: str
    created_at: int
    released_by_kind: str | None = None
    released_by_id: str | None = None
    released_at: int | None = None


class Remembered(NamedTuple):
    """An erasure as it is remembered outside of the ledger: of who was erased there is only a keyed hash."""

    tenant_id: str
    id: str
    kind: TargetKind
    target_hash: str
    words: WordsWord
    reason: str
    created_at: int


class Step(NamedTuple):
    """What a batch of a phase took out, by kind of thing, and where the phase goes on, None at its end."""

    gone: Counter[str]
    place: Any
