"""Corrector groups, made, changed, retired and read, on both engines."""

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from setright import corrections
from setright.corrections import CorrectorGroup, CorrectorGroupChange, GroupFilters, NewCorrectorGroup
from setright.corrections.errors import CorrectorGroupExists, CorrectorGroupNotFound
from setright.corrections.group_store import weights
from setright.corrections.lifecycle import GROUP_LIFE
from setright.identity import ProjectNotFound
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import ChangedMeanwhile, InvalidBody, PermissionDenied, Refusal
from setright.kernel.fields import validate
from setright.kernel.ids import bare
from setright.kernel.limits import Limits, QuotaExceeded
from setright.storage import Tx
from tests.corrections.grouping import AGENT, PROJECT, TENANT, Groups
from tests.support.ledger import Ledger


@pytest.fixture
def groups(ledger: Ledger) -> Groups:
    return Groups(ledger, ledger.tenant())


def listed(groups: Groups, by: Actor | None = None, **filters: Any) -> list[str]:
    wanted = GroupFilters(**filters)
    page = groups.ledger.read(
        lambda at: corrections.list_groups(at, wanted, None, 100), by or groups.tenant.admin
    )
    return [group.id for group in page.data]


def test_a_group_is_read_back_as_it_was_made(groups: Groups) -> None:
    token = "tok_01KE5MCQ800000000000000003"
    by = {"minReviewerRole": "senior", "principalKinds": ["user"], "principalIds": [groups.tenant.admin.id]}
    made = groups.make(AGENT, weight=2.5, assertableBy=by)
    assert made.scope.agent_id == "Support"
    assert made.assertable_by is not None
    assert made.assertable_by.on_wire() == by
    assert (made.weight, made.status, made.created_by_id) == (2.5, "active", groups.tenant.admin.id)
    for written in (made.id, bare(made.id), bare(made.id).lower()):
        assert groups.get(written) == made
    with pytest.raises(CorrectorGroupNotFound):
        groups.get(token)


def test_what_a_group_weighs_is_told_by_id_and_without_one_it_is_1(groups: Groups) -> None:
    plain, light, gone = groups.make(), groups.make(name="b", weight=0.25), groups.make(name="c", weight=0)
    groups.retire(gone)
    elsewhere = groups.ledger.tenant()
    told = {plain.id: 1, light.id: 0.25, gone.id: 0}
    assert groups.ledger.read(weights, groups.tenant.admin) == told
    assert groups.ledger.read(weights, elsewhere.admin) == {}


@pytest.mark.parametrize("scope", [TENANT, PROJECT, AGENT])
def test_a_name_stands_once_in_a_scope_however_it_is_written(groups: Groups, scope: Any) -> None:
    first = groups.make(scope, name="Ärzte")
    for again in ("Ärzte", "ärzte ", "A\u0308RZTE"):
        with pytest.raises(CorrectorGroupExists) as caught:
            groups.make(scope, name=again)
        assert caught.value.details["correctorGroupId"] == first.id
    other = groups.make(scope, name="Others")
    with pytest.raises(CorrectorGroupExists):
        groups.change(other, name="ÄRZTE")
    assert groups.change(first, name="ÄRZTE").name == "ÄRZTE"


def test_the_same_name_may_stand_in_every_scope(groups: Groups) -> None:
    groups.ledger.project(groups.tenant, "other")
    scopes = [TENANT, PROJECT, AGENT, {**AGENT, "agentId": "sales"}, {**PROJECT, "projectId": "other"}]
    assert len({groups.make(scope).id for scope in scopes}) == len(scopes)
    with pytest.raises(CorrectorGroupExists):
        groups.make({**AGENT, "agentId": " SUPPORT"})


def test_a_retired_group_keeps_its_name_until_it_is_given_another(groups: Groups) -> None:
    old = groups.retire(groups.make())
    with pytest.raises(CorrectorGroupExists, match="retired"):
        groups.make()
    groups.change(old, name="Experts until 2026")
    assert groups.make().name == "Experts"


def test_every_move_of_the_table_and_no_other(groups: Groups) -> None:
    made = groups.make()
    changed = groups.change(made, name="Doctors", weight=3, assertableBy={"principalKinds": ["user"]})
    assert groups.change(changed, name="Doctors", weight=3.0) == changed
    gone = groups.retire(changed)
    assert (gone.status, gone.retired_at) == ("retired", gone.updated_at)
    assert groups.retire(gone) == gone
    lighter = groups.change(gone, weight=0.5, assertableBy=None)
    assert (lighter.status, lighter.weight, lighter.assertable_by) == ("retired", 0.5, None)
    assert groups.get(made.id) == lighter
    assert groups.told(made) == [
        ("group.created", ("name", "weight", "scope", "assertableBy", "status")),
        ("group.changed", ("name", "weight", "assertableBy")),
        ("group.retired", ("status",)),
        ("group.changed", ("weight", "assertableBy")),
    ]
    assert {move.event for move in GROUP_LIFE.moves} == {kind for kind, _ in groups.told(made)}
    assert GROUP_LIFE.find("retire", "retired") is None


