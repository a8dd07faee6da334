"""Where an item stands: worked out anew from the claims on it and from what its reviewers say."""

from dataclasses import replace

from setright import corrections
from setright.corrections import Correction
from setright.kernel.events import Event
from setright.reviews import store
from setright.reviews.lifecycle import ITEM_LIFE, UNFINISHED, finished_state, unfinished_state
from setright.reviews.model import ReviewItem, ReviewQueue
from setright.reviews.store import Held
from setright.reviews.verdicts import differences
from setright.storage import Row, Snapshot, Tx


def begin(tx: Tx, held: Held, run_id: str, state: str) -> None:
    """Make a run an item: claimed by whom it was found for, or waiting for others."""
    queue = held.queue
    places = queue.reviewers_per_item - (state == "claimed")
    tx.add(
        store.ADD_ITEM,
        **store.of_queue(queue),
        run_id=run_id,
        state=state,
        reviewers=queue.reviewers_per_item,
        turn=held.next_turn() if places else None,
        began_at=tx.now,
        ended_at=None,
        differs=None,
        adjudicated_by=None,
    )
    changed = ("state",)
    tx.announce(
        Event("review-item.begun", "review-queue", queue.id, queue.project_id, changed, run_id, blind=True)
    )


def find_item(at: Snapshot, queue: ReviewQueue, run_id: str) -> ReviewItem | None:
    """The item of a queue that is about a run."""
    row = at.one(store.FIND_ITEM, **store.of_queue(queue), run_id=run_id)
    return None if row is None else store.item_in(row)


def held_places(at: Snapshot, queue: ReviewQueue, run_id: str) -> tuple[int, int]:
    """How many reviewers of a run are at it now, and how many have spoken."""
    rows = at.all(store.HOLDING, **store.of_queue(queue), run_id=run_id)
    found = {row["state"]: row["held"] for row in rows}
    return found.get("active", 0), found.get("answered", 0)


def settle(tx: Tx, held: Held, run_id: str) -> None:
    """Where an unfinished item stands once a claim on it changed; when all have spoken, everything is shown."""
    row = tx.one(store.FIND_ITEM, **store.of_queue(held.queue), run_id=run_id)
    if row is None or row["state"] not in UNFINISHED:
        return
    item = store.item_in(row)
    active, answered = held_places(tx, held.queue, run_id)
    if answered >= item.reviewers:
        corrections.show_corrections(tx, run_id, held.queue.id)
        weigh(tx, held.queue, item)
    else:
        room = active + answered < item.reviewers
        store.set_item(tx, replace(item, state=unfinished_state(active)), _turn(held, row, room=room))


def weigh(tx: Tx, queue: ReviewQueue, item: ReviewItem) -> None:
    """Whether the reviewers of an item agree, by what stands of theirs now."""
    differs = differences(answers(tx, queue, item.run_id))
    state = finished_state(bool(differs))
    ended_at = tx.now if item.ended_at is None else item.ended_at
    then = replace(item, state=state, differs=differs, ended_at=ended_at, adjudicated_by=None)
    if then != item:
        store.set_item(tx, then)
    if then.state != item.state:
        announce(tx, queue, "differ" if differs else "agree", item)


def answers(tx: Tx, queue: ReviewQueue, run_id: str) -> list[Correction]:
    """What stands of what the reviewers of an item said, oldest first."""
    rows = tx.all(store.ANSWERS, **store.of_queue(queue), run_id=run_id)
    theirs = {row["correction_id"] for row in rows}
    return [one for one in corrections.standing_corrections(tx, run_id) if one.id in theirs]


def drop(tx: Tx, queue: ReviewQueue, item: ReviewItem) -> None:
    """End an item before it is complete: what was said until then is shown, and nobody is asked any more."""
    corrections.show_corrections(tx, item.run_id, queue.id)
    store.set_item(tx, replace(item, state="dropped", ended_at=tx.now))
    announce(tx, queue, "drop", item)


def drop_unfinished(tx: Tx, queue: ReviewQueue, most: int) -> int:
    """Drop so many unfinished items of a queue that was closed; how many there were of these."""
    rows = tx.all(store.UNFINISHED_ITEMS, **store.of_queue(queue), count=most)
    for row in rows:
        drop(tx, queue, store.item_in(row))
    return len(rows)


def announce(tx: Tx, queue: ReviewQueue, verb: str, item: ReviewItem) -> None:
    """Say that an item made a move of its life."""
    move = ITEM_LIFE.find(verb, item.state)
    if move is not None:
        tx.announce(
            Event(move.event, "review-queue", queue.id, queue.project_id, ("state",), about=item.run_id)
        )


def _turn(held: Held, row: Row, *, room: bool) -> int | None:
    """The item's turn: the one it has while it has room, a new one when it has room again."""
    if not room:
        return None
    return held.next_turn() if row["turn"] is None else row["turn"]
