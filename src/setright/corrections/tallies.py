"""Counts that are kept: every correction that comes, moves, is superseded or goes passes here."""

from collections.abc import Mapping, Sequence
from typing import Any

from setright.corrections import raters
from setright.corrections.model import Correction
from setright.corrections.ratings import Rating, rating_of
from setright.corrections.tables import correction_counts
from setright.storage import SumKey, Sums, Tx

COUNTS = Sums(correction_counts)


def changed(
    tx: Tx, before: Correction | None, after: Correction | None, others: Sequence[Rating] | None = None
) -> None:
    """Count what stands after a change, and no more what stood before it; None: it was not there before.

    Where what stands of a run changes, the caller holds the run; `others` is what others say of it, if that is known.
    """
    was, now = counted(before), counted(after)
    if was != now:
        if was is not None:
            tx.count(COUNTS, was[0], [-amount for amount in was[1]])
        if now is not None:
            tx.count(COUNTS, *now)
    said, says = rating_of(before), rating_of(after)
    of = after or before
    if said != says and of is not None:
        raters.rated(tx, of, said, says, raters.others_of(tx, of) if others is None else others)


def items_verdict(said: Mapping[str, Any]) -> str | None:
    """What a correction says of its ranked list as a whole: wrong when one item is, None when it judges no item."""
    items = said.get("items")
    if not items:
        return None
    return "wrong" if any(item["verdict"] == "wrong" for item in items) else "right"


def counted(made: Correction | None) -> tuple[SumKey, list[int]] | None:
    """Where a correction is counted, and as what; a superseded one nowhere, and a blind one not before it is shown."""
    if made is None or made.superseded_by is not None or made.blind is not None:
        return None
    subject = made.subject
    key = (
        made.tenant_id,
        made.project_id,
        subject.kind,
        subject.key,
        subject.version,
        made.status,
        made.corrector_group_id or "",
        int(made.expert),
    )
    verdicts = (made.decisions, made.answer, items_verdict(made.said))
    said = [int(verdict == word) for verdict in verdicts for word in ("right", "wrong")]
    return key, [1, *said, *(int(made.sorted_to == desk) for desk in ("improve", "developer", "owner"))]
