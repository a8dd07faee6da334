"""Claiming cases: who gets which, for how long, and what is handed out of a case."""

from typing import Any

import pytest
from sqlalchemy import bindparam, update

from setright import proof, subjects
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied
from setright.kernel.fields import validate
from setright.proof import choosing, claiming
from setright.proof.tables import test_cases as cases
from setright.storage import Sql
from setright.storage.moments import database_now
from setright.subjects import NewToolEffect
from tests.proof.proving import AGENT, WRONG_CALLS, Proving, result
from tests.proof.test_beginning import erase

OVER = Sql(
    update(cases)
    .where(cases.c.lease == bindparam("of_lease"), cases.c.next_at.is_not(None))
    .values(next_at=bindparam("moment"))
)


def over(proving: Proving, lease: str | None) -> None:
    """Let a lease end now, as if its time had passed."""
    proving.do(lambda tx: tx.run(OVER, of_lease=lease, moment=database_now(tx) - 1))


def ids(claimed: proof.Claimed) -> set[str]:
    return {one.case.id for one in claimed.cases}


def renew(proving: Proving, test_run: proof.TestRun, lease: str, seconds: int = 60) -> proof.Renewed:
    wanted = validate(proof.Renewal, {"lease": lease, "seconds": seconds})
    return proving.do(lambda tx: proof.renew_lease(tx, test_run.id, wanted))


def test_a_case_tells_what_the_run_got_and_never_what_is_expected(proving: Proving) -> None:
    messages = [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "may I?"},
        {"role": "assistant", "content": "no"},
        {"role": "user", "content": "but"},
    ]
    made = proving.corrected(proving.run(messages=messages), **WRONG_CALLS)
    test_run = proving.begun()
    claimed = proving.claimed(test_run)
    (case,) = claimed.cases
    assert (case.case.run_id, case.case.correction_ids, case.version) == (made.run_id, (made.id,), "v1")
    assert (case.input, case.messages) == ({"question": "may I?"}, messages[:2])
    assert case.calls == [{"tool": "look_up", "args": {"order": 1}, "result": "paid"}]
    assert claimed.effects is None
    declared = NewToolEffect(effect="read")
    proving.do(lambda tx: subjects.set_tool_effect(tx, "default", "look_up", declared))
    over(proving, claimed.lease)
    assert proving.claimed(test_run).effects == {"look_up": "read"}


def test_what_is_claimed_is_nobody_elses_until_the_lease_ends(proving: Proving) -> None:
    for _ in range(3):
        proving.corrected()
    test_run = proving.begun()
    first, second, third = (
        proving.claimed(test_run, 2),
        proving.claimed(test_run, 2),
        proving.claimed(test_run),
    )
    assert (len(first.cases), len(second.cases), third.cases, third.lease) == (2, 1, (), None)
    assert not ids(first) & ids(second)
    over(proving, first.lease)
    assert ids(proving.claimed(test_run)) == ids(first)


def test_one_case_is_claimed_unless_more_are_asked_for(proving: Proving) -> None:
    for _ in range(2):
        proving.corrected()
    test_run = proving.begun()
    assert len(proving.do(lambda tx: proof.claim_cases(tx, test_run.id, proof.Claim())).cases) == 1


def test_a_lease_is_renewed_while_something_is_held_under_it(proving: Proving) -> None:
    proving.corrected()
    test_run = proving.begun()
    claimed = proving.claimed(test_run, seconds=1)
    assert claimed.lease is not None
    over(proving, claimed.lease)
    assert renew(proving, test_run, claimed.lease, 600).cases == 1
    assert proving.claimed(test_run).cases == ()
    over(proving, claimed.lease)
    taken = proving.claimed(test_run)
    with pytest.raises(proof.LeaseLost):
        renew(proving, test_run, claimed.lease)
    assert taken.lease is not None
    proving.submit(test_run, result(taken.cases[0].case.id, taken.lease))
    with pytest.raises(proof.LeaseLost):
        renew(proving, test_run, taken.lease)


def test_every_case_is_tried_once_before_any_is_tried_again(proving: Proving) -> None:
    for _ in range(2):
        proving.corrected()
    test_run = proving.begun(repeat=2)
    claimed = proving.claimed(test_run, 4)
    assert [one.case.repetition for one in claimed.cases] == [1, 1, 2, 2]


def test_a_claim_makes_the_cases_that_no_worker_has_made_yet(
    proving: Proving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "LOOKED_AT", 2)
    monkeypatch.setattr(choosing, "FEWEST", 2)
    for _ in range(5):
        proving.corrected()
    test_run = proving.begun()
    got = [proving.claimed(test_run) for _ in range(4)]
    assert [len(claimed.cases) for claimed in got] == [2, 2, 1, 0]
    assert proving.now(test_run).is_whole


def test_large_runs_come_one_at_a_time(proving: Proving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claiming, "BYTES_AT_ONCE", 100)
    for _ in range(2):
        proving.corrected()
    assert len(proving.claimed(proving.begun()).cases) == 1


def test_what_is_erased_meanwhile_is_left_out_and_counted(proving: Proving) -> None:
    kept, gone = proving.corrected(), proving.corrected()
    test_run = proving.begun()
    erase(proving, gone.run_id)
    claimed = proving.claimed(test_run)
    assert [one.case.run_id for one in claimed.cases] == [kept.run_id]
    assert (claimed.test_run.case_count, claimed.test_run.erased_count) == (1, 1)
    erase(proving, kept.run_id)
    over(proving, claimed.lease)
    ended = proving.claimed(test_run)
    assert (ended.cases, ended.test_run.status, ended.test_run.erased_count) == ((), "failed", 2)


def test_nothing_is_claimed_of_what_has_ended_or_is_not_the_callers(proving: Proving) -> None:
    proving.corrected()
    test_run = proving.begun()
    for actor in (proving.ledger.actor(proving.tenant, Role.READ), proving.ledger.actor(proving.tenant)):
        with pytest.raises(PermissionDenied):
            proving.claimed(test_run, by=actor)
    with pytest.raises(proof.TestRunNotFound):
        proving.claimed(test_run, by=proving.ledger.tenant().admin)
    proving.do(lambda tx: proof.cancel_test_run(tx, test_run.id))
    after: Any = proving.claimed(test_run)
    assert (after.cases, after.test_run.status) == ((), "cancelled")
    assert AGENT["id"] == after.test_run.subject.id
