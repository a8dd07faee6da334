"""Moving a correction by hand, on both engines."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from setright import corrections, events, runs
from setright.corrections import Correction, CorrectionChange, NewCorrection
from setright.corrections.errors import (
    AlreadyRemoved,
    AlreadySuperseded,
    CorrectionNotFound,
    IfMatchMissing,
    MoveRefused,
)
from setright.corrections.lifecycle import BY_HAND, LIFECYCLE, LIVE, STATUSES, Standing, set_status, sort_to
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import ChangedMeanwhile, PermissionDenied, Refusal
from setright.kernel.fields import validate
from setright.runs import NewRun
from tests.support.ledger import Ledger, Tenant

BODIES: dict[str, dict[str, Any]] = {
    "open": {"answer": "wrong", "shouldSay": "14 days"},
    "with-owner": {"decisions": "wrong", "mustNotCall": ["refund"]},
    "fixed": {"decisions": "right"},
}


@pytest.fixture
def tenant(ledger: Ledger) -> Tenant:
    return ledger.tenant()


def make(ledger: Ledger, actor: Actor, status: str = "open", run_id: str | None = None) -> Correction:
    run = {
        "projectId": "default",
        "subject": {"kind": "agent", "id": "a", "version": "1"},
        "output": "30 days",
    }

    def work(tx: Any) -> Correction:
        of = run_id or runs.record_run(tx, validate(NewRun, run)).run.id
        made = corrections.record_correction(
            tx, validate(NewCorrection, {"runId": of, **BODIES.get(status, BODIES["open"])})
        )
        events.append(tx)
        return made

    made = ledger.write(work, actor)
    if made.status == status:
        return made
    if status == "removed":
        return ledger.write(lambda tx: corrections.unregister_correction(tx, made.id), actor)
    return change(ledger, actor, made, status=status)


def change(
    ledger: Ledger, actor: Actor, of: Correction, known: Collection[int] | None = (), **body: Any
) -> Correction:
    wanted = validate(CorrectionChange, body)
    states = (of.updated_at,) if known == () else known

    def work(tx: Any) -> Correction:
        moved = corrections.change_correction(tx, of.id, wanted, states)
        events.append(tx)
        return moved

    return ledger.write(work, actor)


def remove(ledger: Ledger, actor: Actor, of: Correction) -> Correction:
    return ledger.write(lambda tx: corrections.unregister_correction(tx, of.id), actor)


def story(ledger: Ledger, actor: Actor, of: Correction) -> list[tuple[str, tuple[str, ...]]]:
    told = ledger.read(lambda at: corrections.correction_history(at, of.id), actor)
    return [(event.kind, tuple(event.changed)) for event in told.data]


@pytest.mark.parametrize("start", LIVE)
@pytest.mark.parametrize("end", BY_HAND)
def test_every_status_that_is_set_by_hand_is_reached_from_every_live_one(
    ledger: Ledger, tenant: Tenant, start: str, end: str
) -> None:
    made = make(ledger, tenant.admin, start)
    moved = change(ledger, tenant.admin, made, status=end)
    assert moved.status == end
    assert (moved.sorted_to == "owner") == (
        end == "with-owner" or (end == "wont-fix" and start == "with-owner")
    )
    assert moved.fixed_in is None
    if start == end:
        assert moved == made


@pytest.mark.parametrize("start", LIVE)
@pytest.mark.parametrize("end", ["fixed", "removed"])
def test_fixed_and_removed_are_never_set_by_hand(
    ledger: Ledger, tenant: Tenant, start: str, end: str
) -> None:
    made = make(ledger, tenant.admin, start)
    with pytest.raises(MoveRefused) as caught:
        change(ledger, tenant.admin, made, status=end)
    assert "unregister" in caught.value.details["open"]
    assert "supersede" not in caught.value.details["open"]


@pytest.mark.parametrize("start", LIVE)
@pytest.mark.parametrize("desk", ["improve", "developer", "owner", None])
def test_a_re_sort_moves_only_between_open_and_the_owners_desk(
    ledger: Ledger, tenant: Tenant, start: str, desk: str | None
) -> None:
    made = make(ledger, tenant.admin, start)
    moved = change(ledger, tenant.admin, made, sortedTo=desk)
    expected = {
        ("open", True): "with-owner",
        ("being-fixed", True): "with-owner",
        ("with-owner", False): "open",
    }
    assert moved.status == expected.get((start, desk == "owner"), start)
    assert moved.sorted_to == desk
    assert moved.fixed_in == made.fixed_in
    assert (moved.sorted is None) == (desk is None)


@pytest.mark.parametrize(
    "body", [{"status": "open"}, {"sortedTo": "owner"}, {"statusNote": "x"}, {"status": "fixed"}]
)
def test_a_removed_one_and_a_superseded_one_move_no_more(
    ledger: Ledger, tenant: Tenant, body: dict[str, Any]
) -> None:
    removed = make(ledger, tenant.admin, "removed")
    with pytest.raises(AlreadyRemoved):
        change(ledger, tenant.admin, removed, **body)
    first = make(ledger, tenant.admin)
    second = make(ledger, tenant.admin, run_id=first.run_id)
    first = replace(first, updated_at=second.created_at)
    with pytest.raises(AlreadySuperseded):
        change(ledger, tenant.admin, first, **body)
    with pytest.raises(AlreadySuperseded):
        remove(ledger, tenant.admin, first)


@pytest.mark.parametrize("start", STATUSES)
def test_unregistering_is_final_and_again_changes_nothing(ledger: Ledger, tenant: Tenant, start: str) -> None:
    made = make(ledger, tenant.admin, start)
    gone = remove(ledger, tenant.admin, made)
    assert gone.status == "removed"
    assert gone.unregistered_at is not None
    assert remove(ledger, tenant.admin, gone) == gone


def test_after_a_removal_the_caller_may_correct_the_run_anew(ledger: Ledger, tenant: Tenant) -> None:
    gone = make(ledger, tenant.admin, "removed")
    anew = make(ledger, tenant.admin, run_id=gone.run_id)
    assert anew.status == "open"
    found = ledger.read(lambda at: corrections.get_correction(at, gone.id), tenant.admin).correction
    assert found == gone


def test_who_sorted_why_and_who_noted_is_told(ledger: Ledger, tenant: Tenant) -> None:
    made = make(ledger, tenant.admin)
    moved = change(ledger, tenant.admin, made, sortedTo="developer", reason="tool bug", statusNote="seen")
    by = {"kind": "user", "id": tenant.admin.id}
    assert moved.sorted is not None
    assert moved.status_note is not None
    assert (moved.sorted["by"], moved.sorted["reason"]) == (by, "tool bug")
    assert (moved.status_note["by"], moved.status_note["text"]) == (by, "seen")
    lifted = change(ledger, tenant.admin, moved, statusNote=None, sortedTo=None)
    assert (lifted.sorted, lifted.sorted_to, lifted.status_note) == (None, None, None)
    assert story(ledger, tenant.admin, made) == [
        ("correction.recorded", ("status",)),
        ("correction.moved", ("sortedTo", "sorted", "statusNote")),
        ("correction.moved", ("sortedTo", "sorted", "statusNote")),
    ]


def test_the_same_values_again_change_nothing_and_are_no_event(ledger: Ledger, tenant: Tenant) -> None:
    made = change(
        ledger, tenant.admin, make(ledger, tenant.admin), sortedTo="developer", reason="r", statusNote="n"
    )
    again = change(
        ledger, tenant.admin, made, status="open", sortedTo="developer", reason="r", statusNote="n"
    )
    assert again == made
    assert len(story(ledger, tenant.admin, made)) == 2


def test_a_change_of_a_state_that_is_gone_is_refused_with_the_one_that_is(
    ledger: Ledger, tenant: Tenant
) -> None:
    made = make(ledger, tenant.admin)
    moved = change(ledger, tenant.admin, made, status="being-fixed")
    with pytest.raises(ChangedMeanwhile) as caught:
        change(ledger, tenant.admin, made, status="wont-fix")
    assert caught.value.current == moved
    with pytest.raises(IfMatchMissing) as missing:
        change(ledger, tenant.admin, made, known=None, status="wont-fix")
    assert missing.value.details["etag"] == f'"{moved.updated_at}"'


def test_anothers_correction_is_moved_by_a_person_or_an_admin(ledger: Ledger, tenant: Tenant) -> None:
    bot = ledger.actor(tenant, Role.WRITE, kind="service", id="tok_bot")
    other_bot = ledger.actor(tenant, Role.WRITE, kind="service", id="tok_other")
    admin_bot = ledger.actor(tenant, Role.ADMIN, kind="service", id="tok_admin")
    person, reader = ledger.actor(tenant, Role.WRITE), ledger.actor(tenant, Role.READ)
    made = make(ledger, bot)
    for actor in (other_bot, reader, ledger.actor(tenant)):
        with pytest.raises(PermissionDenied):
            change(ledger, actor, made, statusNote="mine")
        with pytest.raises(PermissionDenied):
            remove(ledger, actor, made)
    for actor in (bot, admin_bot, person):
        made = change(ledger, actor, made, statusNote=actor.id)
    with pytest.raises(CorrectionNotFound):
        change(ledger, ledger.tenant().admin, made, status="open")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"reason": "r"}, ""),
        ({"status": None}, "/status"),
        ({"status": "done"}, "/status"),
        ({"sortedTo": "nobody"}, "/sortedTo"),
        ({"status": "open", "reason": "r"}, "/reason"),
        ({"status": "with-owner", "sortedTo": "improve"}, "/sortedTo"),
        ({"status": "with-owner", "sortedTo": None}, "/sortedTo"),
        ({"status": "open", "sortedTo": "owner"}, "/sortedTo"),
        ({"status": "being-fixed", "sortedTo": "owner"}, "/sortedTo"),
        ({"statusNote": ""}, "/statusNote"),
        ({"statusNote": "x" * 4001}, "/statusNote"),
    ],
)
def test_a_change_that_says_nothing_or_contradicts_itself_is_refused(
    body: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Refusal) as caught:
        validate(CorrectionChange, body)
    assert pointer in {fault["pointer"] for fault in caught.value.details["faults"]}


@pytest.mark.parametrize("status", LIVE)
def test_the_rules_of_standing_agree_with_the_table(status: str) -> None:
    for desk in (None, "improve", "developer", "owner"):
        now = Standing(status, desk)
        for end in BY_HAND:
            move = LIFECYCLE.find(f"set {end}", status)
            assert move is not None
            assert set_status(now, end).status == move.end
        for target in (None, "improve", "developer", "owner"):
            assert sort_to(now, target).sorted_to == target


def test_nothing_is_open_to_a_removed_one() -> None:
    assert LIFECYCLE.open_from("removed") == []
