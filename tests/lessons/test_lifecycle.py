"""The whole life of a lesson, move by move, and what persons and assistants may do."""

import pytest

from setright.lessons.lifecycle import IN_FORCE, LESSON_LIFE, VERBS, Standing
from tests.support.lives import told

LESSON = """\
lesson: open, adopted, verified, recurred, dismissed, duplicate, retired
final:
record: lesson.recorded
    nothing > open
record again: lesson.recorded
    nothing > duplicate
adopt: lesson.adopted, clears verifiedBy verifiedAt duplicateOf
    open > adopted, recurred > adopted, dismissed > adopted, retired > adopted
duplicate: lesson.duplicated
    open > duplicate, adopted > duplicate, verified > duplicate, recurred > duplicate
dismiss: lesson.dismissed
    open > dismissed, adopted > dismissed, verified > dismissed, recurred > dismissed
verify: lesson.verified
    adopted > verified, recurred > verified
recur: lesson.recurred
    adopted > recurred, verified > recurred
reopen: lesson.reopened, clears adoptedBy adoptedAt verifiedBy verifiedAt duplicateOf
    adopted > open, verified > open, recurred > open, dismissed > open, retired > open, duplicate > open
retire: lesson.retired
    adopted > retired, verified > retired, recurred > retired
reword: lesson.reworded
    open, adopted, verified, recurred, dismissed, duplicate, retired
delete: lesson.deleted
    open, adopted, verified, recurred, dismissed, duplicate, retired"""


def test_every_move_of_a_lesson() -> None:
    assert told(LESSON_LIFE) == LESSON


def test_a_verb_leads_to_each_status() -> None:
    assert {move.end: move.verb for move in LESSON_LIFE.moves if move.start not in (None, move.end)} == VERBS


def test_adopted_rules_are_in_force() -> None:
    assert IN_FORCE == ("adopted", "verified", "recurred")


def test_a_standing_is_never_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        Standing("open").status = "adopted"  # pyright: ignore[reportAttributeAccessIssue]
    assert not hasattr(Standing("open"), "__dict__")
