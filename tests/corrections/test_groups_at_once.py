"""A group that is retired or changed while it is asserted: each correction comes before or after, never half."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import psycopg
import pytest

from setright import corrections
from setright.corrections import Correction, CorrectorGroup, NewCorrection
from setright.corrections.errors import CorrectorGroupExists, CorrectorGroupNotApplicable
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.storage import Tx
from tests.corrections.grouping import TENANT, Groups
from tests.support.ledger import Ledger


@pytest.fixture
def groups(ledger: Ledger) -> Groups:
    return Groups(ledger, ledger.tenant())


def is_waiting(ledger: Ledger) -> bool:
    """Whether a transaction waits for another to end; on SQLite every one does, in the queue of the one writer."""
    if ledger.store.engine == "sqlite":
        return True
    with psycopg.connect(ledger.url) as connection:
        row = connection.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
    return row is not None and row[0] > 0


class Held:
    """A transaction that has done its work and commits only when it is let go."""

    def __init__(self, groups: Groups, work: Any) -> None:
        self._groups = groups
        self._done, self._go = Event(), Event()

        def and_wait(tx: Tx) -> Any:
            result = work(tx)
            self._done.set()
            assert self._go.wait(20)
            return result

        self._threads = ThreadPoolExecutor(2)
        self._first = self._threads.submit(groups.do, and_wait)
        assert self._done.wait(20)

    def meets(self, work: Any) -> tuple[Any, Future[Any]]:
        """Begin another transaction, which has to wait, and then let go: both outcomes."""
        second = self._threads.submit(self._groups.do, work)
        until = time.monotonic() + 20
        while not is_waiting(self._groups.ledger):
            assert time.monotonic() < until
            assert not second.done()
        self._go.set()
        first = self._first.result(20)
        self._threads.shutdown()
        return first, second


def correcting(group: CorrectorGroup, run_id: str) -> Any:
    said = {"runId": run_id, "answer": "wrong", "why": "w", "correctorGroupId": group.id}
    wanted = validate(NewCorrection, said)
    return lambda tx: corrections.record_correction(tx, wanted)


def test_a_retirement_waits_for_who_corrects_under_the_group_and_comes_after(groups: Groups) -> None:
    group = groups.make()
    held = Held(groups, correcting(group, groups.run()))
    made, retired = held.meets(lambda tx: corrections.retire_group(tx, group.id))
    assert made.corrector_group_id == group.id
    assert retired.result().retired_at > made.created_at


def test_who_corrects_under_a_group_waits_for_its_retirement_and_is_refused(groups: Groups) -> None:
    group, run_id = groups.make(), groups.run()
    held = Held(groups, lambda tx: corrections.retire_group(tx, group.id))
    _, made = held.meets(correcting(group, run_id))
    with pytest.raises(CorrectorGroupNotApplicable):
        made.result()


def test_who_waits_for_a_restriction_is_held_to_it(groups: Groups) -> None:
    group, run_id = groups.make(), groups.run()
    change = validate(corrections.CorrectorGroupChange, {"assertableBy": {"principalKinds": ["user"]}})
    held = Held(groups, lambda tx: corrections.change_group(tx, group.id, change))
    changed, waiting = held.meets(correcting(group, run_id))
    made: Correction = waiting.result()
    assert made.expert
    assert made.created_at > changed.updated_at


def test_a_retirement_that_began_before_a_correction_and_had_to_wait_is_dated_after_it(
    groups: Groups,
) -> None:
    if groups.ledger.store.engine == "sqlite":
        return
    group, run_id = groups.make(), groups.run()
    begun, recorded = Event(), Event()

    def retire(tx: Tx) -> CorrectorGroup:
        begun.set()
        assert recorded.wait(20)
        return corrections.retire_group(tx, group.id)

    with ThreadPoolExecutor(1) as threads:
        retiring = threads.submit(groups.do, retire)
        assert begun.wait(20)
        made = groups.do(correcting(group, run_id))
        recorded.set()
        retired_at = retiring.result(20).retired_at
    assert retired_at is not None
    assert retired_at > made.created_at


def test_two_correct_under_one_group_without_waiting_for_each_other(groups: Groups) -> None:
    if groups.ledger.store.engine == "sqlite":
        return
    group, run_ids = groups.make(), [groups.run(), groups.run()]
    first_recorded, second_done = Event(), Event()

    def first(tx: Tx) -> Any:
        made = correcting(group, run_ids[0])(tx)
        first_recorded.set()
        assert second_done.wait(20)
        return made

    with ThreadPoolExecutor(1) as threads:
        recording = threads.submit(groups.do, first)
        assert first_recorded.wait(20)
        groups.do(correcting(group, run_ids[1]))
        second_done.set()
        assert recording.result(20).corrector_group_id == group.id


def test_of_many_who_take_a_name_at_once_one_gets_it(groups: Groups) -> None:
    def take(number: int) -> Any:
        try:
            return groups.make(TENANT, weight=number)
        except Refusal as refusal:
            return refusal

    with ThreadPoolExecutor(6) as threads:
        told = list(threads.map(take, range(6)))
    (got,) = [one for one in told if isinstance(one, CorrectorGroup)]
    others = [one for one in told if one is not got]
    assert all(isinstance(one, CorrectorGroupExists) for one in others)
    assert {one.details["correctorGroupId"] for one in others} == {got.id}


def test_of_two_that_are_renamed_alike_at_once_one_is(groups: Groups) -> None:
    pair = [groups.make(name="a"), groups.make(name="b")]

    def rename(of: CorrectorGroup) -> Any:
        try:
            return groups.change(of, name="same")
        except Refusal as refusal:
            return refusal.code

    with ThreadPoolExecutor(2) as threads:
        told = list(threads.map(rename, pair))
    assert told.count("corrector-group-exists") == 1
