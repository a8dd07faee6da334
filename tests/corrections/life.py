"""The whole life of corrections as a model: what each verb of each caller must come to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.corrections.tallying import RIGHT_ANSWER, RIGHT_CALLS, WRONG_ANSWER, WRONG_CALLS, items

SAYS: Mapping[str, tuple[dict[str, Any], str, str | None]] = {
    "calls": (WRONG_CALLS | RIGHT_ANSWER, "with-owner", "owner"),
    "answer": (WRONG_ANSWER | RIGHT_CALLS, "open", "improve"),
    "items": (items("right", "wrong"), "open", "improve"),
    "right": (RIGHT_ANSWER, "fixed", None),
}
Place = tuple[str, str, str | None]
"""The run that is corrected, who corrects, and for which participant."""


@dataclass
class One:
    """A correction as it should be; `story` has what happened to it and by whom."""

    place: Place
    group: str | None
    status: str
    desk: str | None
    expert: bool = False
    evidence: bool = False
    reason: str | None = None
    note: str | None = None
    later: str | None = None
    story: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


@dataclass
class Held:
    """A held correction as it should be."""

    place: Place
    says: str
    group: str | None
    story: list[tuple[str, str]]
    state: str = "waiting"


class Model:
    """The ledger as it should be."""

    def __init__(self) -> None:
        self.ones: dict[str, One] = {}
        self.held: dict[str, Held] = {}
        self.retired: set[str] = set()

    def not_under(self, caller: str, group: str | None) -> str | None:
        """Why a caller may not correct under a group."""
        if group in self.retired:
            return "corrector-group-not-applicable"
        return "corrector-group-not-allowed" if (group, caller) == ("experts", "app") else None

    def record(self, made: str, place: Place, says: str, group: str | None, held: Held | None = None) -> None:
        """A correction takes its place, and the one that stood there moves no more."""
        for one in self.ones.values():
            if one.place == place and one.later is None and one.status != "removed":
                one.later = made
                one.story.append(("correction.superseded", place[1]))
        status, desk = ("open", None) if place[2] else SAYS[says][1:]
        new = One(place, group, status, desk, group == "experts", evidence=status == "fixed")
        new.story = [*(held.story if held else []), ("correction.recorded", place[1])]
        self.ones[made] = new

    def end(self, run: str, ender: str) -> None:
        """A run ends: what waits for it is recorded in the order in which it came, or refused."""
        for made, held in list(self.held.items()):
            if (held.place[0], held.state) != (run, "waiting"):
                continue
            if self.not_under(held.place[1], held.group):
                held.state = "refused"
                held.story.append(("correction.refused", ender))
            else:
                self.record(made, held.place, held.says, held.group, self.held.pop(made))

    def not_moved(self, one: One, mover: str, status: str | None) -> str | None:
        """Why a caller may not move a correction to a status, or anywhere."""
        if mover == "app" and one.place[1] != "app":
            return "permission-denied"
        if one.later:
            return "already-superseded"
        if one.status == "removed":
            return "already-removed"
        return "move-refused" if status in ("fixed", "removed") else None

    def move(self, one: One, mover: str, change: Mapping[str, Any]) -> None:
        """Somebody sets the status, sorts, or notes; what changes nothing is not told."""
        before = (one.status, one.desk, one.reason, one.note)
        status, desk = change.get("status", one.status), one.desk
        if status != one.status:
            leaves = one.desk == "owner" and status != "wont-fix"
            desk = "owner" if status == "with-owner" else None if leaves else one.desk
            one.status, one.evidence = status, False
        if "sortedTo" in change:
            desk = change["sortedTo"]
            was_owners = one.status == "with-owner"
            to_owner = desk == "owner" and one.status in ("open", "being-fixed")
            one.status = (
                "with-owner" if to_owner else "open" if was_owners and desk != "owner" else one.status
            )
        if desk != one.desk or change.get("reason"):
            one.desk, one.reason = desk, change.get("reason")
        one.note = change.get("statusNote", one.note)
        if before != (one.status, one.desk, one.reason, one.note):
            one.story.append(("correction.moved", mover))

    def remove(self, one: One, mover: str) -> None:
        """Somebody takes a correction out for good; again is the same."""
        if one.status != "removed":
            one.status = "removed"
            one.story.append(("correction.unregistered", mover))

    def withdraw(self, held: Held, mover: str) -> None:
        """Somebody takes back what waits, or was refused; again is the same."""
        if held.state != "withdrawn":
            held.state = "withdrawn"
            held.story.append(("correction.withdrawn", mover))
