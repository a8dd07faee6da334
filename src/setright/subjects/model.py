"""Agents and flows with their versions, and what a caller may change about them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from unicodedata import normalize

from setright.kernel.errors import fault_at
from setright.kernel.fields import Id, Input, Name, Words, optional, required

Kind = Literal["agent", "flow"]
EffectWord = Literal["read", "write"]


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


@dataclass(frozen=True, slots=True)
class VersionChange:
    """That somebody deployed, pinned or unpinned: `version` runs from then on, `before` until then; None is no version.

    `project_id` is None for a deploy, which takes effect in every project that follows Latest.
    """

    id: str
    verb: str
    project_id: str | None
    kind: str
    key: str
    subject_id: str
    version: str | None
    before: str | None
    why: str | None
    by_kind: str
    by_id: str
    at: int


@dataclass(frozen=True, slots=True)
class Changed:
    """What a deploy, pin or unpin came to; `created` is False where it was so already."""

    change: VersionChange
    created: bool = True


@dataclass(frozen=True, slots=True)
class Running:
    """Which version of a subject a project runs, and through which change; None before anything was deployed or pinned.

    `pin_id` is the pin that holds it, None where the project follows Latest.
    """

    kind: str
    key: str
    id: str
    version: str | None
    pin_id: str | None
    verb: str | None
    why: str | None
    by_kind: str | None
    by_id: str | None
    at: int | None
    first_seen_at: int


@dataclass(frozen=True, slots=True)
class ToolEffect:
    """What a tool does in a project: `read` leaves everything as it is, `write` changes something."""

    tool: str
    effect: str
    by_kind: str
    by_id: str
    at: int


class NewDeploy(Input):
    """A version that from now on is Latest; one that was never seen becomes known by it."""

    version: Name = required("The version.")
    why: Words | None = optional("Why it is deployed.")


class NamedSubject(Input):
    """An agent or a flow, by its id."""

    kind: Kind = required("agent or flow.")
    id: Name = required("The subject's id.")


class NewPin(Input):
    """The version that a project runs from now on, whatever is deployed."""

    subject: NamedSubject = required("Which agent or flow.")
    version: Name = required("A version that is known: deployed, or seen in a run.")
    why: Words | None = optional("Why it is pinned.")


class Unpin(Input):
    """Why a project follows Latest again."""

    why: Words | None = optional("Why it is unpinned.")


class NewToolEffect(Input):
    """What a tool does."""

    effect: EffectWord = required("read leaves everything as it is; write changes something.")


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
