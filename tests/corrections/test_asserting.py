"""Correcting under a corrector group: which runs it covers, who may, and what is frozen."""

from dataclasses import replace
from typing import Any

import pytest

from setright import corrections, identity, runs
from setright.corrections import CorrectionFilters, NewCorrection
from setright.corrections.errors import (
    CorrectorGroupNotAllowed,
    CorrectorGroupNotApplicable,
    ItemNotFound,
    RunNotFinished,
)
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import PermissionDenied
from setright.kernel.fields import validate
from setright.kernel.ids import bare
from setright.runs import NewRun, RunNotFound
from setright.storage import Sql, Tx
from tests.corrections.grouping import AGENT, PROJECT, TENANT, Groups
from tests.support.ledger import Ledger

NOWHERE: dict[str, Any] = {"items": [{"key": "z", "pointer": "/nowhere", "verdict": "right"}]}


@pytest.fixture
def groups(ledger: Ledger) -> Groups:
    return Groups(ledger, ledger.tenant())


def not_held(groups: Groups, under: str, by: Actor) -> list[str]:
    with pytest.raises(CorrectorGroupNotAllowed) as caught:
        groups.correct(under, by)
    assert all(f"{part}: " in caught.value.message for part in caught.value.details["notHeld"])
    return caught.value.details["notHeld"]


def test_a_correction_keeps_the_group_and_is_no_experts_without_a_restriction(groups: Groups) -> None:
    group = groups.make()
    made = groups.correct(bare(group.id).lower())
    assert (made.corrector_group_id, made.expert) == (group.id, False)
    plain = groups.correct(None)
    assert (plain.corrector_group_id, plain.expert) == (None, False)
    wanted = CorrectionFilters(corrector_group_id=bare(group.id))
    listed = groups.ledger.read(
        lambda at: corrections.list_corrections(at, wanted, None, 100), groups.tenant.admin
    )
    assert [one.id for one in listed.data] == [made.id]


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        (TENANT, {"support", "sales", "flow", "elsewhere"}),
        (PROJECT, {"support", "sales", "flow"}),
        (AGENT, {"support"}),
    ],
)
def test_a_group_covers_the_runs_of_its_scope(groups: Groups, scope: Any, covered: set[str]) -> None:
    groups.ledger.project(groups.tenant, "other")
    group = groups.make(scope)
    ran = {
        "support": groups.run(id="SUPPORT "),
        "sales": groups.run(id="sales"),
        "flow": groups.run(kind="flow"),
        "elsewhere": groups.run("other"),
    }
    for name, run_id in ran.items():
        if name in covered:
            assert groups.correct(group.id, run_id=run_id).corrector_group_id == group.id
        else:
            with pytest.raises(CorrectorGroupNotApplicable, match="no corrector group"):
                groups.correct(group.id, run_id=run_id)


def test_a_group_that_is_not_there_or_another_tenants_covers_nothing(groups: Groups, ledger: Ledger) -> None:
    theirs = Groups(ledger, ledger.tenant()).make()
    for unknown in (theirs.id, "grp_1", "grp_01KE5MCQ800000000000000003", "Experts"):
        with pytest.raises(CorrectorGroupNotApplicable, match="no corrector group"):
            groups.correct(unknown)


def test_a_retired_group_is_not_asserted_anew_and_what_was_recorded_under_it_stays(groups: Groups) -> None:
    group = groups.make()
    made = groups.correct(group.id)
    gone = groups.retire(group)
    with pytest.raises(CorrectorGroupNotApplicable, match="was retired at") as caught:
        groups.correct(group.id)
    assert "retiredAt" in caught.value.details
    found = groups.ledger.read(lambda at: corrections.get_correction(at, made.id), groups.tenant.admin)
    assert found.correction == made
    assert gone.retired_at is not None
    assert gone.retired_at > made.created_at


@pytest.mark.parametrize(
    ("least", "enough"),
    [
        ("standard", ["standard", "senior", "admin"]),
        ("senior", ["senior", "admin"]),
        ("admin", ["admin"]),
    ],
)
def test_a_least_reviewer_role_is_the_members(groups: Groups, least: str, enough: list[str]) -> None:
    group = groups.make(PROJECT, assertableBy={"minReviewerRole": least})
    for role in (None, "standard", "senior", "admin"):
        reviewer = groups.reviewer(role)
        if role in enough:
            assert groups.correct(group.id, reviewer).expert
        else:
            assert not_held(groups, group.id, reviewer) == ["minReviewerRole"]


def test_an_admin_is_no_reviewer_by_that_until_it_is_a_member_who_is_one(groups: Groups) -> None:
    group = groups.make(assertableBy={"minReviewerRole": "standard"})
    admin = groups.tenant.admin
    assert not_held(groups, group.id, admin) == ["minReviewerRole"]
    member = {"kind": "user", "id": admin.id, "role": "read", "reviewerRole": "standard"}
    new = validate(identity.NewMember, member)
    groups.do(lambda tx: identity.put_member(tx, "default", new))
    assert groups.correct(group.id).expert


