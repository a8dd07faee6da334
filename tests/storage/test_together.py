"""Inserts that go to PostgreSQL as one statement do what they would do one by one."""

import os

from setright import events
from setright.events.store import INSERT
from setright.kernel.answer import Answer
from setright.kernel.errors import Refusal
from setright.kernel.events import Event
from setright.storage import Key, Tx
from setright.storage.kept import KEEP, claim, keep
from setright.storage.together import together
from tests.support.ledger import Ledger


class Refused(Refusal):
    """Nothing of the work may last."""


def happened(kind: str) -> Event:
    return Event(kind, "thing", "thing-1", "default")


def test_one_alone_is_sent_as_it_is() -> None:
    statement = INSERT.compiled("postgresql")
    assert together([(statement, {"a": 1})]) == (statement.text.encode(), {"a": 1})


def test_values_of_the_same_name_stay_apart() -> None:
    text, values = together(
        [(INSERT.compiled("postgresql"), {"at": 1}), (KEEP.compiled("postgresql"), {"at": 2})]
    )
    assert values == {"at_0": 1, "at_1": 2}
    assert text.startswith(b"WITH part_0 AS (INSERT INTO events")
    assert b"%(at_0)s" in text
    assert b"%(at)s" not in text


def test_events_of_one_transaction_keep_their_order(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    kinds = [f"thing.moved-{number}" for number in range(5)]

    def work(tx: Tx) -> None:
        for kind in kinds:
            tx.announce(happened(kind))
        events.append(tx)
        keep(tx, Key(os.urandom(32), b"body"), Answer(201, b"{}"))

    ledger.write(work, tenant.admin)
    told = ledger.read(lambda at: events.history(at, "thing-1"), tenant.admin)
    assert [event.kind for event in told.data] == kinds


def test_what_is_held_back_is_seen_by_the_next_read_and_lasts_at_the_end(ledger: Ledger) -> None:
    tenant, key = ledger.tenant(), Key(os.urandom(32), b"body")

    def work(tx: Tx) -> bytes | None:
        keep(tx, key, Answer(201, b"first"))
        seen = claim(tx, key).answer()
        return seen.body if seen else None

    assert ledger.write(work, tenant.admin) == b"first"
    kept = ledger.write(lambda tx: claim(tx, key).answer(), tenant.admin)
    assert kept is not None


def test_what_is_held_back_of_a_refused_part_is_undone(ledger: Ledger) -> None:
    tenant, key = ledger.tenant(), Key(os.urandom(32), b"body")

    def part(tx: Tx) -> None:
        keep(tx, key, Answer(201, b"never"))
        raise Refused("no")

    def work(tx: Tx) -> object:
        tx.announce(happened("thing.tried"))
        events.append(tx)
        return tx.attempt(lambda: part(tx))

    assert isinstance(ledger.write(work, tenant.admin), Refused)
    assert ledger.write(lambda tx: claim(tx, key).answer(), tenant.admin) is None
    assert len(ledger.read(lambda at: events.history(at, "thing-1"), tenant.admin).data) == 1
