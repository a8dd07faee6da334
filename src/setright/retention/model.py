"""How long content is kept, and what a passing that keeps to it came to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from setright.kernel.errors import fault_at
from setright.kernel.fields import Input, optional

MOST_DAYS = 36_500
MOST_BRIEFING_DAYS = 90
Days = Annotated[int, Field(ge=1, le=MOST_DAYS)]
OF_PROJECT = ("runs", "reads")
OF_TENANT = ("outputs", "interactions", "briefings")


class NewProjectRetention(Input):
    """How many whole days content of a project is kept; what is left out stays as it is, null is for ever."""

    runs: Days | None = optional(
        "What runs said, from when they finished; a correction's copy of it stays, whatever its age."
    )
    reads: Days | None = optional("The log of who read runs, where one is kept.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An empty change is refused."""
        yield from _changes_something(body, OF_PROJECT)


class NewTenantRetention(Input):
    """How many whole days content of the tenant is kept; what is left out stays as it is, null is for as long as can be."""

    outputs: Days | None = optional("Kept answers about texts, from when they were composed.")
    interactions: Days | None = optional(
        "Questions about texts and their answers, from when they were asked; what was said of the answers stays."
    )
    briefings: Annotated[int, Field(ge=1, le=MOST_BRIEFING_DAYS)] | None = optional(
        f"Which session was told which rules, from its last briefing; null is {MOST_BRIEFING_DAYS} days."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An empty change is refused."""
        yield from _changes_something(body, OF_TENANT)


@dataclass(frozen=True, slots=True)
class Retention:
    """How many days each kind of content is kept, by kind; a kind that is not there is kept for as long as can be.

    `project_id` is None for the tenant's own; `updated_at` is 0 and nobody set it where nothing was ever set. `longer`
    names kinds that the last change keeps for longer than before.
    """

    project_id: str | None
    days: Mapping[str, int]
    updated_at: int = 0
    set_by_kind: str | None = None
    set_by_id: str | None = None
    longer: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """What a passing cut of one kind, in one project or (None) in the tenant: everything from before a moment.

    `held` is how much a legal hold kept.
    """

    project_id: str | None
    kind: str
    days: int
    before: int
    cut: int
    held: int


@dataclass(frozen=True, slots=True)
class Passing:
    """A passing of retention; a dry run has no `id`. `counts` says how much was cut so far, by kind.

    `cuts` is told of a passing that is read by itself.
    """

    id: str
    state: str
    asked_by_kind: str
    asked_by_id: str
    created_at: int
    updated_at: int
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    ended_at: int | None = None
    cuts: Sequence[Cut] | None = None


def _changes_something(body: Mapping[str, Any], kinds: Sequence[str]) -> Iterator[dict[str, str]]:
    if not body:
        yield fault_at("", "changes nothing", f"at least one of {', '.join(kinds)}")
