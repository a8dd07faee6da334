"""The phases of an erasure: each takes some more out, in one transaction, and says where to go on."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from setright import corrections, identity, knowledge, lessons, runs
from setright.corrections import WaitingCorrection
from setright.erasure import linked, people
from setright.erasure.model import Erasure, Step
from setright.storage import Tx, withhold_answers

RUNS_AT_ONCE = 20
AT_ONCE = 100
FEW_AT_ONCE = 10
ANSWERS_AT_ONCE = 500
FIRST = (0, "")


Phase = Callable[[Tx, Erasure, Any], Step]


def of_runs(tx: Tx, now: Erasure, place: Any) -> Step:
    """Runs of the participant that began before the erasure was asked for, with everything that hangs on them."""
    after = tuple(place) if place else FIRST
    found = runs.runs_of_participant(tx, now.target or "", now.created_at, after, RUNS_AT_ONCE)
    gone = linked.erase_linked(tx, linked.linked(tx, [run_id for _, run_id in found]))
    return Step(gone, found[-1] if len(found) == RUNS_AT_ONCE else None)


def of_one_run(tx: Tx, now: Erasure, _place: Any) -> Step:
    """The run, with everything that hangs on it."""
    return Step(linked.erase_linked(tx, linked.linked(tx, [now.target or ""])), None)


def said_for(tx: Tx, now: Erasure, _place: Any) -> Step:
    """What was said for the participant of other runs than theirs."""
    found = corrections.said_by_participant(tx, now.target or "", now.created_at, AT_ONCE)
    return Step(linked.erase_said(tx, found), "more" if len(found) == AT_ONCE else None)


def waiting_for(tx: Tx, now: Erasure, place: Any) -> Step:
    """What was said for the participant, and waits for its run."""

    def theirs(held: WaitingCorrection) -> bool:
        return held.request.get("participantId") == now.target

    return _waiting(tx, now, place, theirs)


def said_by(tx: Tx, now: Erasure, _place: Any) -> Step:
    """What the user said in corrections."""
    found = corrections.said_by_user(tx, now.target or "", now.created_at, AT_ONCE)
    return Step(linked.erase_said(tx, found), "more" if len(found) == AT_ONCE else None)


def noted_by(tx: Tx, now: Erasure, place: Any) -> Step:
    """Reasons and notes of the user about corrections of others."""
    gone, then = corrections.erase_notes_by(tx, now.target or "", place or "", AT_ONCE)
    return Step(Counter(notes=gone), then)


def waiting_by(tx: Tx, now: Erasure, place: Any) -> Step:
    """What the user said, and waits for its run."""

    def theirs(held: WaitingCorrection) -> bool:
        return (held.made_by_kind, held.made_by_id) == ("user", now.target)

    return _waiting(tx, now, place, theirs)


def taught_by(tx: Tx, now: Erasure, _place: Any) -> Step:
    """Lessons that the user recorded or put in words."""
    found = lessons.lessons_said_by(tx, now.target or "", now.created_at, AT_ONCE)
    return Step(Counter(lessons=lessons.erase_lessons(tx, found)), "more" if found else None)


def asked_by(tx: Tx, now: Erasure, place: Any) -> Step:
    """Questions about texts that the user asked, with what was said of their answers."""
    gone, then = knowledge.erase_questions_by(tx, now.target or "", now.created_at, place or 0, FEW_AT_ONCE)
    return Step(Counter(questions=gone), then)


def read_by(tx: Tx, now: Erasure, place: Any) -> Step:
    """Corrections of answers about texts by the user, the layers that came of them, and why they decided or claimed."""
    identity.erase_claims_by(tx, now.target or "")
    gone, then = knowledge.erase_said_by(tx, now.target or "", now.created_at, place or 0, FEW_AT_ONCE)
    return Step(Counter(readings=gone), then)


def answers(tx: Tx, now: Erasure, place: Any) -> Step:
    """Kept answers that tell of what was erased: a retry is told that they are withheld."""

    named = (now.target or "").encode() if now.kind == "user" else None
    gone, then = withhold_answers(tx, partial(_erased_among, tx), named, place or 0, ANSWERS_AT_ONCE)
    return Step(Counter(keptAnswers=gone), then)


def _erased_among(tx: Tx, ids: Sequence[str]) -> set[str]:
    """Those of these runs, corrections and lessons that were erased."""
    of_runs = {run_id for run_id, state in runs.run_states(tx, ids).items() if state.is_erased}
    return of_runs | corrections.erased_among(tx, ids) | lessons.erased_among(tx, ids)


def _waiting(tx: Tx, now: Erasure, place: Any, theirs: Callable[[WaitingCorrection], bool]) -> Step:
    gone, then = corrections.erase_waiting_of(tx, theirs, now.created_at, place or "", AT_ONCE)
    return Step(Counter(waitingCorrections=gone), then)


_WORDS: tuple[tuple[str, Phase], ...] = (
    ("said-by", said_by),
    ("noted-by", noted_by),
    ("waiting-by", waiting_by),
    ("taught-by", taught_by),
    ("asked-by", asked_by),
    ("read-by", read_by),
)
_NAMES: tuple[tuple[str, Phase], ...] = (
    ("answers", answers),
    ("rater", people.as_rater),
    ("names", people.as_name),
)
_OF: Mapping[str, tuple[tuple[str, Phase], ...]] = {
    "participant": (
        ("runs", of_runs),
        ("said-for", said_for),
        ("waiting-for", waiting_for),
        ("answers", answers),
    ),
    "run": (("runs", of_one_run), ("answers", answers)),
    "user": _NAMES,
}


def phases_of(one: Erasure) -> tuple[tuple[str, Phase], ...]:
    """The phases of an erasure in their order, by name."""
    return (*_WORDS, *_NAMES) if one.words == "erase" else _OF[one.kind]