def test_a_change_may_name_the_state_that_it_is_meant_for(groups: Groups) -> None:
    made = groups.make()
    changed = groups.change(made, {made.updated_at}, weight=2)
    with pytest.raises(ChangedMeanwhile) as caught:
        groups.change(made, {made.updated_at}, weight=3)
    assert caught.value.current == changed


def test_a_group_of_the_tenant_is_made_by_the_tenants_admin_and_one_of_a_project_by_the_projects(
    groups: Groups,
) -> None:
    keeper, writer = (groups.ledger.actor(groups.tenant, role) for role in (Role.ADMIN, Role.WRITE))
    stranger = groups.ledger.actor(groups.tenant)
    mine = [groups.make(PROJECT, keeper), groups.make(AGENT, keeper)]
    for actor in (keeper, writer, stranger):
        with pytest.raises(PermissionDenied):
            groups.make(TENANT, actor)
    for actor in (writer, stranger):
        for group in mine:
            with pytest.raises(PermissionDenied):
                groups.make(PROJECT, actor, name="x")
            with pytest.raises(PermissionDenied):
                groups.change(group, by=actor, weight=1)
            with pytest.raises(PermissionDenied):
                groups.retire(group, actor)
    assert groups.retire(mine[0], keeper).status == "retired"
    with pytest.raises(PermissionDenied):
        groups.retire(groups.make(), keeper)
    with pytest.raises(ProjectNotFound):
        groups.make({**PROJECT, "projectId": "nowhere"}, keeper)


def test_a_group_of_a_project_is_read_by_who_reads_it_and_one_of_the_tenant_by_all(groups: Groups) -> None:
    groups.ledger.project(groups.tenant, "other")
    for_all, mine = groups.make(), groups.make(PROJECT)
    theirs = groups.make({**AGENT, "projectId": "other"})
    reader = groups.ledger.actor(groups.tenant, Role.READ)
    assert listed(groups, reader) == [mine.id, for_all.id]
    assert listed(groups) == [theirs.id, mine.id, for_all.id]
    assert listed(groups, groups.ledger.actor(groups.tenant)) == [for_all.id]
    assert groups.get(for_all.id, reader) == for_all
    with pytest.raises(PermissionDenied):
        groups.get(theirs.id, reader)
    with pytest.raises(PermissionDenied):
        listed(groups, reader, project_id="other")


def test_a_list_of_groups_is_narrowed(groups: Groups) -> None:
    for_all, mine, agents = groups.make(), groups.make(PROJECT), groups.make(AGENT)
    gone = groups.retire(groups.make(PROJECT, name="gone"))
    assert listed(groups) == [agents.id, mine.id, for_all.id]
    assert listed(groups, include_retired=True) == [gone.id, agents.id, mine.id, for_all.id]
    assert listed(groups, project_id="default") == [agents.id, mine.id]
    assert listed(groups, agent_id="SUPPORT") == [agents.id]
    assert listed(groups, kind="tenant") == [for_all.id]
    assert listed(groups, kind="agent", agent_id="sales") == []
    with pytest.raises(ProjectNotFound):
        listed(groups, project_id="nowhere")


def test_pages_of_groups_neither_skip_nor_repeat(groups: Groups) -> None:
    made = [groups.make(name=f"g{number}").id for number in range(5)]
    seen: list[str] = []
    after = None
    while True:
        page = groups.ledger.read(
            lambda at, after=after: corrections.list_groups(at, GroupFilters(), after, 2), groups.tenant.admin
        )
        seen += [group.id for group in page.data]
        after = page.next
        if after is None:
            break
    assert seen == made[::-1]


def test_another_tenants_group_is_not_there(groups: Groups, ledger: Ledger) -> None:
    made = groups.make()
    theirs = Groups(ledger, ledger.tenant())
    assert listed(theirs) == []
    for use in (
        lambda: theirs.get(made.id),
        lambda: theirs.change(made, weight=1),
        lambda: theirs.retire(made),
    ):
        with pytest.raises(CorrectorGroupNotFound):
            use()
    assert theirs.make().name == made.name
    assert groups.get(made.id) == made


