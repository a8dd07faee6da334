"""Part of a transaction may be refused and undone by itself, the rest lasts: on both engines alike."""

from typing import Any

import pytest

from setright.kernel.errors import Refusal
from setright.kernel.events import Event
from setright.storage import Tx
from tests.storage import notes
from tests.support.ledger import Ledger


class No(Refusal):
    """A refusal of some room."""


def refused(tx: Tx, name: str) -> None:
    """Write, announce and refuse."""
    notes.add(name)(tx)
    tx.announce(Event("note.added", "note", name))
    raise No(name)


def test_a_refused_attempt_undoes_its_rows_and_events_and_nothing_else(ledger: Ledger) -> None:
    def work(tx: Tx) -> tuple[list[str], list[Any]]:
        notes.add("attempt-1")(tx)
        tx.announce(Event("note.added", "note", "attempt-1"))
        outcomes = [
            tx.attempt(lambda: refused(tx, "attempt-2")),
            tx.attempt(lambda: notes.add("attempt-3")(tx)),
            tx.attempt(lambda: refused(tx, "attempt-4")),
        ]
        return [event.subject_id for event in tx.events], outcomes

    announced, outcomes = ledger.write(work)
    assert announced == ["attempt-1"]
    assert [type(outcome) for outcome in outcomes] == [No, str, No]
    assert [name for name in ledger.read(notes.names) if name.startswith("attempt-")] == [
        "attempt-1",
        "attempt-3",
    ]


def test_attempts_stand_inside_attempts(ledger: Ledger) -> None:
    def inner(tx: Tx) -> str:
        notes.add("inner-1")(tx)
        tx.attempt(lambda: refused(tx, "inner-2"))
        return notes.add("inner-3")(tx)

    def work(tx: Tx) -> None:
        assert tx.attempt(lambda: inner(tx)) == "inner-3"
        assert isinstance(tx.attempt(lambda: outer_again(tx)), No)

    def outer_again(tx: Tx) -> None:
        notes.add("inner-4")(tx)
        tx.attempt(lambda: refused(tx, "inner-5"))
        raise No("outer")

    ledger.write(work)
    assert [name for name in ledger.read(notes.names) if name.startswith("inner-")] == ["inner-1", "inner-3"]


def test_a_fault_of_the_program_in_an_attempt_undoes_everything(ledger: Ledger) -> None:
    def work(tx: Tx) -> None:
        notes.add("fault-1")(tx)
        tx.attempt(lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        ledger.write(work)
    assert "fault-1" not in ledger.read(notes.names)


def test_what_an_attempt_sent_without_waiting_is_undone_with_it(ledger: Ledger) -> None:
    def sent(tx: Tx) -> None:
        tx.add(notes.ADD, name="note-sent-2", value="")
        raise No("sent")

    def work(tx: Tx) -> None:
        tx.add(notes.ADD, name="note-sent-1", value="")
        assert isinstance(tx.attempt(lambda: sent(tx)), No)
        tx.add(notes.ADD, name="note-sent-3", value="")

    ledger.write(work)
    assert [name for name in ledger.read(notes.names) if name.startswith("sent-")] == ["sent-1", "sent-3"]