def test_a_service_is_a_reviewer_when_it_is_made_a_member_who_is_one(groups: Groups) -> None:
    new = validate(identity.NewToken, {"kind": "service", "name": "checker", "role": "write"})
    token = groups.do(lambda tx: identity.create_token(tx, new)).token
    bot = groups.ledger.actor(groups.tenant, Role.WRITE, kind="service", id=token.id)
    by = {"minReviewerRole": "senior", "principalKinds": ["service"], "principalIds": [token.id]}
    group = groups.make(assertableBy=by)
    assert not_held(groups, group.id, bot) == ["minReviewerRole"]
    member = {"kind": "service", "id": token.id, "role": "write", "reviewerRole": "admin"}
    put = validate(identity.NewMember, member)
    groups.do(lambda tx: identity.put_member(tx, "default", put))
    assert groups.correct(group.id, bot).expert


def test_a_reviewer_role_counts_in_its_own_project_only(groups: Groups) -> None:
    groups.ledger.project(groups.tenant, "other")
    group = groups.make(assertableBy={"minReviewerRole": "standard"})
    reviewer = groups.reviewer("admin", "other")
    both = replace(reviewer, roles={"default": Role.WRITE, "other": Role.WRITE})
    assert groups.correct(group.id, both, groups.run("other")).expert
    assert not_held(groups, group.id, both) == ["minReviewerRole"]


def test_kinds_and_ids_of_principals_must_hold_too_and_every_part_that_does_not_is_named(
    groups: Groups,
) -> None:
    admin, senior = groups.tenant.admin, groups.reviewer("senior")
    bot = groups.ledger.actor(groups.tenant, Role.WRITE, kind="service", id="tok_bot")
    people = groups.make(name="people", assertableBy={"principalKinds": ["user"]})
    assert groups.correct(people.id, admin).expert
    assert not_held(groups, people.id, bot) == ["principalKinds"]
    chosen = groups.make(name="chosen", assertableBy={"principalIds": [senior.id]})
    assert groups.correct(chosen.id, senior).expert
    assert not_held(groups, chosen.id, admin) == ["principalIds"]
    by = {"minReviewerRole": "senior", "principalKinds": ["user"], "principalIds": [senior.id]}
    every = groups.make(name="every", assertableBy=by)
    assert groups.correct(every.id, senior).expert
    assert not_held(groups, every.id, bot) == ["minReviewerRole", "principalKinds", "principalIds"]
    assert not_held(groups, every.id, groups.reviewer("senior")) == ["principalIds"]


def test_expert_is_frozen_when_the_correction_is_recorded(groups: Groups) -> None:
    group = groups.make()
    before = groups.correct(group.id)
    restricted = groups.change(group, assertableBy={"principalKinds": ["user"]})
    within = groups.correct(group.id)
    groups.change(restricted, assertableBy=None, weight=7)
    after = groups.correct(group.id)
    for made, expert in ((before, False), (within, True), (after, False)):
        found = groups.ledger.read(
            lambda at, made=made: corrections.get_correction(at, made.id), groups.tenant.admin
        )
        assert found.correction == made
        assert found.correction.expert is expert


def test_a_group_is_looked_at_after_the_run_and_before_the_items(groups: Groups) -> None:
    group = groups.make(PROJECT, assertableBy={"principalIds": [groups.reviewer(None).id]})
    elsewhere = groups.make({**AGENT, "agentId": "sales"})
    reader = groups.ledger.actor(groups.tenant, Role.READ)
    running = {"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "1"}}
    started = groups.do(lambda tx: runs.record_run(tx, validate(NewRun, running)).run.id)
    with pytest.raises(RunNotFinished):
        groups.correct(elsewhere.id, run_id=started)
    with pytest.raises(PermissionDenied):
        groups.correct(elsewhere.id, reader)
    with pytest.raises(CorrectorGroupNotApplicable):
        groups.correct(elsewhere.id, **NOWHERE)
    with pytest.raises(CorrectorGroupNotAllowed):
        groups.correct(group.id, **NOWHERE)
    with pytest.raises(ItemNotFound):
        groups.correct(None, **NOWHERE)


def test_a_refused_group_leaves_nothing_behind(groups: Groups) -> None:
    group = groups.make(assertableBy={"principalKinds": ["service"]})
    run = {
        "id": "own",
        "projectId": "default",
        "subject": {"kind": "agent", "id": "a", "version": "1"},
        "output": 1,
    }
    wanted = validate(NewCorrection, {"run": run, "answer": "right", "correctorGroupId": group.id})
    with pytest.raises(CorrectorGroupNotAllowed):
        groups.do(lambda tx: corrections.record_correction(tx, wanted))
    with pytest.raises(RunNotFound):
        groups.ledger.read(lambda at: runs.get_run(at, "own"), groups.tenant.admin)


def test_a_plain_correction_reads_nothing_of_groups_and_an_open_group_nothing_of_reviewers(
    groups: Groups, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = groups.make()
    asked: list[str] = []
    one = Tx.one

    def watched(tx: Tx, sql: Sql, **values: Any) -> Any:
        text = sql.compiled(tx.engine).text
        asked.extend(table for table in ("corrector_groups", "members") if f"FROM {table}" in text)
        return one(tx, sql, **values)

    ran = [groups.run(), groups.run()]
    monkeypatch.setattr(Tx, "one", watched)
    groups.correct(None, run_id=ran[0])
    assert asked == []
    groups.correct(group.id, run_id=ran[1])
    assert asked == ["corrector_groups"]
