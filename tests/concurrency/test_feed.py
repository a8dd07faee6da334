"""Eight writers that linger before they commit, three readers that follow the feed: every event is seen once."""

import random
import threading
import time
from typing import Any

from setright import events
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.clock import Clock
from setright.kernel.events import Event
from setright.kernel.ids import Ids
from setright.storage import Store, Tx
from setright.storage.open import open_store
from tests.concurrency.wire import Serving, Wire

WRITERS, EACH, READERS = 8, 15, 3


def linger(tx: Tx, actor: Actor, name: str, seconds: float) -> None:
    """Announce one event, and stay in the transaction before it commits."""
    tx.actor = actor
    tx.announce(Event("thing.made", "thing", name, "default"))
    events.append(tx)
    time.sleep(seconds)


def write(store: Store, actor: Actor, writer: int) -> None:
    """The share of one writer; on SQLite nobody lingers for long, because there all wait for it."""
    chance = random.Random(writer)
    longest = 0.06 if store.engine == "postgresql" else 0.002
    for number in range(EACH):
        seconds = chance.random() ** 3 * longest
        store.write(lambda tx, n=number, s=seconds: linger(tx, actor, f"{writer}-{n}", s)).result(60)


def follow(reader: Wire, seen: list[dict[str, Any]], done: threading.Event, limit: int) -> None:
    """Read on from the last event, until the writers are done and nothing more comes."""
    after = 0
    while True:
        finished = done.is_set()
        page = reader.get(f"/v1/events?projectId=default&limit={limit}&after={after}")
        seen += page["data"]
        after = page["data"][-1]["seq"] if page["data"] else after
        if finished and not page["data"]:
            return


def test_every_reader_sees_every_event_once(
    served_url: str, servers: tuple[Serving, Serving], callers: tuple[Wire, Wire]
) -> None:
    me = callers[0].get("/v1/me")
    tenant_id, person = me["tenantId"], me["id"]
    before = len(callers[0].get("/v1/events?projectId=default")["data"])
    actor = Actor(tenant_id, "user", person, "", frozenset(SCOPES), {}, Role.ADMIN)
    stores = [open_store(served_url, Clock(), Ids(), 2, 1) for _ in range(WRITERS)]
    seen: list[list[dict[str, Any]]] = [[] for _ in range(READERS)]
    done = threading.Event()
    readers = [
        threading.Thread(target=follow, args=(callers[number % 2], seen[number], done, 3 + 4 * number))
        for number in range(READERS)
    ]
    writers = [threading.Thread(target=write, args=(store, actor, n)) for n, store in enumerate(stores)]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join(90)
    done.set()
    for thread in readers:
        thread.join(30)
    for store in stores:
        store.close()
    wanted = sorted(f"{writer}-{number}" for writer in range(WRITERS) for number in range(EACH))
    for events_seen in seen:
        made = [event["subject"]["id"] for event in events_seen if event["kind"] == "thing.made"]
        assert sorted(made) == wanted
        assert len(events_seen) == len(wanted) + before
        assert len({event["seq"] for event in events_seen}) == len(events_seen)
    orders = [[event["seq"] for event in events_seen] for events_seen in seen]
    assert orders[0] == orders[1] == orders[2]