def test_principals_must_exist_and_be_of_a_kind_that_may(groups: Groups) -> None:
    theirs = groups.ledger.tenant().admin.id
    for ids, places in (([theirs], [0]), ([groups.tenant.admin.id, "ada", "tok_1"], [1, 2])):
        with pytest.raises(InvalidBody) as caught:
            groups.make(assertableBy={"principalIds": ids})
        pointers = [fault["pointer"] for fault in caught.value.details["faults"]]
        assert pointers == [f"/assertableBy/principalIds/{place}" for place in places]
    with pytest.raises(InvalidBody, match="principalKinds"):
        groups.make(assertableBy={"principalKinds": ["service"], "principalIds": [groups.tenant.admin.id]})
    known = groups.make(assertableBy={"principalIds": [bare(groups.tenant.admin.id)]}).assertable_by
    assert known is not None
    assert known.principal_ids == (groups.tenant.admin.id,)


NAMED = {"name": "n", "scope": TENANT}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"scope": TENANT}, "/name"),
        ({**NAMED, "name": " "}, "/name"),
        ({**NAMED, "name": "two\nlines"}, "/name"),
        ({"name": "n"}, "/scope"),
        ({**NAMED, "scope": {"kind": "team"}}, "/scope/kind"),
        ({**NAMED, "scope": {"kind": "project"}}, "/scope/projectId"),
        ({**NAMED, "scope": {**TENANT, "projectId": "p"}}, "/scope/projectId"),
        ({**NAMED, "scope": {**PROJECT, "agentId": "a"}}, "/scope/agentId"),
        ({**NAMED, "scope": {"kind": "agent", "projectId": "p"}}, "/scope/agentId"),
        ({**NAMED, "scope": {**AGENT, "agentId": "\u3000"}}, "/scope/agentId"),
        *(
            ({**NAMED, "weight": weight}, "/weight")
            for weight in (-1, -1e-9, float("nan"), float("inf"), float("-inf"), 1e10, "2", True)
        ),
        ({**NAMED, "assertableBy": {}}, "/assertableBy"),
        ({**NAMED, "assertableBy": {"minReviewerRole": "boss"}}, "/assertableBy/minReviewerRole"),
        ({**NAMED, "assertableBy": {"principalKinds": []}}, "/assertableBy/principalKinds"),
        ({**NAMED, "assertableBy": {"principalKinds": ["user", "user"]}}, "/assertableBy/principalKinds"),
        ({**NAMED, "assertableBy": {"principalIds": []}}, "/assertableBy/principalIds"),
        ({**NAMED, "assertableBy": {"principalIds": ["a", "a"]}}, "/assertableBy/principalIds"),
        ({**NAMED, "assertableBy": {"principalIds": ["u"] * 101}}, "/assertableBy/principalIds"),
        ({**NAMED, "members": []}, "/members"),
    ],
)
def test_a_body_that_makes_no_group_is_refused_by_the_name_of_the_field(
    body: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Refusal) as caught:
        validate(NewCorrectorGroup, body)
    assert [fault["pointer"] for fault in caught.value.details["faults"]] == [pointer]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"name": None}, "/name"),
        ({"weight": None}, "/weight"),
        ({"weight": -1}, "/weight"),
        ({"scope": TENANT}, "/scope"),
        ({"assertableBy": {}}, "/assertableBy"),
    ],
)
def test_a_change_that_says_nothing_or_too_much_is_refused(body: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Refusal) as caught:
        validate(CorrectorGroupChange, body)
    assert [fault["pointer"] for fault in caught.value.details["faults"]] == [pointer]


def test_a_weight_of_minus_zero_is_zero(groups: Groups) -> None:
    made: CorrectorGroup = groups.make(weight=-0.0)
    assert str(made.weight) == "0.0"
    assert replace(made, weight=0) == made


def test_a_tenant_at_its_cap_makes_no_more_groups_until_one_is_retired(groups: Groups) -> None:
    first, name = groups.make(), count()

    def another(tx: Tx) -> CorrectorGroup:
        tx.limits = Limits(corrector_groups=2)
        new = validate(NewCorrectorGroup, {"name": f"more {next(name)}", "scope": TENANT})
        return corrections.create_group(tx, new)

    groups.do(another)
    with pytest.raises(QuotaExceeded) as caught:
        groups.do(another)
    assert caught.value.details == {"quota": "corrector-groups", "limit": 2, "used": 2}
    groups.retire(first)
    groups.do(another)
