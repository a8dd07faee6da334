"""Part of a transaction may be done as another caller: with its rights, and told as its doing."""

import pytest

from setright import events
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied, Refusal
from setright.kernel.events import Event
from setright.storage import Tx
from tests.support.ledger import Ledger


def announce(tx: Tx, subject_id: str) -> None:
    tx.announce(Event("note.added", "note", subject_id, "default"))


def test_what_is_announced_meanwhile_was_done_by_the_other(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    other, third = ledger.actor(tenant, Role.WRITE), ledger.actor(tenant, Role.READ)

    def nested(tx: Tx) -> str:
        announce(tx, "second")
        tx.acting_as(third, lambda: announce(tx, "third"))
        announce(tx, "fourth")
        return tx.actor.id

    def work(tx: Tx) -> str:
        announce(tx, "first")
        meanwhile = tx.acting_as(other, lambda: nested(tx))
        announce(tx, "fifth")
        events.append(tx)
        return meanwhile

    assert ledger.write(work, tenant.admin) == other.id
    told = ledger.read(lambda at: events.feed(at, 0, 100), tenant.admin).data
    by = [tenant.admin.id, other.id, third.id, other.id, tenant.admin.id]
    assert [(event.subject_id, event.by_id) for event in told] == list(
        zip(["first", "second", "third", "fourth", "fifth"], by, strict=True)
    )


def test_the_others_rights_count_and_then_ones_own_again(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    reader = ledger.actor(tenant, Role.READ)

    def work(tx: Tx) -> list[object]:
        refused = tx.attempt(lambda: tx.acting_as(reader, lambda: tx.actor.require(Role.WRITE, "default")))
        tx.actor.require(Role.WRITE, "default")
        return [type(refused), tx.actor, tx.events]

    assert ledger.write(work, tenant.admin) == [PermissionDenied, tenant.admin, []]


def test_a_refusal_on_the_way_leaves_the_caller_who_it_was(ledger: Ledger) -> None:
    tenant = ledger.tenant()

    def work(tx: Tx) -> str:
        with pytest.raises(Refusal):
            tx.acting_as(ledger.actor(tenant, Role.READ), lambda: tx.actor.require_in_tenant(Role.READ))
        return tx.actor.id

    assert ledger.write(work, tenant.admin) == tenant.admin.id
