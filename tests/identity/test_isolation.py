"""Nothing of another tenant can be seen, named or changed."""

from setright import identity
from setright.identity import NewMember, NewToken, ProjectChange, Rotation
from setright.kernel.actor import Role
from setright.kernel.fields import validate


def test_another_tenants_users_are_not_found(room, elsewhere):
    user = elsewhere.user("grace")
    new = validate(NewMember, {"kind": "user", "id": user.id, "role": "read"})
    body = {"kind": "user", "name": "x", "userId": user.id}
    assert room.refused(identity.get_user, user.id) == "user-not-found"
    assert room.refused(identity.disable_user, user.id) == "user-not-found"
    assert room.refused(identity.put_member, "default", new) == "user-not-found"
    assert room.refused(identity.create_token, validate(NewToken, body)) == "user-not-found"


def test_another_tenants_tokens_are_not_found(room, elsewhere):
    token = elsewhere.token().token
    new = validate(NewMember, {"kind": "service", "id": token.id, "role": "read"})
    assert room.refused(identity.get_token, token.id) == "token-not-found"
    assert room.refused(identity.revoke_token, token.id) == "token-not-found"
    assert room.refused(identity.rotate_token, token.id, Rotation()) == "token-not-found"
    assert room.refused(identity.put_member, "default", new) == "token-not-found"


def test_another_tenants_projects_are_not_found(room, elsewhere):
    project = elsewhere.ledger.project(elsewhere.tenant, "theirs")
    new = validate(NewMember, {"kind": "user", "id": room.admin.id, "role": "read"})
    body = {"kind": "service", "name": "x", "projectId": project, "role": "read"}
    assert room.refused(identity.get_project, project) == "project-not-found"
    assert room.refused(identity.rename_project, project, ProjectChange(name="x")) == "project-not-found"
    assert room.refused(identity.list_members, project) == "project-not-found"
    assert room.refused(identity.put_member, project, new) == "project-not-found"
    assert room.refused(identity.remove_member, project, "user", room.admin.id) == "project-not-found"
    assert room.refused(identity.create_token, validate(NewToken, body)) == "project-not-found"


def test_lists_show_nothing_of_another_tenant(room, elsewhere):
    elsewhere.member(elsewhere.user("grace"), "read")
    elsewhere.token()
    assert [user.id for user in room.ask(identity.list_users).data] == [room.admin.id]
    assert room.ask(identity.list_users, name="grace").data == []
    assert [project.tenant_id for project in room.ask(identity.list_projects).data] == [room.tenant.id]
    assert room.ask(identity.list_members, "default").data == []
    assert room.ask(identity.list_tokens).data == []


def test_a_membership_in_one_tenant_is_none_in_another(room, elsewhere):
    user = room.user("grace")
    room.member(user, "admin")
    stranger = elsewhere.person("grace", "read")
    assert elsewhere.ask(identity.me, by=stranger).roles == {"default": Role.READ}
