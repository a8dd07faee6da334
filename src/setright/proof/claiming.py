"""Claiming cases: some of those that wait become the caller's for a while, and what their runs got is handed out."""

from collections.abc import Sequence
from dataclasses import replace

from setright import runs, subjects
from setright.proof import case_store, choosing, ending
from setright.proof.errors import LeaseLost
from setright.proof.lifecycle import LEASE_SECONDS, until
from setright.proof.model import Case, Claim, Claimed, ClaimedCase, Renewal, Renewed, TestRun
from setright.proof.operations import LOOKS_AT_ONCE, to_change
from setright.storage import Tx
from setright.storage.moments import database_now

BYTES_AT_ONCE = 8 * 1024 * 1024


def claim_cases(tx: Tx, test_run_id: str, claim: Claim) -> Claimed:
    """Take up to `n` cases that wait, or whose lease has ended; fewer where their runs are large, none at the end."""
    test_run = to_change(tx, test_run_id)
    now = database_now(tx)
    for _ in range(LOOKS_AT_ONCE):
        if test_run.status != "running":
            break
        test_run, cases = _waiting(tx, test_run, now, claim.n or 1)
        if cases:
            lease, ends = tx.new_id("lse"), until(now, claim.seconds or LEASE_SECONDS)
            case_store.lease(tx, [case.id for case in cases], lease, ends)
            leased = [replace(case, lease=lease, next_at=ends) for case in cases]
            effects = subjects.effects(tx, test_run.project_id)
            runs.note_reads(tx, test_run.project_id, [case.run_id for case in leased])
            return Claimed(test_run, _with_content(tx, leased), lease, ends, effects)
        if test_run.is_whole:
            break
        test_run = ending.kept(tx, choosing.keep(tx, test_run, choosing.choose(tx, test_run)))
    return Claimed(test_run, ())


def renew_lease(tx: Tx, test_run_id: str, renewal: Renewal) -> Renewed:
    """Keep the claimed cases that have no result yet for longer; refused once none of them is the caller's any more."""
    test_run = to_change(tx, test_run_id)
    ends = until(database_now(tx), renewal.seconds or LEASE_SECONDS)
    kept = 0
    if test_run.status == "running":
        kept = tx.run(
            case_store.RENEW,
            of_tenant=test_run.tenant_id,
            of_test_run=test_run.id,
            of_lease=renewal.lease,
            until=ends,
        )
    if not kept:
        raise LeaseLost(renewal.lease)
    return Renewed(renewal.lease, ends, kept)


def _waiting(tx: Tx, test_run: TestRun, now: int, most: int) -> tuple[TestRun, Sequence[Case]]:
    """Cases that wait, as many as may be handed out at once; those whose run was erased meanwhile are left out."""
    this = {"tenant_id": test_run.tenant_id, "test_run_id": test_run.id}
    found = [case_store.case_in(row) for row in tx.all(case_store.NEXT, **this, now=now, count=most)]
    states = runs.run_states(tx, [case.run_id for case in found])
    gone = [case for case in found if states[case.run_id].is_erased]
    if gone:
        test_run = left_out(tx, test_run, gone)
    taken: list[Case] = []
    size = 0
    for case in found:
        size += states[case.run_id].byte_count
        if case in gone or (taken and size > BYTES_AT_ONCE):
            continue
        taken.append(case)
    return test_run, taken


def left_out(tx: Tx, test_run: TestRun, gone: Sequence[Case]) -> TestRun:
    """Leave out cases whose run was erased after they were made."""
    case_store.end(tx, [case.id for case in gone], "erased")
    fewer = replace(
        test_run,
        case_count=test_run.case_count - len(gone),
        erased_count=test_run.erased_count + len(gone),
    )
    return ending.kept(tx, fewer)


def _with_content(tx: Tx, cases: Sequence[Case]) -> list[ClaimedCase]:
    run_ids = [case.run_id for case in cases]
    states, contents = runs.run_states(tx, run_ids), runs.contents_of(tx, run_ids)
    calls = runs.calls_of(tx, run_ids)
    return [
        ClaimedCase(
            case,
            states[case.run_id].subject_version,
            contents[case.run_id].input,
            _before_the_reply(contents[case.run_id].messages),
            calls.get(case.run_id, ()),
        )
        for case in cases
    ]


def _before_the_reply(messages: Sequence[dict[str, object]] | None) -> Sequence[object] | None:
    """What stood before the agent said anything."""
    if messages is None:
        return None
    first = next((place for place, one in enumerate(messages) if one["role"] == "assistant"), len(messages))
    return messages[:first]
