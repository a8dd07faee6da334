"""Answers kept under their Idempotency-Key: given again byte for byte, for 24 hours, to the same request only."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from setright.kernel.answer import Answer
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids
from setright.storage import Key, KeyBodyMismatch, KeyInFlight, ReplayWithheld, Snapshot, Store, Tx
from setright.storage.kept import KEPT_FOR, claim, drop_old, keep, look_up
from setright.storage.open import open_store
from tests.storage import notes
from tests.support.ledger import Ledger

ANSWER = Answer(
    201,
    '{"id":"cor_1","why":"\u20ac \\u0000"}'.encode(),
    (("Location", "/v1/corrections/cor_1"),),
    ("run_1",),
)
REPLAY = ("Idempotent-Replay", "true")
_NUMBERS = count(1)


def new_key(body: bytes = b"body") -> Key:
    """A key that no test used before."""
    return Key(b"fingerprint %020d" % next(_NUMBERS), body.ljust(32))


def keep_under(key: Key, answer: Answer = ANSWER) -> Any:
    """Work that claims a key and keeps an answer under it, unless there is one: what a request does."""

    def work(tx: Tx) -> Answer:
        kept = claim(tx, key).answer()
        if kept is None:
            keep(tx, key, answer)
        return kept or answer

    return work


def test_the_first_answer_is_given_again_unchanged(ledger: Ledger) -> None:
    key = new_key()
    assert ledger.write(keep_under(key)) == ANSWER
    again = ledger.write(keep_under(key, Answer(200, b"another")))
    assert (again.status, again.body) == (201, ANSWER.body)
    assert again.headers == (*ANSWER.headers, REPLAY)
    assert ledger.read(lambda at: look_up(at, key)).answer() == again


def test_another_body_under_the_same_key_is_refused(ledger: Ledger) -> None:
    key = new_key()
    ledger.write(keep_under(key))
    other = replace(key, body_hash=b"other body".ljust(32))
    with pytest.raises(KeyBodyMismatch):
        ledger.write(keep_under(other))
    with pytest.raises(KeyBodyMismatch):
        ledger.read(lambda at: look_up(at, other).answer())
    assert ledger.write(keep_under(key)).headers[-1] == REPLAY


def test_a_secret_answer_is_not_kept_but_its_success_is(ledger: Ledger) -> None:
    key = new_key()
    ledger.write(keep_under(key, replace(ANSWER, secret=True)))
    with pytest.raises(ReplayWithheld) as withheld:
        ledger.write(keep_under(key))
    assert withheld.value.details["status"] == 201
    assert withheld.value.details["succeededAt"].endswith("Z")


def test_a_refused_request_keeps_nothing(ledger: Ledger) -> None:
    key = new_key()

    def fail(tx: Tx) -> None:
        keep_under(key)(tx)
        raise KeyInFlight

    with pytest.raises(KeyInFlight):
        ledger.write(fail)
    assert ledger.write(keep_under(key)) == ANSWER


class MovedClock(Clock):
    """A clock that a test moves on."""

    def __init__(self, start: int) -> None:
        self.ahead = 0
        super().__init__(lambda: (start + self.ahead) * 1000)


@pytest.fixture
def moved(ledger: Ledger) -> Iterator[tuple[Store, MovedClock]]:
    """A second store on the ledger's database, with a clock that can be moved on."""
    clock = MovedClock(ledger.clock.now())
    store = open_store(ledger.url, clock, Ids())
    yield store, clock
    store.close()


def test_an_answer_is_kept_for_24_hours_and_no_longer(moved: tuple[Store, MovedClock]) -> None:
    store, clock = moved
    key = new_key()
    assert KEPT_FOR == 24 * 60 * 60 * 1_000_000
    store.write(keep_under(key)).result(20)
    clock.ahead = KEPT_FOR - 1
    assert store.write(keep_under(key)).result(20).headers[-1] == REPLAY
    assert store.read(lambda at: look_up(at, key)).result(20).answer() is not None
    clock.ahead = KEPT_FOR
    assert store.read(lambda at: look_up(at, key)).result(20).answer() is None
    later = Answer(200, b"later")
    other_body = replace(key, body_hash=b"other body".ljust(32))
    assert store.write(keep_under(other_body, later)).result(20) == later
    again = store.write(keep_under(other_body)).result(20)
    assert (again.status, again.body) == (200, b"later")


