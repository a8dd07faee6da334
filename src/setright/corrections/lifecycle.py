"""The whole life of a correction: how it is sorted when it is saved, and what supersedes it."""

from dataclasses import dataclass

from setright.kernel.lifecycle import Lifecycle, Move

STATUSES = ("open", "being-fixed", "with-owner", "fixed", "wont-fix", "removed")
DESKS = ("improve", "developer", "owner")

MOVES = (
    Move("record", None, "open", "write in the project", "correction.recorded"),
    Move("record", None, "with-owner", "write in the project", "correction.recorded"),
    Move("record", None, "fixed", "write in the project", "correction.recorded"),
    *(
        Move("supersede", status, status, "the same caller, by a newer correction", "correction.superseded")
        for status in STATUSES
        if status != "removed"
    ),
)

LIFECYCLE = Lifecycle("correction", STATUSES, MOVES, final=("removed",))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a correction stands: its status and the desk it is sorted to, None while unsorted."""

    status: str
    sorted_to: str | None = None


def sort_at_save(
    *, decisions: str | None, answer: str | None, wrong_item: bool, participant: bool
) -> Standing:
    """Where a new correction goes; the first match wins (DESIGN section 4)."""
    if participant:
        return Standing("open")
    if decisions == "wrong":
        return Standing("with-owner", "owner")
    if answer == "wrong" or wrong_item:
        return Standing("open", "improve")
    return Standing("fixed")
