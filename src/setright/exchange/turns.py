"""Sessions of coding agents cut into runs: each begins with what a person asked, and ends before the next asks."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from setright.exchange.calls import Calls, last_text
from setright.exchange.model import ReadRun, Unread
from setright.exchange.said import UNVERSIONED, tags

Fields = dict[str, Any]
MOST_BYTES = 16 * 1024 * 1024
MOST_CALLS = 2_000


@dataclass(slots=True)
class Turn:
    """What a person asked and everything that came of it, so far."""

    source_id: str
    place: str
    version: str | None = None
    asked: list[Any] = field(default_factory=list[Any])
    messages: list[Fields] = field(default_factory=list[Fields])
    calls: Calls = field(default_factory=Calls)
    size: int = 0
    part: int = 1
    answered: bool = False

    @property
    def is_full(self) -> bool:
        """Whether what comes next goes into a run of its own, so that memory and runs stay bounded.

        No call that waits for its result is left behind, unless there is four times as much as should be.
        """
        much = max(self.size / MOST_BYTES, len(self.calls.found) / MOST_CALLS)
        return much > 1 and (not self.calls.waits or much > 4)

    def goes_on(self, place: str) -> "Turn":
        """The run in which a turn goes on that is full."""
        return Turn(self.source_id, place, self.version, self.asked, part=self.part + 1, answered=True)

    def done(self, agent: str, words: list[str]) -> Iterator[ReadRun | Unread]:
        """The run, and what was odd about it."""
        own = [one for one in self.messages if "agent" not in one]
        said: Fields = {"messages": self.messages, "calls": self.calls.found, "status": "completed"}
        said["output"] = last_text(own)
        if self.asked:
            said["input"] = self.asked[0] if len(self.asked) == 1 else self.asked
        source = self.source_id if self.part == 1 else f"{self.source_id}#{self.part}"
        said |= tags(words + ([f"part-{self.part}"] if self.part > 1 else []))
        yield ReadRun(source, self.version or UNVERSIONED, self.place, self.size, said, agent)
        yield from (Unread(place, reason) for place, reason in self.calls.odd)
