"""Projects, their members, and who may manage them."""

import pytest

from setright import identity
from setright.identity import NewProject, ProjectChange
from setright.kernel.actor import Role
from setright.kernel.fields import validate
from setright.kernel.ids import bare


def new_project(name, **more):
    return validate(NewProject, {"name": name, **more})


def ids(page):
    return [project.id for project in page.data]


def test_a_project_may_have_an_id_of_its_own(room):
    project, is_new = room.do(identity.create_project, new_project("Support", id="support_team-1"))
    assert (project.id, project.name, is_new) == ("support_team-1", "Support", True)
    assert room.ask(identity.get_project, "support_team-1") == project


def test_a_project_without_an_id_gets_one_of_ours(room):
    project, _ = room.do(identity.create_project, new_project("Support"))
    assert project.id.startswith("prj_")
    for written in (project.id, bare(project.id), bare(project.id).lower()):
        assert room.ask(identity.get_project, written) == project


def test_the_same_project_again_is_the_one_that_is_there(room):
    new = new_project("Support", id="support")
    first, _ = room.do(identity.create_project, new)
    assert room.do(identity.create_project, new) == (first, False)
    assert room.told(identity.create_project, new) == []


def test_another_name_under_a_taken_id_is_refused(room):
    room.do(identity.create_project, new_project("Support", id="support"))
    assert room.refused(identity.create_project, new_project("Sales", id="support")) == "project-exists"


def test_an_own_id_is_compared_as_written(room):
    room.do(identity.create_project, new_project("Support", id="support"))
    assert room.refused(identity.get_project, "SUPPORT") == "project-not-found"


def test_two_tenants_may_use_one_id(room, elsewhere):
    mine, _ = room.do(identity.create_project, new_project("Mine", id="shared"))
    other, _ = elsewhere.do(identity.create_project, new_project("Other", id="shared"))
    assert room.ask(identity.get_project, "shared") == mine != other


def test_only_admins_of_the_tenant_create_projects(room):
    for caller in (room.person("a", "admin"), room.person("b", tenant_role="write")):
        assert room.refused(identity.create_project, new_project("New"), by=caller) == "permission-denied"


def test_admins_of_a_project_rename_it(room):
    before = room.ask(identity.get_project, "default")
    renamed = room.do(
        identity.rename_project, "default", ProjectChange(name="Main"), by=room.person("a", "admin")
    )
    assert (renamed.name, renamed.created_at) == ("Main", before.created_at)
    assert renamed.updated_at > before.updated_at
    assert room.ask(identity.get_project, "default") == renamed
    assert room.told(identity.rename_project, "default", ProjectChange(name="Main")) == []
    writer = room.person("b", "write")
    assert (
        room.refused(identity.rename_project, "default", ProjectChange(name="x"), by=writer)
        == "permission-denied"
    )


def test_only_readable_projects_are_listed_newest_first(room):
    made = [room.do(identity.create_project, new_project(f"p{n}", id=f"p{n}"))[0].id for n in range(5)]
    caller = room.person("a", "read")
    user = room.ask(identity.get_user, caller.id)
    for project in ("p1", "p3", "p4"):
        room.member(user, "read", project)
    caller = room.bearer(room.user_token(user).secret).actor
    assert ids(room.ask(identity.list_projects)) == [*reversed(made), "default"]
    assert ids(room.ask(identity.list_projects, by=caller)) == ["p4", "p3", "p1", "default"]
    assert ids(room.ask(identity.list_projects, by=room.person("b"))) == []
    first = room.ask(identity.list_projects, limit=3, by=caller)
    assert ids(first) == ["p4", "p3", "p1"]
    assert ids(room.ask(identity.list_projects, first.next, 3, by=caller)) == ["default"]


def test_a_project_without_a_role_is_refused_and_an_unknown_one_not_found(room):
    caller = room.person("a")
    assert room.refused(identity.get_project, "default", by=caller) == "permission-denied"
    assert room.refused(identity.get_project, "unknown", by=caller) == "project-not-found"


@pytest.mark.parametrize("project_id", ["", ".", "a/b", "a b", "\0", "\ud800", "x" * 65, "é", "a\n"])
def test_what_is_no_projects_id_is_not_found(room, project_id):
    assert room.refused(identity.get_project, project_id) == "project-not-found"


def test_a_member_has_its_role_and_reviewer_role(room):
    user = room.user("grace")
    member = room.member(user, "write", reviewer="senior")
    assert (member.principal_id, member.principal_name) == (user.id, "grace")
    assert (member.role, member.reviewer_role) == (Role.WRITE, "senior")
    assert room.ask(identity.list_members, "default").data == [member]


