"""The whole life of a lesson, and which of its moves only a person makes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from setright.kernel.lifecycle import Lifecycle, Move

StatusWord = Literal["open", "adopted", "verified", "recurred", "dismissed", "duplicate", "retired"]
STATUSES: tuple[str, ...] = get_args(StatusWord)
IN_FORCE = ("adopted", "verified", "recurred")
"""The statuses in which a lesson's rule is read by agents, as long as it is not past its time."""

ANYBODY = "anybody with write"
PERSON = "a person with write"
IF_VERIFIED = "anybody with write; only a person where a person had verified it"
IF_ENDED = "anybody with write; only a person where a person had dismissed or retired it"

_EVENTS = {
    "adopt": "lesson.adopted",
    "verify": "lesson.verified",
    "recur": "lesson.recurred",
    "reopen": "lesson.reopened",
    "dismiss": "lesson.dismissed",
    "duplicate": "lesson.duplicated",
    "retire": "lesson.retired",
}
VERBS = {
    "open": "reopen",
    "adopted": "adopt",
    "verified": "verify",
    "recurred": "recur",
    "dismissed": "dismiss",
    "duplicate": "duplicate",
    "retired": "retire",
}
"""The verb that leads to each status."""
_CLEARS = {
    "adopt": ("verifiedBy", "verifiedAt", "duplicateOf"),
    "reopen": ("adoptedBy", "adoptedAt", "verifiedBy", "verifiedAt", "duplicateOf"),
}


def _moves(start: str, **who: str) -> tuple[Move, ...]:
    return tuple(
        Move(VERBS[end], start, end, by, _EVENTS[VERBS[end]], _CLEARS.get(VERBS[end], ()))
        for end, by in who.items()
    )


def _stays(status: str) -> tuple[Move, ...]:
    """What leaves the status as it is."""
    return (
        Move("reword", status, status, IF_VERIFIED, "lesson.reworded"),
        Move("delete", status, status, PERSON, "lesson.deleted"),
    )


LESSON_LIFE = Lifecycle(
    thing="lesson",
    statuses=STATUSES,
    moves=(
        Move("record", None, "open", ANYBODY, "lesson.recorded"),
        Move("record again", None, "duplicate", ANYBODY, "lesson.recorded"),
        *_moves("open", adopted=IF_ENDED, duplicate=ANYBODY, dismissed=PERSON),
        *_moves(
            "adopted",
            verified=PERSON,
            recurred=ANYBODY,
            duplicate=ANYBODY,
            open=ANYBODY,
            dismissed=PERSON,
            retired=PERSON,
        ),
        *_moves(
            "verified", recurred=ANYBODY, duplicate=PERSON, open=PERSON, dismissed=PERSON, retired=PERSON
        ),
        *_moves(
            "recurred",
            adopted=IF_VERIFIED,
            verified=PERSON,
            duplicate=IF_VERIFIED,
            open=IF_VERIFIED,
            dismissed=PERSON,
            retired=PERSON,
        ),
        *_moves("dismissed", open=ANYBODY, adopted=PERSON),
        *_moves("retired", open=ANYBODY, adopted=PERSON),
        *_moves("duplicate", open=ANYBODY),
        *(move for status in STATUSES for move in _stays(status)),
    ),
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides who may move a lesson: its status, and what persons did to it before.

    `verified`: a person verified the rule; `ended`: a person dismissed or retired it, and no
    person took that back.
    """

    status: str
    verified: bool = False
    ended: bool = False


def may(move: Move, standing: Standing, *, is_person: bool) -> bool:
    """Whether a person, or an assistant, may make a move of the table."""
    if is_person or move.who == ANYBODY:
        return True
    if move.who == IF_VERIFIED:
        return not standing.verified
    return move.who == IF_ENDED and not standing.ended


def open_to(standing: Standing, *, is_person: bool) -> Sequence[str]:
    """The statuses to which a person, or an assistant, may move a lesson."""
    return [
        move.end
        for move in LESSON_LIFE.open_from(standing.status)
        if move.end != move.start and may(move, standing, is_person=is_person)
    ]
