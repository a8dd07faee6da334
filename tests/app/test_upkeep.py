"""Kept answers go after 24 hours, by themselves."""

import asyncio
import os

from sqlalchemy import delete

from setright.app.upkeep import drop_what_is_old
from setright.kernel.answer import Answer
from setright.storage import Key, Sql, Tx
from setright.storage.kept import KEPT_FOR, claim, keep, kept_answers
from tests.support.ledger import Ledger

NO_ANSWERS = Sql(delete(kept_answers))


def keep_one(ledger: Ledger, key: Key, age: int) -> None:
    def work(tx: Tx) -> None:
        tx.now -= age
        keep(tx, key, Answer(201, b"{}"))

    ledger.write(work)


def test_only_answers_older_than_a_day_are_dropped_however_many(ledger: Ledger) -> None:
    ledger.write(lambda tx: tx.run(NO_ANSWERS))
    young = Key(os.urandom(32), b"body")
    for _ in range(1200):
        keep_one(ledger, Key(os.urandom(32), b"body"), KEPT_FOR)
    keep_one(ledger, young, KEPT_FOR - 60_000_000)
    assert asyncio.run(drop_what_is_old(ledger.store)) == 1200
    assert asyncio.run(drop_what_is_old(ledger.store)) == 0
    assert ledger.write(lambda tx: claim(tx, young)).answer() is not None


def test_a_key_whose_answer_is_too_old_is_a_new_request_and_is_kept_anew(ledger: Ledger) -> None:
    key = Key(os.urandom(32), b"body")
    keep_one(ledger, key, KEPT_FOR)

    def again(tx: Tx) -> Answer | None:
        kept = claim(tx, key).answer()
        keep(tx, key, Answer(200, b"new"))
        return kept

    assert ledger.write(again) is None
    kept = ledger.write(lambda tx: claim(tx, key)).answer()
    assert kept is not None
    assert kept.body == b"new"
