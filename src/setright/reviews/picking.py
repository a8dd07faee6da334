"""Which run is next for a reviewer: one that others began, else the next that nobody was handed yet."""

from dataclasses import dataclass
from hashlib import blake2b

from setright import corrections, runs
from setright.kernel.clock import SECOND
from setright.kernel.paging import Place
from setright.reviews import items, store
from setright.reviews.model import Looking, ReviewQueue
from setright.reviews.store import Held
from setright.storage import Tx
from setright.storage.lists import among

# The runs are gone through in the order in which they finished, and the queue keeps how far: `ahead`. A run whose
# transaction committed late stands behind that, so everything is gone through once more when it is old enough that
# none can come late: `settled`. Of begun items each reviewer keeps how far it looked, by the turns of the queue.
LATE = 600 * SECOND
"""How long after its end a run may become visible: longer than any transaction, and than clocks differ."""
STRETCH = 5_000
PAGE = 200
MOST = 6_000
OF_STRETCH = 500
OF_ITEM = 20
SECOND_LOOK = 700


@dataclass(slots=True)
class Budget:
    """How much one claim may look at before it lets others go on; a run costs 1."""

    left: int

    def take(self, cost: int) -> bool:
        """Whether there was something left."""
        self.left -= cost
        return self.left >= 0


@dataclass(frozen=True, slots=True)
class Found:
    """The next run; a new one is no item of the queue yet."""

    run_id: str
    new: bool


def is_sampled(queue_id: str, run_id: str, rate: float) -> bool:
    """Whether a run is in the sample of a queue; a larger rate keeps all that a smaller one had."""
    digest = blake2b(f"{queue_id} {run_id}".encode(), digest_size=7).digest()
    return int.from_bytes(digest) < rate * (1 << 56)


def next_run(tx: Tx, held: Held) -> Found | Looking | None:
    """The next run for the caller, None when there is none for it now.

    What finished within `LATE` is gone through again only as far as the budget goes: what committed late is found then,
    or once it is old enough. So a search ends however many runs finish.
    """
    budget = Budget(MOST)
    begun = _begun(tx, held, budget)
    if begun is not None:
        return Found(begun, new=False)
    sure = Place(tx.now - LATE, "")
    found = _late(tx, held, _first(held.queue.ahead, sure), Budget(SECOND_LOOK)) or _fresh(tx, held, budget)
    at_end = budget.left >= 0
    if found is None and at_end:
        found = _late(tx, held, held.queue.ahead, budget)
    if found is not None:
        return Found(found, new=True)
    is_sure = not _before(held.queue.settled, _first(held.queue.ahead, sure))
    return None if at_end and is_sure else Looking(held.queue.ahead.moment)


def _fresh(tx: Tx, held: Held, budget: Budget) -> str | None:
    """Go on where the queue's runs were handed out to."""
    place, found = _walk(tx, held, held.queue.ahead, None, budget)
    held.set(ahead=place)
    return found


def _late(tx: Tx, held: Held, until: Place, budget: Budget) -> str | None:
    """Go once more through what was handed out; where none can come late any more, for the last time."""
    settled = held.queue.settled
    place, found = _walk(tx, held, settled, until, budget)
    sure = _first(place, Place(tx.now - LATE, ""))
    if _before(settled, sure):
        held.set(settled=sure)
    return found


def _walk(tx: Tx, held: Held, after: Place, until: Place | None, budget: Budget) -> tuple[Place, str | None]:
    """Go through the queue's runs between two places until one is for the caller: how far, and which."""
    more, found = True, None
    while more and found is None and (until is None or _before(after, until)) and budget.take(OF_STRETCH):
        stretch = runs.end_of_stretch(tx, held.queue.project_id, after, STRETCH)
        if stretch is None:
            break
        end, more = stretch
        if until is not None and _before(until, end):
            end, more = until, False
        after, found = _stretch(tx, held, after, end, budget)
        more = more or _before(after, end)
    return after, found


def _stretch(tx: Tx, held: Held, after: Place, end: Place, budget: Budget) -> tuple[Place, str | None]:
    """Go through one stretch: how far, and the run that is for the caller."""
    queue = held.queue
    while True:
        places = runs.finished_runs(tx, queue.runs(), after, end, PAGE)
        sampled = [place for place in places if is_sampled(queue.id, place.id, queue.sample_rate)]
        there = _items_among(tx, queue, [place.id for place in sampled])
        for place in sampled:
            if place.id in there:
                continue
            if corrections.own_correction(tx, place.id) is None:
                budget.take(1)
                return place, place.id
            items.begin(tx, held, place.id, "waiting")
            budget.take(OF_ITEM)
        budget.take(len(places))
        after = places[-1] if len(places) == PAGE else end
        if len(places) < PAGE or budget.left < 0:
            return after, None


def _items_among(tx: Tx, queue: ReviewQueue, run_ids: list[str]) -> set[str]:
    if not run_ids:
        return set()
    count, values = among("run", run_ids)
    rows = tx.all(store.begun_of(count), **store.of_queue(queue), **values)
    return {row["run_id"] for row in rows}


def _begun(tx: Tx, held: Held, budget: Budget) -> str | None:
    """The next item with room for the caller; what it has seen or must not review is never looked at again."""
    queue, me = held.queue, store.me(tx)
    row = tx.one(store.FIND_FRONT, **store.of_queue(queue), **me)
    seen = before = 0 if row is None else row["seen"]
    found = None
    while found is None and budget.left >= 0:
        rows = tx.all(store.WITH_ROOM, **store.of_queue(queue), seen=seen, count=PAGE)
        mine = _mine_among(tx, queue, [row["run_id"] for row in rows])
        for row in rows:
            seen = row["turn"]
            if row["run_id"] not in mine and _is_for_caller(tx, held, row["run_id"]):
                found = row["run_id"]
                break
        budget.take(len(rows))
        if len(rows) < PAGE:
            break
    if seen != before:
        names = {"reviewer_kind": me["my_kind"], "reviewer_id": me["my_id"]}
        tx.add(store.SET_FRONT, **store.of_queue(queue), **names, seen=seen)
    return found


def _mine_among(tx: Tx, queue: ReviewQueue, run_ids: list[str]) -> set[str]:
    if not run_ids:
        return set()
    count, values = among("run", run_ids)
    statement = store.claims_of(count, only_mine=True)
    rows = tx.all(statement, **store.of_queue(queue), **store.me(tx), **values)
    return {row["run_id"] for row in rows}


def _is_for_caller(tx: Tx, held: Held, run_id: str) -> bool:
    """Whether the caller may judge a begun item; one whose content is gone is dropped."""
    run = runs.to_correct(tx, run_id, with_output=False, hold=False)
    expired = run is not None and run.content_expired_at is not None and run.copy_kept_at is None
    if run is None or run.content_erased_at is not None or expired:
        item = items.find_item(tx, held.queue, run_id)
        if item is not None:
            items.drop(tx, held.queue, item)
        return False
    return corrections.own_correction(tx, run_id) is None


def _key(place: Place) -> tuple[int, str]:
    return place.moment, place.id


def _first(one: Place, other: Place) -> Place:
    return min(one, other, key=_key)


def _before(one: Place, other: Place) -> bool:
    return _key(one) < _key(other)
