"""Counts that are kept: every lesson that comes, moves or goes passes here."""

import secrets

from setright.lessons.model import Lesson
from setright.lessons.tables import lesson_counts
from setright.storage import SumKey, Sums, Tx

COUNTS = Sums(lesson_counts)
_ANOTHER = 2**40


def changed(tx: Tx, before: Lesson | None, after: Lesson) -> None:
    """Count what a lesson is after a change, and no more what it was before; None: it was not there.

    A number by chance says that something changed: it is another one also where a ledger was restored.
    """
    was, now = _amounts(before), _amounts(after)
    key: SumKey = (after.tenant_id, after.agent_key, after.project_id or "")
    amounts = [new - old for new, old in zip(now, was, strict=True)]
    tx.count(COUNTS, key, [*amounts, 1 + secrets.randbelow(_ANOTHER)])


def _amounts(of: Lesson | None) -> list[int]:
    if of is None or of.deleted_at is not None:
        return [0, 0]
    return [int(of.is_in_force), int(of.status == "open")]
