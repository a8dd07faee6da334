"""Events are sealed one over the other, so that whatever is done to the log behind our back is found."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from sqlalchemy import ClauseElement, delete, null, select, text, update

from setright import erasure, events
from setright.events import Verified
from setright.events.tables import events as table
from setright.storage import Sql, Tx
from tests.erasure.said import Said
from tests.proof.proving import Proving
from tests.support.ledger import Ledger

_E = table.c


@dataclass(frozen=True, slots=True)
class Log:
    """A tenant with some events, all of them sealed."""

    proving: Proving

    def verified(self) -> Verified:
        """What came out for the tenant."""
        tenant = self.proving.tenant.id
        return self.proving.ask(lambda at: events.verify(at, tenant, erasure.pseudonyms(at, tenant)))

    def seqs(self) -> list[int]:
        """The numbers of its events in the order of the log."""
        mine = select(_E.seq).where(_E.tenant_id == self.proving.tenant.id)
        return [
            row["seq"]
            for row in self.proving.ask(lambda at: at.all(Sql(mine.order_by(_E.transaction, _E.seq))))
        ]

    def tamper(self, *statements: ClauseElement) -> None:
        """Change the log by SQL, as who holds the database could."""

        def work(tx: Tx) -> None:
            for statement in statements:
                tx.run(Sql(statement))

        self.proving.ledger.write(work)


def sealed(proving: Proving) -> None:
    """Have everything that was committed be sealed."""
    while proving.ledger.write(events.seal_some):
        pass


@pytest.fixture
def log(ledger: Ledger) -> Log:
    """Six runs and what was said of them."""
    proving = Proving(ledger, ledger.tenant())
    for _ in range(3):
        proving.corrected()
    sealed(proving)
    return Log(proving)


def test_a_log_that_nobody_touched_is_whole(log: Log) -> None:
    found = log.verified()
    assert (found.wrong, found.waiting) == (None, 0)
    assert found.sealed == len(log.seqs()) > 5


CHANGES: dict[str, Callable[[int], ClauseElement]] = {
    "at": lambda seq: update(table).where(_E.seq == seq).values(at=_E.at + 1),
    "by": lambda seq: update(table).where(_E.seq == seq).values(by_id="usr_other"),
    "by-behind-a-hash": lambda seq: (
        update(table).where(_E.seq == seq).values(by_id="usr_other", by_hash=events.hash_of_id("x"))
    ),
    "kind": lambda seq: update(table).where(_E.seq == seq).values(kind="run.erased"),
    "subject": lambda seq: update(table).where(_E.seq == seq).values(subject_id="run_other"),
    "changed": lambda seq: update(table).where(_E.seq == seq).values(changed='["why"]'),
    "about": lambda seq: update(table).where(_E.seq == seq).values(about="other"),
    "project": lambda seq: update(table).where(_E.seq == seq).values(project_id="other"),
    "blind": lambda seq: update(table).where(_E.seq == seq).values(blind=1),
    "seal": lambda seq: update(table).where(_E.seq == seq).values(seal="0" * 64),
    "no-seal": lambda seq: update(table).where(_E.seq == seq).values(seal=null()),
    "cut": lambda seq: delete(table).where(_E.seq == seq),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
@pytest.mark.parametrize("place", [0, 2, -1])
def test_any_change_of_any_event_is_found(log: Log, change: str, place: int) -> None:
    log.tamper(CHANGES[change](log.seqs()[place]))
    found = log.verified()
    assert found.wrong is not None
    if place == 0 and change not in ("cut", "no-seal"):
        assert found.broken_at == log.seqs()[0]


def test_two_events_that_change_places_are_found(log: Log) -> None:
    first, second = log.seqs()[1:3]
    swap = "UPDATE events SET kind = (SELECT kind FROM events AS other WHERE other.seq = :o), seal = seal WHERE seq = :s"
    log.tamper(text(swap.replace(":o", str(second)).replace(":s", str(first))))
    assert log.verified().broken_at == first


def test_an_event_that_is_put_in_is_found(log: Log) -> None:
    columns = [column.name for column in table.columns if column.name not in ("seq", "seal")]
    names = ", ".join(f'"{name}"' for name in columns)
    log.tamper(
        text(
            f"INSERT INTO events ({names}, seal) SELECT {names}, seal FROM events WHERE seq = {log.seqs()[0]}"
        )
    )
    assert log.verified().wrong is not None


def test_an_erased_user_leaves_the_log_whole(ledger: Ledger) -> None:
    said = Said(Proving(ledger, ledger.tenant()))
    marthe = said.user()
    said.corrected(said.run(), by=marthe)
    sealed(said.proving)
    said.erased(userId=marthe.id, words="erase")
    sealed(said.proving)
    found = Log(said.proving).verified()
    assert (found.wrong, found.waiting) == (None, 0)


def test_events_from_before_there_were_seals_are_sealed_first(log: Log) -> None:
    tenant = log.proving.tenant.id
    log.tamper(
        update(table).where(_E.tenant_id == tenant).values(seal=null()),
        text(f"DELETE FROM event_heads WHERE tenant_id = '{tenant}'"),
    )
    log.proving.run()
    assert log.verified().waiting == len(log.seqs())
    sealed(log.proving)
    log.proving.run()
    sealed(log.proving)
    assert (log.verified().wrong, log.verified().waiting) == (None, 0)
