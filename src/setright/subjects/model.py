"""Agents and flows with their versions, and what a caller may change about them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from unicodedata import normalize

from setright.kernel.errors import fault_at
from setright.kernel.fields import Id, Input, Name, Words, optional

Kind = Literal["agent", "flow"]


def fold(subject_id: str) -> str:
    """The form in which ids of subjects are compared: NFKC, without white space around, caseless; may be empty.

    These are the steps of Unicode's compatibility caseless match (D146): texts that are canonically equal fold to
    one key, and a key folds to itself.
    """
    caseless = normalize("NFKD", normalize("NFD", subject_id).casefold()).casefold()
    return normalize("NFKC", caseless).strip()


@dataclass(frozen=True, slots=True)
class SubjectRef:
    """A subject at a version: `id` is its first spelling, `key` the form in which ids are compared."""

    kind: str
    key: str
    id: str
    version: str


@dataclass(frozen=True, slots=True)
class Subject:
    """An agent or a flow; `latest_version` is None until a version was deployed."""

    kind: str
    key: str
    id: str
    name: str | None
    description: str | None
    owner_id: str | None
    latest_version: str | None
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class SubjectVersion:
    """A version of a subject: known since `first_seen_at`, deployed at `deployed_at` if ever."""

    version: str
    first_seen_at: int
    deployed_at: int | None


@dataclass(frozen=True, slots=True)
class SubjectInFull:
    """A subject and its versions in order: by first deploy, else by when they were first seen."""

    subject: Subject
    versions: Sequence[SubjectVersion]


class SubjectChanges(Input):
    """What to change about a subject; null lifts what was there, a field that is left out stays."""

    name: Name | None = optional("How it is called among people.")
    description: Words | None = optional("What it does.")
    owner_id: Id | None = optional("The user who decides about it.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An empty change is refused."""
        if not body:
            yield fault_at("", "changes nothing", "at least one of name, description, ownerId")
