"""What a briefing is asked for and what it tells: rules in force, open lessons, and why a rule is in it or not."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple


class RuleInForce(NamedTuple):
    """A rule as a briefing tells it; an empty `agent_key` is every agent, and no project the whole account."""

    id: str
    project_id: str | None
    agent: str
    agent_key: str
    kind: str
    severity: str
    weight: int
    rule: str
    status: str
    broken_again: int
    until: int | None
    must_not_call: Sequence[Mapping[str, Any]]
    adopted_by_kind: str
    adopted_by_id: str
    adopted_at: int
    verified_at: int | None
    created_at: int

    @property
    def place(self) -> tuple[int, int, int, str]:
        """Where it stands in a briefing among the rules of the same agent: the greater, the earlier."""
        return self.weight, self.broken_again, self.created_at, self.id


@dataclass(frozen=True, slots=True)
class OpenLesson:
    """A lesson that nobody has decided on, as a briefing tells of it."""

    id: str
    project_id: str | None
    agent: str
    kind: str
    severity: str
    noticed_by: str
    what_happened: str
    rule: str | None
    created_at: int


FormatWord = Literal["json", "markdown", "claude", "text"]


@dataclass(frozen=True, slots=True)
class Asked:
    """Which briefing is asked for: of an agent (empty: only what is for every agent), in a project or all readable ones.

    `format` says how its text is written: as plain text, or else as markdown; `session` is who is told, if that is to be
    remembered. With `explain` the answer says why rules are in or out: those of the lessons that `about` names, or else
    those that are in and the newest others.
    """

    agent: str = ""
    project_id: str | None = None
    session: str | None = None
    format: FormatWord = "json"
    budget: int | None = None
    explain: bool = False
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a lesson's rule is in a briefing or not; there is no rule where there is no such lesson."""

    lesson_id: str
    is_in: bool
    why: str
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Briefing:
    """What an agent is told when a session begins: `rules` and `open` are what stands in `text`.

    `guard` are all rules in force that forbid calls, whether there was room for them in the text or not. Briefings with
    the same `mark` tell the same, whoever asked; one without tells what no other does.
    """

    asked: Asked
    text: str
    rules: Sequence[RuleInForce]
    open: Sequence[OpenLesson]
    left_out: int
    guard: Sequence[RuleInForce]
    explained: Sequence[Explained] = ()
    explanation: str | None = None
    mark: Hashable = None
