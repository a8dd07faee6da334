"""The whole life of a correction (how it is sorted at save, what people and versions move, what ends it) and of a group."""

from dataclasses import dataclass
from typing import Literal, get_args

from setright.kernel.lifecycle import Lifecycle, Move

StatusWord = Literal["open", "being-fixed", "with-owner", "fixed", "wont-fix", "removed"]
DeskWord = Literal["improve", "developer", "owner"]
STATUSES: tuple[str, ...] = get_args(StatusWord)
LIVE = STATUSES[:-1]
BY_HAND = ("open", "being-fixed", "with-owner", "wont-fix")
UNFIXED = ("open", "being-fixed", "with-owner")
CLEARED = ("fixedIn", "reopenedIn")
BY_EVIDENCE = "a finished test run of the version that its project runs"
WHO = "its maker with write in the project; another person with write, or the role admin"


def _by_hand(start: str) -> tuple[Move, ...]:
    """The moves that people make: a status set by hand undoes the evidence, a re-sort alone keeps it."""
    sets = (
        Move(f"set {end}", start, end, WHO, "correction.moved", CLEARED if end != start else ())
        for end in BY_HAND
    )
    to_owner = "with-owner" if start in ("open", "being-fixed") else start
    elsewhere = "open" if start == "with-owner" else start
    return (
        *sets,
        Move("sort to owner", start, to_owner, WHO, "correction.moved"),
        Move("sort to improve or developer, or to nobody", start, elsewhere, WHO, "correction.moved"),
        Move("note", start, start, WHO, "correction.moved"),
        Move("unregister", start, "removed", WHO, "correction.unregistered"),
        Move("supersede", start, start, "the same caller, by a newer correction", "correction.superseded"),
        Move("show", start, start, "the review of its run, once it is complete", "correction.shown"),
        Move(
            "adjudicate", start, start, "an admin, between reviewers who disagree", "correction.adjudicated"
        ),
        Move(
            "lift adjudication",
            start,
            start,
            "who removes the adjudicating one",
            "correction.adjudication-lifted",
        ),
    )


def _by_evidence(start: str) -> tuple[Move, ...]:
    """The moves that a version makes once its project runs it and a test run judged it; a hand makes none of them."""
    if start in UNFIXED:
        return (Move("fix", start, "fixed", BY_EVIDENCE, "correction.fixed", CLEARED[1:]),)
    if start == "fixed":
        return (
            Move("reopen", start, "open", BY_EVIDENCE, "correction.reopened"),
            Move("reopen with the owner", start, "with-owner", BY_EVIDENCE, "correction.reopened"),
        )
    return ()


MOVES = (
    *(
        Move("record", None, end, "write in the project", "correction.recorded")
        for end in ("open", "with-owner", "fixed")
    ),
    *(move for status in LIVE for move in (*_by_hand(status), *_by_evidence(status))),
)

LIFECYCLE = Lifecycle("correction", STATUSES, MOVES, final=("removed",))

_DESKS = {"decisions": "owner", "answer": "improve", "items": "improve"}
"""The desk that decides about what is wrong, by its aspect."""

_ADMIN = "an admin of the group's project, of the tenant for a group of the tenant"

GROUP_LIFE = Lifecycle(
    thing="corrector group",
    statuses=("active", "retired"),
    moves=(
        Move("create", None, "active", _ADMIN, "group.created"),
        Move("change", "active", "active", _ADMIN, "group.changed"),
        Move("change", "retired", "retired", _ADMIN, "group.changed"),
        Move("retire", "active", "retired", _ADMIN, "group.retired"),
    ),
)

WAITING_LIFE = Lifecycle(
    thing="held correction",
    statuses=("waiting", "refused", "withdrawn", "recorded"),
    moves=(
        Move("hold", None, "waiting", "write in the project", "correction.held"),
        Move(
            "attach",
            "waiting",
            "recorded",
            "the end of its run; its maker's rights count",
            "correction.recorded",
        ),
        Move("refuse", "waiting", "refused", "the end of its run, where a check fails", "correction.refused"),
        Move("withdraw", "waiting", "withdrawn", WHO, "correction.withdrawn"),
        Move("withdraw", "refused", "withdrawn", WHO, "correction.withdrawn"),
    ),
    final=("withdrawn", "recorded"),
)
"""How a correction waits for its run; once it is recorded it lives on as a correction, with the same id."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a correction stands: its status and the desk it is sorted to, None while unsorted."""

    status: str
    sorted_to: str | None = None


def sort_at_save(
    *, decisions: str | None, answer: str | None, wrong_item: bool, participant: bool
) -> Standing:
    """Where a new correction goes; the first match wins."""
    if participant:
        return Standing("open")
    if decisions == "wrong":
        return Standing("with-owner", "owner")
    if answer == "wrong" or wrong_item:
        return Standing("open", "improve")
    return Standing("fixed")


def set_status(now: Standing, status: str) -> Standing:
    """Where a correction stands once its status is set by hand; what leaves the owner's desk is unsorted."""
    if status == now.status:
        return now
    if status == "with-owner":
        return Standing(status, "owner")
    left = status in ("open", "being-fixed") and now.sorted_to == "owner"
    return Standing(status, None if left else now.sorted_to)


def sort_to(now: Standing, desk: str | None) -> Standing:
    """Where a correction stands once it is sorted to a desk, or to none; what is fixed or won't be fixed stays so."""
    move = "sort to owner" if desk == "owner" else "sort to improve or developer, or to nobody"
    found = LIFECYCLE.find(move, now.status)
    return Standing(found.end if found else now.status, desk)


def disagree(status: str, desk: str | None) -> bool:
    """Whether a status and a desk in one change contradict each other: only the owner has what is with-owner."""
    return (status == "with-owner") != (desk == "owner") and status != "wont-fix"


def by_evidence(
    now: Standing, verdict: str, wrong_aspect: str | None, *, participant: bool
) -> tuple[Move, Standing] | None:
    """How a verdict on the version that runs moves a correction, and where it stands then; None: not at all.

    What reopens unsorted is sorted by its aspect that is wrong first, unless an end user said it.
    """
    if verdict == "right":
        desk, move = now.sorted_to, LIFECYCLE.find("fix", now.status)
    elif verdict == "wrong":
        desk = now.sorted_to or (None if participant else _DESKS.get(wrong_aspect or ""))
        move = LIFECYCLE.find("reopen with the owner" if desk == "owner" else "reopen", now.status)
    else:
        return None
    return None if move is None else (move, Standing(move.end, desk))
