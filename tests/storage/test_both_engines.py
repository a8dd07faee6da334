"""What a transaction is, on both engines alike: values, groups, refusals, races and time."""

import threading
from itertools import count
from typing import Any

import pytest
from sqlalchemy import bindparam, select, update

from setright.kernel.errors import Refusal
from setright.storage import Snapshot, Sql, Tx, insert, insert_or_ignore, upsert
from setright.storage.kept import kept_answers, marks
from tests.storage import notes
from tests.support.ledger import Ledger

_NUMBERS = count(1)
FIND = Sql(select(marks.c.name, marks.c.value).where(marks.c.name == bindparam("name")))
SET = Sql(update(marks).where(marks.c.name == bindparam("which")).values(value=bindparam("new_value")))
KEPT = Sql(select(kept_answers).where(kept_answers.c.fingerprint == bindparam("fingerprint")))

TEXTS = ["", " ", "a\u0301", "\u00e1", "\U0001f600", "'; DROP TABLE marks; --", "%s %(name)s :name ?", "\\u0000", "x" * 300_000,
         "\x01\x7f\u2028", "line\r\nbreak", "\ufffe"]  # fmt: skip


class No(Refusal):
    """A refusal of some room."""


def fresh() -> str:
    """A name that no test used before."""
    return f"both-{next(_NUMBERS):06}"


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_any_text_is_kept_as_it_is(ledger: Ledger, text: str) -> None:
    name = fresh()
    ledger.write(notes.add(name, text))
    found = ledger.read(lambda at: at.one(FIND, name=f"note-{name}"))
    assert found == {"name": f"note-{name}", "value": text}


def test_numbers_bytes_and_nothing_are_kept_as_they_are(ledger: Ledger) -> None:
    values: dict[str, Any] = {
        "fingerprint": bytes(range(256)) + fresh().encode(),
        "tenant_id": "ten_1",
        "body_hash": b"",
        "status": 2**53 - 1,
        "headers": "[]",
        "body": None,
        "about": "[]",
        "at": -(2**53),
    }
    ledger.write(lambda tx: tx.run(insert(kept_answers, leave_out=("id",)), **values))
    found = ledger.read(lambda at: at.one(KEPT, fingerprint=values["fingerprint"]))
    assert found is not None
    assert {
        name: found[name] if name not in values or found[name] is None else type(values[name])(found[name])
        for name in values
    } == values


def test_the_count_of_changed_rows_is_told(ledger: Ledger) -> None:
    name, either = f"note-{fresh()}", insert_or_ignore(marks)
    over = upsert(marks, ("name",))

    def work(tx: Tx) -> list[int]:
        return [
            tx.run(SET, which=name, new_value="0"),
            tx.run(either, name=name, value="1"),
            tx.run(either, name=name, value="2"),
            tx.run(over, name=name, value="3"),
            tx.run(SET, which=name, new_value="4"),
        ]

    assert ledger.write(work) == [0, 1, 0, 1, 1]
    assert ledger.read(lambda at: at.one(FIND, name=name)) == {"name": name, "value": "4"}


def test_a_transaction_sees_what_it_wrote_and_nobody_else_does(ledger: Ledger) -> None:
    name = fresh()

    def work(tx: Tx) -> tuple[bool, bool]:
        tx.add(notes.ADD, name=f"note-{name}", value="")
        outside = ledger.store.read(notes.names).result(20)
        return name in notes.names(tx), name in outside

    assert ledger.write(work) == (True, False)


def test_a_reader_sees_one_state_from_beginning_to_end(ledger: Ledger) -> None:
    name = fresh()

    def read(at: Snapshot) -> tuple[bool, bool]:
        before = name in notes.names(at)
        ledger.store.write(notes.add(name)).result(20)
        return before, name in notes.names(at)

    assert ledger.read(read) == (False, False)
    assert name in ledger.read(notes.names)


def test_a_reader_cannot_write(ledger: Ledger) -> None:
    name = fresh()
    outcome = ledger.store.read(
        lambda at: at._session.execute(notes.ADD.compiled(at.engine), {"name": name, "value": ""})
    )
    assert outcome.exception(20) is not None
    assert name not in ledger.read(notes.names)


def test_what_waits_together_lasts_or_is_refused_each_by_itself(ledger: Ledger) -> None:
    names, gate = [fresh() for _ in range(60)], threading.Event()

    def work(name: str, kind: int) -> Any:
        def run(tx: Tx) -> str:
            if kind == 1:
                raise No("before writing")
            notes.add(name)(tx)
            if kind == 2:
                raise No("after writing")
            return name if kind != 3 else 1 // 0  # type: ignore[return-value]

        return run

    blocked = [ledger.store.write(lambda tx: gate.wait(20)) for _ in range(4)]
    outcomes = [ledger.store.write(work(name, number % 5)) for number, name in enumerate(names)]
    gate.set()
    for held in blocked:
        held.result(20)
    kinds = [type(outcome.exception(30) or outcome.result(30)) for outcome in outcomes]
    assert kinds == [str, No, No, ZeroDivisionError, str] * 12
    stored = set(ledger.read(notes.names))
    assert [name in stored for name in names] == [True, False, False, False, True] * 12


def test_of_many_who_insert_the_same_once_each_ends_and_one_row_stands(ledger: Ledger) -> None:
    """A unique key that several writers meet at: who loses runs again, and sees the winner's row."""
    name, ready = f"note-{fresh()}", threading.Barrier(2)

    def work(tx: Tx) -> str:
        found = tx.one(FIND, name=name)
        if found is not None:
            return "found"
        if tx.engine == "postgresql" and ready.n_waiting < 2 and not ready.broken:
            _meet(ready)
        tx.run(insert(marks), name=name, value="")
        return "made"

    outcomes = [ledger.store.write(work) for _ in range(12)]
    ended = [outcome.result(30) for outcome in outcomes]
    assert ended.count("made") == 1
    assert ended.count("found") == 11


def _meet(ready: threading.Barrier) -> None:
    try:
        ready.wait(0.5)
    except threading.BrokenBarrierError:
        return


def test_ids_and_times_never_go_back(ledger: Ledger) -> None:
    made = [ledger.store.write(lambda tx: (tx.now, tx.new_id("run"))) for _ in range(200)]
    pairs = [one.result(30) for one in made]
    assert len({identity for _, identity in pairs}) == 200
    assert sorted(identity for _, identity in sorted(pairs)) == [identity for _, identity in sorted(pairs)]


def test_figures_tell_of_groups_and_seconds(ledger: Ledger) -> None:
    before = ledger.store.figures()
    for future in [ledger.store.write(notes.add(fresh())) for _ in range(20)]:
        future.result(20)
    after = ledger.store.figures()
    assert after["writes"] - before["writes"] == 20
    assert 1 <= after["groups"] - before["groups"] <= 20
    assert after["write_queue_depth"] == 0
    assert after["group_sizes"]
    assert all(seconds >= 0 for seconds in after["commit_seconds"])
