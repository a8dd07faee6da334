"""Recording, superseding and reading corrections, on both engines."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from setright import corrections, events, runs
from setright.corrections import Correction, CorrectionFilters, NewCorrection
from setright.corrections.errors import (
    CorrectionNotFound,
    CorrectorGroupNotApplicable,
    ItemNotFound,
    RunNotFinished,
)
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import PermissionDenied
from setright.kernel.fields import validate
from setright.runs import NewRun, RunContentExpired, RunErased, RunNotFound
from setright.runs.tables import runs as runs_table
from setright.storage import Sql
from tests.support.ledger import Ledger, Tenant

SUBJECT = {"kind": "agent", "id": "Support", "version": "v1"}
WRONG_ANSWER = {"answer": "wrong", "shouldSay": "14 days"}


@pytest.fixture
def tenant(ledger: Ledger) -> Tenant:
    return ledger.tenant()


def run_of(ledger: Ledger, actor: Actor, **changes: Any) -> str:
    body = {
        "projectId": "default",
        "subject": SUBJECT,
        "input": "how long?",
        "output": {"hits": ["a", "b"]},
        **changes,
    }
    body = {name: value for name, value in body.items() if value is not ...}

    def work(tx: Any) -> str:
        recorded = runs.record_run(tx, validate(NewRun, body))
        events.append(tx)
        return recorded.run.id

    return ledger.write(work, actor)


def correct(ledger: Ledger, actor: Actor, run_id: str | None, **body: Any) -> Correction:
    said = {"runId": run_id, **(body or WRONG_ANSWER)}

    def work(tx: Any) -> Correction:
        made = corrections.record_correction(tx, validate(NewCorrection, said))
        events.append(tx)
        return made

    return ledger.write(work, actor)


def listed(ledger: Ledger, actor: Actor, **filters: Any) -> list[Correction]:
    wanted = CorrectionFilters(**filters)
    return list(ledger.read(lambda at: corrections.list_corrections(at, wanted, None, 100), actor).data)


def test_what_was_said_is_read_back_with_the_copy_of_the_run(ledger: Ledger, tenant: Tenant) -> None:
    run_id = run_of(ledger, tenant.admin, answer="30 days")
    items = [{"key": "b", "pointer": "/hits/1", "rank": 1, "verdict": "wrong"}]
    made = correct(ledger, tenant.admin, run_id, **WRONG_ANSWER, items=items)
    found = ledger.read(lambda at: corrections.get_correction(at, made.id), tenant.admin)
    assert found.correction == made
    assert found.copy == {
        "input": "how long?",
        "calls": [],
        "output": {"hits": ["a", "b"]},
        "answer": "30 days",
    }
    assert found.values == {"b": "b"}


def test_a_correction_is_found_with_and_without_its_prefix(ledger: Ledger, tenant: Tenant) -> None:
    made = correct(ledger, tenant.admin, run_of(ledger, tenant.admin))
    bare = made.id.removeprefix("cor_")
    assert ledger.read(lambda at: corrections.get_correction(at, bare), tenant.admin).correction == made


def test_the_same_caller_supersedes_its_own_correction_which_keeps_its_status(
    ledger: Ledger, tenant: Tenant
) -> None:
    run_id = run_of(ledger, tenant.admin)
    first = correct(ledger, tenant.admin, run_id, decisions="wrong", shouldCall=[{"tool": "refund"}])
    second = correct(ledger, tenant.admin, run_id)
    earlier = ledger.read(lambda at: corrections.get_correction(at, first.id), tenant.admin).correction
    assert earlier == replace(
        first, superseded_by=second.id, unregistered_at=second.created_at, updated_at=second.created_at
    )
    assert [made.id for made in listed(ledger, tenant.admin)] == [second.id]
    everything = listed(ledger, tenant.admin, include_unregistered=True)
    assert [made.id for made in everything] == [second.id, first.id]
    history = ledger.read(lambda at: corrections.correction_history(at, first.id), tenant.admin)
    assert [event.kind for event in history.data] == ["correction.recorded", "correction.superseded"]


def test_another_caller_or_participant_supersedes_nothing(ledger: Ledger, tenant: Tenant) -> None:
    run_id = run_of(ledger, tenant.admin)
    bob = ledger.actor(tenant, Role.WRITE)
    made = [
        correct(ledger, tenant.admin, run_id),
        correct(ledger, bob, run_id),
        correct(ledger, tenant.admin, run_id, **WRONG_ANSWER, participantId="p-1"),
        correct(ledger, tenant.admin, run_id, **WRONG_ANSWER, participantId="p-2"),
    ]
    assert {entry.id for entry in listed(ledger, tenant.admin)} == {entry.id for entry in made}


@pytest.mark.parametrize(
    ("body", "status", "sorted_to"),
    [
        ({"decisions": "wrong", "mustNotCall": ["refund"]}, "with-owner", "owner"),
        (WRONG_ANSWER, "open", "improve"),
        ({"items": [{"key": "a", "verdict": "wrong"}]}, "open", "improve"),
        ({"decisions": "right", "answer": "right"}, "fixed", None),
        ({**WRONG_ANSWER, "participantId": "p"}, "open", None),
    ],
)
def test_it_is_sorted_when_it_is_saved(
    ledger: Ledger, tenant: Tenant, body: dict[str, Any], status: str, sorted_to: str | None
) -> None:
    made = correct(ledger, tenant.admin, run_of(ledger, tenant.admin), **body)
    assert (made.status, made.sorted_to) == (status, sorted_to)
    assert (made.sorted is None) == (sorted_to is None)
    assert (made.fixed_in or {}).get("how") == ("recorded-right" if status == "fixed" else None)


def test_a_run_may_come_along_and_both_are_kept(ledger: Ledger, tenant: Tenant) -> None:
    run = {"id": "ticket/7", "projectId": "default", "subject": SUBJECT, "input": 1, "output": None}
    made = correct(ledger, tenant.admin, None, run=run, answer="right")
    copy = ledger.read(lambda at: corrections.get_correction(at, made.id), tenant.admin).copy
    assert (made.run_id, copy) == ("ticket/7", {"input": 1, "calls": [], "output": None})


def refused(ledger: Ledger, actor: Actor, run_id: str | None, error: type[Exception], **body: Any) -> None:
    with pytest.raises(error):
        correct(ledger, actor, run_id, **body)


def test_the_run_must_exist_in_the_tenant(ledger: Ledger, tenant: Tenant) -> None:
    elsewhere = ledger.tenant()
    refused(ledger, tenant.admin, run_of(ledger, elsewhere.admin), RunNotFound)
    refused(ledger, tenant.admin, "no-such-run", RunNotFound)
    items = [{"key": "a", "pointer": "/hits/0", "verdict": "right"}]
    refused(ledger, tenant.admin, "no-such-run", RunNotFound, items=items)


def test_correcting_needs_write_on_the_project(ledger: Ledger, tenant: Tenant) -> None:
    run_id = run_of(ledger, tenant.admin, output=...)
    for role in (None, Role.READ):
        refused(ledger, ledger.actor(tenant, role), run_id, PermissionDenied)


def test_an_unfinished_run_is_refused_before_its_groups_and_pointers(ledger: Ledger, tenant: Tenant) -> None:
    run_id = run_of(ledger, tenant.admin, output=...)
    refused(ledger, tenant.admin, run_id, RunNotFinished, **WRONG_ANSWER, correctorGroupId="grp")


def mark_run(ledger: Ledger, run_id: str, **values: int) -> None:
    clause = runs_table.update().where(runs_table.c.id == run_id).values(**values)
    ledger.write(lambda tx: tx.run(Sql(clause)))


def test_an_erased_run_cannot_be_corrected(ledger: Ledger, tenant: Tenant) -> None:
    run_id = run_of(ledger, tenant.admin)
    mark_run(ledger, run_id, content_erased_at=1)
    refused(ledger, tenant.admin, run_id, RunErased)


def test_an_expired_run_is_corrected_only_against_a_copy(ledger: Ledger, tenant: Tenant) -> None:
    copied, plain = run_of(ledger, tenant.admin), run_of(ledger, tenant.admin, input=2)
    correct(ledger, tenant.admin, copied)
    for run_id in (copied, plain):
        mark_run(ledger, run_id, content_expired_at=1)
    assert correct(ledger, tenant.admin, copied).run_id == copied
    refused(ledger, tenant.admin, plain, RunContentExpired)


def test_a_group_that_is_not_there_is_told_before_a_pointer_that_leads_nowhere(
    ledger: Ledger, tenant: Tenant
) -> None:
    run_id = run_of(ledger, tenant.admin)
    item = {"key": "z", "pointer": "/nowhere", "verdict": "right"}
    body = {"items": [item], "correctorGroupId": "grp_1"}
    refused(ledger, tenant.admin, run_id, CorrectorGroupNotApplicable, **body)


@pytest.mark.parametrize("pointer", ["/hits/2", "/hits/-", "/hits/01", "/Hits", "/hits/0/x", "/hits/a"])
def test_a_pointer_must_lead_somewhere_and_nothing_is_kept_otherwise(
    ledger: Ledger, tenant: Tenant, pointer: str
) -> None:
    items = [
        {"key": "a", "pointer": "/hits/0", "verdict": "right"},
        {"key": "b", "pointer": pointer, "verdict": "right"},
    ]
    refused(ledger, tenant.admin, run_of(ledger, tenant.admin), ItemNotFound, items=items)
    assert listed(ledger, tenant.admin) == []


def test_a_failed_run_without_output_takes_decisions_but_no_pointer(ledger: Ledger, tenant: Tenant) -> None:
    run_id = run_of(ledger, tenant.admin, output=..., status="failed")
    assert correct(ledger, tenant.admin, run_id, decisions="wrong", mustNotCall=["x"]).status == "with-owner"
    items = [{"key": "a", "pointer": "", "verdict": "right"}]
    refused(ledger, tenant.admin, run_id, ItemNotFound, items=items)


def test_a_correction_of_another_tenant_does_not_exist(ledger: Ledger, tenant: Tenant) -> None:
    made = correct(ledger, tenant.admin, run_of(ledger, tenant.admin))
    reads: list[Callable[[Any], Any]] = [
        lambda at: corrections.get_correction(at, made.id),
        lambda at: corrections.correction_history(at, made.id),
    ]
    for read in reads:
        with pytest.raises(CorrectionNotFound):
            ledger.read(read, ledger.tenant().admin)
        with pytest.raises(PermissionDenied):
            ledger.read(read, ledger.actor(tenant))