def test_old_answers_are_dropped_and_young_ones_stay(moved: tuple[Store, MovedClock]) -> None:
    store, clock = moved
    old, young = [new_key() for _ in range(3)], new_key()
    for key in old:
        store.write(keep_under(key)).result(20)
    clock.ahead = KEPT_FOR + 1
    store.write(keep_under(young)).result(20)
    while store.write(lambda tx: drop_old(tx, 2)).result(20):
        pass
    assert store.write(keep_under(young)).result(20).headers[-1] == REPLAY
    clock_now = [store.read(lambda at, key=key: look_up(at, key)).result(20).answer() for key in old]
    assert clock_now == [None] * 3


def test_an_answer_is_given_again_after_the_store_was_closed_and_opened(ledger: Ledger) -> None:
    key = new_key()
    first = open_store(ledger.url, Clock(), Ids())
    assert first.write(keep_under(key)).result(20) == ANSWER
    first.close()
    second = open_store(ledger.url, Clock(), Ids())
    again = second.write(keep_under(key)).result(20)
    second.close()
    assert (again.status, again.body, again.headers) == (201, ANSWER.body, (*ANSWER.headers, REPLAY))


def test_a_request_whose_twin_is_running_is_told_to_wait_or_waits(ledger: Ledger) -> None:
    """On PostgreSQL the second is refused at once; on SQLite it stands behind the first and gets its answer."""
    key, begun, may_end = new_key(), threading.Event(), threading.Event()
    other = open_store(ledger.url, Clock(), Ids())

    def slow(tx: Tx) -> Answer:
        done = keep_under(key)(tx)
        begun.set()
        may_end.wait(20)
        return done

    first = ledger.store.write(slow)
    assert begun.wait(20)
    second = other.write(keep_under(key))
    if ledger.store.engine == "postgresql":
        assert isinstance(second.exception(10), KeyInFlight)
        second = None
    may_end.set()
    assert first.result(20) == ANSWER
    third = second or other.write(keep_under(key))
    assert third.result(20).headers[-1] == REPLAY
    other.close()


def test_a_crash_of_the_first_request_frees_its_key(ledger: Ledger) -> None:
    key = new_key()

    def crash(tx: Tx) -> None:
        keep_under(key)(tx)
        raise ZeroDivisionError

    assert isinstance(ledger.store.write(crash).exception(20), ZeroDivisionError)
    assert ledger.write(keep_under(key)) == ANSWER


def test_a_twin_that_commits_between_claiming_and_keeping_is_given_instead_of_a_second_effect(
    ledger: Ledger,
) -> None:
    """As when it commits after our statement's snapshot was taken and before our lock was: the lock alone misses it."""
    if ledger.store.engine == "sqlite":
        return
    key, name = new_key(), f"effect-{next(_NUMBERS)}"
    other = open_store(ledger.url, Clock(), Ids())
    twins = [1]

    def work(tx: Tx) -> Answer:
        kept = claim(tx, key).answer()
        if kept is not None:
            return kept
        if twins:
            twins.pop()
            other.write(lambda elsewhere: keep(elsewhere, key, Answer(201, b"the twin's"))).result(20)
        notes.add(name)(tx)
        keep(tx, key, ANSWER)
        return ANSWER

    given = ledger.store.write(work).result(20)
    other.close()
    assert (given.body, given.headers[-1]) == (b"the twin's", REPLAY)
    assert name not in ledger.read(notes.names)


def test_two_requests_of_one_group_with_one_key_have_one_effect(ledger: Ledger) -> None:
    """The second finds what the first has just kept, in the same transaction or after it."""
    key, gate = new_key(), threading.Event()
    blocked = ledger.store.write(lambda tx: gate.wait(20))
    twins = [ledger.store.write(keep_under(key)) for _ in range(12)]
    gate.set()
    blocked.result(20)
    answers = [twin.exception(20) or twin.result(20) for twin in twins]
    given = [answer for answer in answers if isinstance(answer, Answer)]
    assert [answer.headers for answer in given].count(ANSWER.headers) == 1
    assert {answer.body for answer in given} == {ANSWER.body}
    assert all(isinstance(answer, Answer | KeyInFlight) for answer in answers)


def test_looking_up_locks_nothing(ledger: Ledger) -> None:
    key = new_key()

    def look(at: Snapshot) -> tuple[Any, Any]:
        before = look_up(at, key).answer()
        return before, ledger.store.write(keep_under(key)).result(20)

    assert ledger.read(look) == (None, ANSWER)
