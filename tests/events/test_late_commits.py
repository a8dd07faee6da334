"""Whoever follows the feed sees every event exactly once, whatever the order in which transactions commit."""

import random
import threading
import time

from setright import events
from setright.kernel.events import Event
from setright.storage import Tx
from tests.support.ledger import Ledger, Tenant

WRITERS = 6
EACH = 12


def announce(tx: Tx, name: str) -> None:
    """Write one event and stay in the transaction; what is read next sends what was held back."""
    tx.announce(Event("thing.made", "thing", name, "default"))
    events.append(tx)
    events.last_moment(tx)


def test_an_event_that_commits_late_is_passed_by_nobody(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    written, may_commit = threading.Event(), threading.Event()

    def slow(tx: Tx) -> None:
        tx.actor = tenant.admin
        announce(tx, "slow")
        written.set()
        may_commit.wait(20)

    late = ledger.store.write(slow)
    assert written.wait(20)
    quick = ledger.store.write(lambda tx: _as_admin(tx, tenant, "quick"))
    early = [] if ledger.store.engine == "sqlite" else [quick.result(20)]
    first = _names(ledger, tenant)
    may_commit.set()
    late.result(20)
    quick.result(20)
    assert early == ([] if ledger.store.engine == "sqlite" else [None])
    assert first == []
    assert _names(ledger, tenant) == ["slow", "quick"]


def test_readers_beside_slow_writers_see_every_event_exactly_once(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    wanted = sorted(f"{writer}-{number}" for writer in range(WRITERS) for number in range(EACH))
    seen: list[list[str]] = [[] for _ in range(3)]
    threads = [threading.Thread(target=_write, args=(ledger, tenant, writer)) for writer in range(WRITERS)]
    threads += [threading.Thread(target=_follow, args=(ledger, tenant, names, len(wanted))) for names in seen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [sorted(names) for names in seen] == [wanted] * 3
    assert seen[0] == seen[1] == seen[2]


def _write(ledger: Ledger, tenant: Tenant, writer: int) -> None:
    chance = random.Random(writer)
    for number in range(EACH):

        def work(tx: Tx, number: int = number) -> None:
            _as_admin(tx, tenant, f"{writer}-{number}")
            if ledger.store.engine == "postgresql":
                time.sleep(chance.random() * 0.03)

        ledger.store.write(work).result(30)


def _follow(ledger: Ledger, tenant: Tenant, names: list[str], wanted: int) -> None:
    after, give_up = 0, time.monotonic() + 30
    while len(names) < wanted and time.monotonic() < give_up:
        page = ledger.read(lambda at, after=after: events.feed(at, after, 5), tenant.admin)
        names += [event.subject_id for event in page.data]
        after = page.data[-1].seq if page.data else after
    page = ledger.read(lambda at: events.feed(at, after, 5), tenant.admin)
    names += [event.subject_id for event in page.data]


def _as_admin(tx: Tx, tenant: Tenant, name: str) -> None:
    tx.actor = tenant.admin
    announce(tx, name)


def _names(ledger: Ledger, tenant: Tenant) -> list[str]:
    page = ledger.read(lambda at: events.feed(at, 0, 100), tenant.admin)
    return [event.subject_id for event in page.data]
