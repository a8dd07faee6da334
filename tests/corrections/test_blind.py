"""What is said blind is its maker's and the admins' alone, in every read, until all of it is shown at once."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from setright import corrections, events, runs
from setright.corrections import Correction, CorrectionChange, CorrectionFilters, NewCorrection, Review
from setright.corrections.errors import AlreadyAdjudicated, CorrectionNotFound
from setright.kernel.actor import Actor, Role
from setright.kernel.fields import validate
from setright.runs import NewRun
from setright.storage import Tx
from tests.support.ledger import Ledger, Tenant

T = TypeVar("T")
QUEUE = "rvq_1"
WRONG, RIGHT = {"answer": "wrong", "shouldSay": "14 days"}, {"answer": "right"}


@pytest.fixture
def tenant(ledger: Ledger) -> Tenant:
    return ledger.tenant()


def told(ledger: Ledger, actor: Actor, work: Callable[[Tx], T]) -> T:
    """What a verb answers, with its events written."""

    def with_events(tx: Tx) -> T:
        answer = work(tx)
        events.append(tx)
        return answer

    return ledger.write(with_events, actor)


def a_run(ledger: Ledger, tenant: Tenant) -> str:
    run = {
        "projectId": "default",
        "subject": {"kind": "agent", "id": "a", "version": "1"},
        "output": "30 days",
    }
    return told(ledger, tenant.admin, lambda tx: runs.record_run(tx, validate(NewRun, run)).run.id)


def say(
    ledger: Ledger, actor: Actor, run_id: str, body: dict[str, Any], review: Review | None = None
) -> Correction:
    wanted = validate(NewCorrection, {"runId": run_id, **body})
    return told(ledger, actor, lambda tx: corrections.record_correction(tx, wanted, review or Review()))


def blindly(ledger: Ledger, actor: Actor, run_id: str, body: dict[str, Any] = WRONG) -> Correction:
    return say(ledger, actor, run_id, body, Review(blind=QUEUE))


def show(ledger: Ledger, tenant: Tenant, run_id: str) -> list[Correction]:
    return told(ledger, tenant.admin, lambda tx: corrections.show_corrections(tx, run_id, QUEUE))


def listed(ledger: Ledger, actor: Actor, **filters: Any) -> list[str]:
    wanted = CorrectionFilters(**filters)
    page = ledger.read(lambda at: corrections.list_corrections(at, wanted, None, 100), actor)
    return [one.id for one in page.data]


def fed(ledger: Ledger, actor: Actor) -> list[str]:
    page = ledger.read(lambda at: events.feed(at, 0, 100), actor)
    return [event.kind for event in page.data if event.subject_kind == "correction"]


def change(ledger: Ledger, actor: Actor, of: Correction, **body: Any) -> Correction:
    wanted = validate(CorrectionChange, body)
    return told(ledger, actor, lambda tx: corrections.change_correction(tx, of.id, wanted, (of.updated_at,)))


def remove(ledger: Ledger, actor: Actor, of: Correction) -> Correction:
    return told(ledger, actor, lambda tx: corrections.unregister_correction(tx, of.id))


def find(ledger: Ledger, actor: Actor, of: Correction) -> Correction:
    return ledger.read(lambda at: corrections.get_correction(at, of.id), actor).correction


def happened(ledger: Ledger, actor: Actor, of: Correction) -> list[str]:
    page = ledger.read(lambda at: corrections.correction_history(at, of.id), actor)
    return [event.kind for event in page.data]


@pytest.mark.parametrize("role", [Role.READ, Role.WRITE])
def test_nobody_else_learns_of_it_in_any_read(ledger: Ledger, tenant: Tenant, role: Role) -> None:
    maker, other = ledger.actor(tenant, Role.WRITE), ledger.actor(tenant, role)
    made = blindly(ledger, maker, a_run(ledger, tenant))
    change(ledger, maker, made, statusNote="mine")
    for read in (find, happened):
        with pytest.raises(CorrectionNotFound):
            read(ledger, other, made)
    assert listed(ledger, other) == listed(ledger, other, made_by=maker.id, run_id=made.run_id) == []
    assert fed(ledger, other) == []


def test_its_maker_and_admins_of_the_project_see_it_everywhere(ledger: Ledger, tenant: Tenant) -> None:
    maker, admin = ledger.actor(tenant, Role.WRITE), ledger.actor(tenant, Role.ADMIN)
    made = blindly(ledger, maker, a_run(ledger, tenant))
    for actor in (maker, admin, tenant.admin):
        assert find(ledger, actor, made).blind == QUEUE
        assert listed(ledger, actor) == listed(ledger, actor, project_id="default") == [made.id]
        assert fed(ledger, actor) == happened(ledger, actor, made) == ["correction.recorded"]


def test_an_admin_of_another_project_does_not_see_it(ledger: Ledger, tenant: Tenant) -> None:
    ledger.project(tenant, "other")
    made = blindly(ledger, ledger.actor(tenant, Role.WRITE), a_run(ledger, tenant))
    elsewhere = ledger.actor(tenant, roles={"default": Role.WRITE, "other": Role.ADMIN})
    assert listed(ledger, elsewhere) == fed(ledger, elsewhere) == []
    with pytest.raises(CorrectionNotFound):
        find(ledger, elsewhere, made)


def test_another_cannot_move_what_it_cannot_see(ledger: Ledger, tenant: Tenant) -> None:
    made = blindly(ledger, ledger.actor(tenant, Role.WRITE), a_run(ledger, tenant))
    other = ledger.actor(tenant, Role.WRITE)
    with pytest.raises(CorrectionNotFound):
        change(ledger, other, made, status="wont-fix")
    with pytest.raises(CorrectionNotFound):
        remove(ledger, other, made)


def test_what_supersedes_it_is_as_blind(ledger: Ledger, tenant: Tenant) -> None:
    maker, other = ledger.actor(tenant, Role.WRITE), ledger.actor(tenant, Role.WRITE)
    made = blindly(ledger, maker, a_run(ledger, tenant))
    newer = say(ledger, maker, made.run_id, RIGHT)
    assert newer.blind == QUEUE
    assert listed(ledger, other, include_unregistered=True) == fed(ledger, other) == []
    assert listed(ledger, maker) == [newer.id]


def test_everything_of_the_run_is_shown_at_once(ledger: Ledger, tenant: Tenant) -> None:
    run_id = a_run(ledger, tenant)
    makers = [ledger.actor(tenant, Role.WRITE) for _ in range(3)]
    made = [blindly(ledger, maker, run_id) for maker in makers]
    elsewhere = blindly(ledger, makers[0], a_run(ledger, tenant))
    other = ledger.actor(tenant, Role.READ)
    shown = show(ledger, tenant, run_id)
    assert {one.id for one in shown} == set(listed(ledger, other)) == {one.id for one in made}
    assert fed(ledger, other) == ["correction.shown"] * 3
    for one in made:
        assert happened(ledger, other, one) == ["correction.recorded", "correction.shown"]
        assert find(ledger, other, one).blind is None
        assert find(ledger, other, one).updated_at > one.updated_at
    assert find(ledger, makers[0], elsewhere).blind == QUEUE


def test_what_was_withdrawn_before_is_never_shown(ledger: Ledger, tenant: Tenant) -> None:
    maker, other = ledger.actor(tenant, Role.WRITE), ledger.actor(tenant, Role.WRITE)
    made = blindly(ledger, maker, a_run(ledger, tenant))
    remove(ledger, maker, made)
    assert show(ledger, tenant, made.run_id) == []
    assert listed(ledger, other, include_unregistered=True) == []


def decided(ledger: Ledger, tenant: Tenant) -> tuple[Correction, Correction, Correction]:
    """Two corrections that disagree, and the one by which an admin decided."""
    run_id = a_run(ledger, tenant)
    first, second = (say(ledger, ledger.actor(tenant, Role.WRITE), run_id, body) for body in (WRONG, RIGHT))
    by = say(ledger, tenant.admin, run_id, RIGHT, Review(adjudicates=(first.id, second.id)))
    return first, second, by


def test_an_adjudicated_one_stays_readable_and_moves_no_more(ledger: Ledger, tenant: Tenant) -> None:
    first, second, by = decided(ledger, tenant)
    assert by.adjudicates == (first.id, second.id)
    assert listed(ledger, tenant.admin) == [by.id, second.id, first.id]
    for one in (first, second):
        now = find(ledger, tenant.admin, one)
        assert (now.adjudicated_by, now.status) == (by.id, one.status)
        assert happened(ledger, tenant.admin, one)[-1] == "correction.adjudicated"
        for move in (
            lambda now=now: change(ledger, tenant.admin, now, statusNote="x"),
            lambda now=now: remove(ledger, tenant.admin, now),
        ):
            with pytest.raises(AlreadyAdjudicated, match=by.id):
                move()


def test_its_maker_cannot_correct_the_run_past_the_decision(ledger: Ledger, tenant: Tenant) -> None:
    run_id, maker = a_run(ledger, tenant), ledger.actor(tenant, Role.WRITE)
    made = say(ledger, maker, run_id, WRONG)
    by = say(ledger, tenant.admin, run_id, RIGHT, Review(adjudicates=(made.id,)))
    with pytest.raises(AlreadyAdjudicated) as caught:
        say(ledger, maker, run_id, RIGHT)
    assert caught.value.details["adjudicatedBy"] == by.id


def test_what_supersedes_the_decision_decides_in_its_place(ledger: Ledger, tenant: Tenant) -> None:
    first, second, by = decided(ledger, tenant)
    newer = say(ledger, tenant.admin, by.run_id, WRONG)
    assert newer.adjudicates == by.adjudicates
    assert [find(ledger, tenant.admin, one).adjudicated_by for one in (first, second)] == [newer.id] * 2


def test_removing_the_decision_frees_the_others(ledger: Ledger, tenant: Tenant) -> None:
    first, second, by = decided(ledger, tenant)
    remove(ledger, tenant.admin, by)
    for one in (first, second):
        free = find(ledger, tenant.admin, one)
        assert free.adjudicated_by is None
        assert change(ledger, tenant.admin, free, status="wont-fix").status == "wont-fix"
    assert happened(ledger, tenant.admin, first)[-2:] == [
        "correction.adjudication-lifted",
        "correction.moved",
    ]
