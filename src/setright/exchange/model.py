"""What a reader of a foreign format finds, where it goes, and the report of an import."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from setright.kernel.canonical import digest
from setright.subjects import fold

MOST_TOLD = 1_000
_UNUSUAL = re.compile(r"[^A-Za-z0-9._-]+")
_READABLE = 100
_HASH = 16


class Stream(Protocol):
    """A file that is read once, from its beginning, and may be larger than memory."""

    def read(self, size: int, /) -> bytes:
        """At most `size` further bytes; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class ReadRun:
    """A run that was found: `source_id` tells it apart in its source, `said` is its content by the API's names.

    `said` holds no id, project or subject; `size` is how many bytes the run has in its file. `agent` is who ran, if the
    source says so; `corrections` are what people said of the run there, as bodies without the run's id.
    """

    source_id: str
    version: str
    place: str
    size: int
    said: Mapping[str, Any]
    agent: str | None = None
    corrections: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that could not be read, with its place in the file and the reason."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Into:
    """Where the runs of an import go: their format's name, the project, and the agent that ran, if they all name one."""

    format: str
    project_id: str
    agent: str | None = None

    def agent_of(self, found: ReadRun) -> str | None:
        """The agent that ran: as the import says, else as the source does, None where neither does."""
        return self.agent or found.agent

    def run_id(self, found: ReadRun) -> str:
        """The id of a run here: one of its kind for format, project, agent and source id, and readable by people."""
        agent = fold(self.agent_of(found) or "")
        source = [self.format, self.project_id, agent, found.source_id]
        words = _UNUSUAL.sub("-", f"{agent}-{found.source_id}").strip("-")
        return f"{words[:_READABLE]}-{digest(source)[:_HASH]}"

    def body(self, found: ReadRun) -> dict[str, Any]:
        """The body in which a run is recorded; read again, it is the same run, because its source decides its id."""
        subject = {"kind": "agent", "id": self.agent_of(found), "version": found.version}
        return {**found.said, "id": self.run_id(found), "projectId": self.project_id, "subject": subject}


@dataclass(frozen=True, slots=True)
class NotRead:
    """An entry of the report: what was not read, of which file, where and why."""

    file: str
    place: str
    reason: str


@dataclass(slots=True)
class Report:
    """What could not be read of the files of an import: the first 1,000 places are told, and all are counted."""

    not_read: int = 0
    told: list[NotRead] = field(default_factory=list[NotRead])

    def missed(self, file: str, place: str, reason: str) -> None:
        """Count something that was not read."""
        self.not_read += 1
        if len(self.told) < MOST_TOLD:
            self.told.append(NotRead(file, place, reason))


@dataclass(slots=True)
class ImportReport(Report):
    """What became of the runs in the files of an import.

    `calls` counts the calls of the new runs and of those that were there; `without_calls` counts runs that have none.
    `corrections` counts those that were recorded of what people said in the source: each by its author as a
    participant, so that it is open and unsorted.
    """

    new: int = 0
    already_there: int = 0
    calls: int = 0
    without_calls: int = 0
    corrections: int = 0

    @property
    def read(self) -> int:
        """How many runs were read."""
        return self.new + self.already_there

    def took(self, calls: int, *, created: bool) -> None:
        """Count a run that is in the ledger now."""
        self.new += created
        self.already_there += not created
        self.calls += calls
        self.without_calls += not calls
