"""Holding the log of a tenant against its seals: whether an event was changed, moved, put in or cut out."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from setright.events import store
from setright.events.chain import BEGINNING, hash_of_id, seal
from setright.storage import Row, Snapshot

AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Verified:
    """How many events of a tenant are sealed, how many wait for it, and what is wrong with the first that is not right.

    `broken_at` is the `seq` of that event, None where the end of the log is cut off.
    """

    tenant_id: str
    sealed: int
    waiting: int
    wrong: str | None = None
    broken_at: int | None = None


def verify(
    at: Snapshot, tenant_id: str, pseudonyms: Collection[str], seen: Callable[[int], object] = lambda _: None
) -> Verified:
    """Go through the log of a tenant in its order; `pseudonyms` are the ids that may stand in the place of others."""
    before, sealed, waiting = BEGINNING, 0, 0
    place = (-1, -1)
    while rows := at.all(
        store.SEALS, tenant_id=tenant_id, transaction=place[0], after=place[1], count=AT_ONCE
    ):
        for row in rows:
            if row["seal"] is None:
                waiting += 1
                continue
            wrong = _wrong(row, before, waiting, pseudonyms)
            if wrong is not None:
                return Verified(tenant_id, sealed, waiting, wrong, row["seq"])
            before, sealed = row["seal"], sealed + 1
        place = (rows[-1]["transaction"], rows[-1]["seq"])
        seen(len(rows))
    head = at.one(store.HEAD, tenant_id=tenant_id)
    last = (BEGINNING, 0) if head is None else (head["seal"], head["count"])
    if last != (before, sealed):
        says = (
            f"{last[1]} events were sealed, and {sealed} are there: the end of the log was cut off or changed"
        )
        return Verified(tenant_id, sealed, waiting, says)
    return Verified(tenant_id, sealed, waiting)


def _wrong(row: Row, before: str, waiting: int, pseudonyms: Collection[str]) -> str | None:
    if waiting:
        return "it is sealed, and an event before it is not"
    if seal(before, row) != row["seal"]:
        return "it does not say what was sealed, or the event before it is not the one that was there"
    for name in ("by", "subject"):
        kept, stands = row[f"{name}_hash"], row[f"{name}_id"]
        if kept is not None and kept != hash_of_id(stands) and stands not in pseudonyms:
            return f"its {name} is {stands}, which is no pseudonym of an erasure"
    return None