def test_a_members_role_is_replaced_and_its_beginning_kept(room):
    user = room.user("grace")
    first = room.member(user, "admin", reviewer="senior")
    second = room.member(user, "read")
    assert (second.role, second.reviewer_role, second.added_at) == (Role.READ, None, first.added_at)
    assert room.ask(identity.list_members, "default").data == [second]


def test_a_service_token_can_be_a_member(room):
    room.ledger.project(room.tenant, "second")
    token = room.token(name="agent 7").token
    member = room.member(token, "write", "second")
    assert (member.principal_kind, member.principal_name) == ("service", "agent 7")
    assert room.ask(identity.list_members, "second").data == [member]


def test_a_members_id_is_taken_without_its_prefix(room):
    user = room.user("grace")
    body = {"kind": "user", "id": bare(user.id).lower(), "role": "read"}
    member = room.do(identity.put_member, "default", validate(identity.NewMember, body))
    assert member.principal_id == user.id
    assert room.do(identity.remove_member, "default", "user", bare(user.id)) == member


def test_admins_of_a_project_manage_its_members(room):
    room.ledger.project(room.tenant, "second")
    user = room.user("grace")
    new = validate(identity.NewMember, {"kind": "user", "id": user.id, "role": "admin"})
    by = room.person("a", "admin")
    assert room.do(identity.put_member, "default", new, by=by).role is Role.ADMIN
    assert room.refused(identity.put_member, "second", new, by=by) == "permission-denied"
    assert room.refused(identity.remove_member, "second", "user", user.id, by=by) == "permission-denied"
    assert room.do(identity.remove_member, "default", "user", user.id, by=by)
    writer = room.person("b", "write")
    assert room.refused(identity.put_member, "default", new, by=writer) == "permission-denied"


def test_readers_of_a_project_see_its_members(room):
    assert len(room.ask(identity.list_members, "default", by=room.person("a", "read")).data) == 1
    assert room.refused(identity.list_members, "default", by=room.person("b")) == "permission-denied"


def test_the_last_admin_of_a_project_may_go(room):
    caller = room.person("a", "admin")
    assert room.do(identity.remove_member, "default", "user", caller.id, by=caller)
    assert room.ask(identity.list_members, "default").data == []


def test_who_is_no_member_cannot_be_removed(room):
    for kind, principal in (
        ("user", room.admin.id),
        ("service", room.token().token.id),
        ("user", "\0"),
        ("\0", room.admin.id),
    ):
        assert room.refused(identity.remove_member, "default", kind, principal) == "member-not-found"


def test_who_cannot_act_any_more_cannot_become_a_member(room):
    user, token = room.user("grace"), room.token().token
    room.do(identity.disable_user, user.id)
    room.do(identity.revoke_token, token.id)
    for kind, id_, code in (("user", user.id, "user-disabled"), ("service", token.id, "token-revoked")):
        new = validate(identity.NewMember, {"kind": kind, "id": id_, "role": "read"})
        assert room.refused(identity.put_member, "default", new) == code


def test_a_users_token_is_no_member(room):
    token = room.user_token(room.user("grace")).token
    new = validate(identity.NewMember, {"kind": "service", "id": token.id, "role": "read"})
    assert room.refused(identity.put_member, "default", new) == "invalid-body"


def test_members_are_listed_in_pages(room):
    made = [room.member(room.user(f"u{number}"), "read").principal_id for number in range(5)]
    first = room.ask(identity.list_members, "default", limit=3)
    rest = room.ask(identity.list_members, "default", first.next, 3)
    assert [member.principal_id for member in [*first.data, *rest.data]] == made[::-1]


def test_each_change_of_projects_and_members_is_told(room):
    user = room.user("grace")
    new = validate(identity.NewMember, {"kind": "user", "id": user.id, "role": "read"})
    again = validate(
        identity.NewMember, {"kind": "user", "id": user.id, "role": "read", "reviewerRole": "senior"}
    )
    told = [
        *room.told(identity.create_project, new_project("Support", id="support")),
        *room.told(identity.rename_project, "support", ProjectChange(name="Help")),
        *room.told(identity.put_member, "support", new),
        *room.told(identity.put_member, "support", new),
        *room.told(identity.put_member, "support", again),
        *room.told(identity.remove_member, "support", "user", user.id),
    ]
    assert {event.project_id for event in told} == {"support"}
    assert [(event.kind, event.subject_id, event.changed) for event in told] == [
        ("project.created", "support", ()),
        ("project.renamed", "support", ("name",)),
        ("member.put", user.id, ("role",)),
        ("member.put", user.id, ("reviewerRole",)),
        ("member.removed", user.id, ()),
    ]
