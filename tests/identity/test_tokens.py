"""Tokens: who makes, sees, rotates and revokes them, and that nobody hands on a right that they lack."""

import pytest

from setright import identity
from setright.identity import NewMember, NewToken, NewUser, Rotation
from setright.kernel.actor import Role, scopes_of
from setright.kernel.clock import to_wire
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.kernel.ids import bare

SERVICE = {"kind": "service", "name": "agent", "projectId": "default", "role": "write"}


def refused(room, by, **body):
    """The refusal of a new token."""
    with pytest.raises(Refusal) as caught:
        room.do(identity.create_token, validate(NewToken, body), by=by)
    return caught.value


def test_a_user_makes_tokens_for_itself(room):
    caller = room.person("grace", "read")
    issued = room.do(identity.create_token, NewToken(kind="user", name="laptop"), by=caller)
    assert issued.token.user_id == caller.id
    assert (issued.token.created_by_kind, issued.token.created_by_id) == ("user", caller.id)
    assert room.bearer(issued.secret).actor.id == caller.id


def test_only_an_admin_of_the_tenant_makes_tokens_for_others(room):
    user = room.user("grace")
    for caller in (room.person("a", "admin"), room.person("b", tenant_role="write")):
        refusal = refused(room, caller, kind="user", name="x", userId=user.id)
        assert (refusal.code, refusal.details["needs"]) == ("permission-denied", "admin")
    assert room.bearer(room.user_token(user).secret).actor.id == user.id


def test_an_admin_of_a_project_makes_service_tokens_for_it(room):
    room.ledger.project(room.tenant, "second")
    by = room.person("a", "admin")
    assert room.token(by).token.project_id == "default"
    assert refused(room, by, **SERVICE | {"projectId": "second"}).details["projectId"] == "second"
    assert refused(room, by, kind="service", name="x", role="read").code == "permission-denied"


def test_a_writer_makes_no_service_tokens(room):
    assert refused(room, room.person("a", "write"), **SERVICE).code == "permission-denied"


def test_no_scope_is_given_that_the_caller_lacks(room):
    by = room.person("a", "admin")
    chosen = refused(room, by, **SERVICE, scopes=["corrections:read", "admin"])
    implied = refused(room, by, **SERVICE | {"role": "admin"})
    for refusal in (chosen, implied):
        assert (refusal.code, refusal.details["beyond"]) == ("permission-denied", ["admin"])
        assert "the scopes admin" in refusal.message
    assert room.token(by, role="admin", scopes=["corrections:write"]).token.scopes == ("corrections:write",)


def test_a_user_cannot_give_itself_a_scope_that_it_lacks(room):
    refusal = refused(room, room.person("a", "read"), kind="user", name="x", scopes=["corrections:write"])
    assert refusal.details["beyond"] == ["corrections:write"]


def test_a_narrowed_token_changes_nothing_about_identity(room):
    user = room.user("grace", "admin")
    caller = room.bearer(room.user_token(user, scopes=["corrections:read", "corrections:write"]).secret).actor
    assert refused(room, caller, kind="user", name="x").code == "scope-missing"
    assert room.refused(identity.create_user, NewUser(name="new"), by=caller) == "scope-missing"
    assert room.refused(identity.disable_user, user.id, by=caller) == "scope-missing"


def test_a_token_narrowed_to_all_that_its_user_has_today_is_narrowed_all_the_same(room):
    user = room.user("grace")
    room.member(user, "read")
    scopes = sorted(scopes_of(Role.READ))
    caller = room.bearer(room.user_token(user, scopes=scopes).secret).actor
    assert caller.scopes == frozenset(scopes)
    assert refused(room, caller, kind="user", name="whole").code == "scope-missing"
    assert refused(room, caller, kind="user", name="narrow", scopes=scopes).code == "scope-missing"


def test_a_narrowed_token_does_not_see_whom_else_there_is(room):
    user = room.user("grace", "admin")
    other = room.token().token
    issued = room.user_token(user, scopes=["corrections:read"])
    caller = room.bearer(issued.secret).actor
    assert room.refused(identity.list_users, by=caller) == "scope-missing"
    assert room.refused(identity.get_user, room.admin.id, by=caller) == "scope-missing"
    assert room.refused(identity.get_token, other.id, by=caller) == "scope-missing"
    assert room.ask(identity.get_user, user.id, by=caller) == user
    assert room.ask(identity.get_token, issued.token.id, by=caller) == issued.token
    assert {token.user_id for token in room.ask(identity.list_tokens, by=caller).data} == {user.id}


def test_an_assistant_sees_whom_else_there_is_by_the_scope_admin(room):
    plain = room.bearer(room.token(role="admin", projectId=None, scopes=["corrections:write"]).secret).actor
    whole = room.bearer(room.token(role="admin", projectId=None).secret).actor
    assert room.refused(identity.list_users, by=plain) == "scope-missing"
    assert [token.id for token in room.ask(identity.list_tokens, by=plain).data] == [plain.token_id]
    assert room.ask(identity.list_users, by=whole).data
    assert len(room.ask(identity.list_tokens, by=whole).data) == 2


def test_a_token_narrowed_to_admin_may_do_what_its_user_may(room):
    user = room.user("grace", "admin")
    caller = room.bearer(room.user_token(user, scopes=["admin"]).secret).actor
    assert room.do(identity.create_user, NewUser(name="new"), by=caller)


def test_an_assistant_needs_the_scope_admin(room):
    plain = room.bearer(room.token(role="admin", projectId=None, scopes=["corrections:write"]).secret).actor
    whole = room.bearer(room.token(role="admin", projectId=None).secret).actor
    assert refused(room, plain, **SERVICE).code == "scope-missing"
    assert room.refused(identity.revoke_token, plain.token_id, by=plain) == "scope-missing"
    assert room.token(whole).token.created_by_id == whole.id


def test_an_assistant_that_runs_a_project_still_needs_the_scope_admin(room):
    issued = room.token(role="read")
    room.member(issued.token, "admin")
    caller = room.bearer(issued.secret).actor
    new = validate(NewMember, {"kind": "service", "id": issued.token.id, "role": "admin"})
    assert room.refused(identity.put_member, "default", new, by=caller) == "scope-missing"


def test_an_assistant_never_gets_the_secret_of_a_users_token(room):
    assistant = room.bearer(room.token(role="admin", projectId=None).secret).actor
    user = room.user("grace")
    token = room.user_token(user).token
    refusal = refused(room, assistant, kind="user", name="x", userId=user.id)
    assert refusal.code == "permission-denied"
    assert "A person does this" in refusal.message
    assert room.refused(identity.rotate_token, token.id, Rotation(), by=assistant) == "permission-denied"
    assert room.do(identity.revoke_token, token.id, by=assistant).status == "revoked"


def test_a_disabled_user_gets_no_token(room):
    user = room.user("grace")
    room.do(identity.disable_user, user.id)
    assert refused(room, room.admin, kind="user", name="x", userId=user.id).code == "user-disabled"


def test_a_token_for_what_does_not_exist_is_refused(room):
    assert refused(room, room.admin, **SERVICE | {"projectId": "unknown"}).code == "project-not-found"
    assert refused(room, room.admin, kind="user", name="x", userId="unknown").code == "user-not-found"


def test_a_tokens_end_lies_in_the_future(room):
    refusal = refused(room, room.admin, **SERVICE, expiresAt="2020-01-01T00:00:00Z")
    assert refusal.details["faults"][0]["pointer"] == "/expiresAt"
    now = room.ledger.clock.now()
    assert refused(room, room.admin, **SERVICE, expiresAt=to_wire(now)).code == "invalid-body"


def test_a_project_of_ours_is_taken_without_its_prefix(room):
    project, _ = room.do(identity.create_project, identity.NewProject(name="Support"))
    assert room.token(projectId=bare(project.id).lower()).token.project_id == project.id


def test_revoking_again_is_the_same(room):
    token = room.token().token
    first = room.do(identity.revoke_token, token.id)
    assert first.status == "revoked"
    assert room.do(identity.revoke_token, bare(token.id)) == first
    assert room.told(identity.revoke_token, token.id) == []


def test_a_revoked_token_is_not_rotated(room):
    token = room.token().token
    room.do(identity.revoke_token, token.id)
    assert room.refused(identity.rotate_token, token.id, Rotation()) == "token-revoked"


def test_an_expired_token_is_not_rotated(room):
    token = room.token(expiresAt=to_wire(room.ledger.clock.now() + 3_000_000)).token

    def later(tx):
        tx.now += 10_000_000
        return identity.rotate_token(tx, token.id, Rotation())

    assert room.refused(later) == "token-expired"


def test_users_keep_their_own_tokens_and_nobody_elses(room):
    caller, other = room.person("a", "write"), room.person("b", "write")
    assert room.do(identity.rotate_token, caller.token_id, Rotation(), by=caller).token.id == caller.token_id
    assert room.do(identity.revoke_token, caller.token_id, by=caller).status == "revoked"
    for verb, more in (
        (identity.revoke_token, ()),
        (identity.rotate_token, (Rotation(),)),
        (identity.get_token, ()),
    ):
        assert room.refused(verb, other.token_id, *more, by=caller) == "permission-denied"


def test_a_user_revokes_one_of_its_tokens_by_another(room):
    user = room.user("grace")
    lost, found = room.user_token(user), room.user_token(user)
    by = room.bearer(found.secret).actor
    assert room.do(identity.revoke_token, lost.token.id, by=by).status == "revoked"
    assert room.bearer(found.secret)


def test_an_admin_of_the_tenant_keeps_every_token(room):
    caller = room.person("a", "write")
    assert room.do(identity.rotate_token, caller.token_id, Rotation()).token.user_id == caller.id
    assert room.do(identity.revoke_token, caller.token_id).status == "revoked"


def test_an_admin_of_a_project_keeps_its_service_tokens(room):
    room.ledger.project(room.tenant, "second")
    by = room.person("a", "admin")
    here, there, everywhere = (
        room.token().token,
        room.token(projectId="second").token,
        room.token(projectId=None).token,
    )
    assert room.do(identity.rotate_token, here.id, Rotation(), by=by)
    assert room.do(identity.revoke_token, here.id, by=by)
    for token in (there, everywhere):
        assert room.refused(identity.revoke_token, token.id, by=by) == "permission-denied"


def test_nobody_takes_over_a_token_with_more_rights_by_rotating_it(room):
    room.ledger.project(room.tenant, "second")
    by = room.person("a", "admin")
    wide, strong = room.token().token, room.token(role="admin").token
    room.member(wide, "write", "second")
    assert room.refused(identity.rotate_token, wide.id, Rotation(), by=by) == "permission-denied"
    assert room.refused(identity.rotate_token, strong.id, Rotation(), by=by) == "permission-denied"
    assert room.do(identity.revoke_token, wide.id, by=by)


def test_a_caller_lists_the_tokens_it_keeps(room):
    room.ledger.project(room.tenant, "second")
    runner, writer = room.person("a", "admin"), room.person("b", "write")
    here = room.token().token
    there = room.token(projectId="second").token
    assistant = room.bearer(room.token(projectId=None, role="read").secret).actor

    def listed(by):
        return [token.id for token in room.ask(identity.list_tokens, by=by).data]

    assert listed(room.admin) == [assistant.id, there.id, here.id, writer.token_id, runner.token_id]
    assert listed(runner) == [here.id, runner.token_id]
    assert listed(writer) == [writer.token_id]
    assert listed(assistant) == [assistant.id]


def test_tokens_are_listed_in_pages(room):
    made = [room.token().token.id for _ in range(5)]
    first = room.ask(identity.list_tokens, limit=3)
    rest = room.ask(identity.list_tokens, first.next, 3)
    assert [token.id for token in [*first.data, *rest.data]] == made[::-1]
    assert room.ask(identity.get_token, bare(made[0])).id == made[0]


def test_each_change_of_tokens_is_told(room):
    token = room.token().token
    told = [
        *room.told(identity.create_token, validate(NewToken, SERVICE)),
        *room.told(identity.rotate_token, token.id, Rotation()),
        *room.told(identity.revoke_token, token.id),
    ]
    assert [event.kind for event in told] == ["token.created", "token.rotated", "token.revoked"]
    assert {(event.subject_kind, event.project_id) for event in told} == {("token", "default")}
    assert (told[2].subject_id, told[2].changed) == (token.id, ("status",))


def test_me_says_who_calls_with_which_rights(room):
    user = room.user("grace")
    room.member(user, "write")
    issued = room.user_token(user, scopes=["corrections:read"])
    me = room.ask(identity.me, by=room.bearer(issued.secret).actor)
    assert (me.kind, me.id, me.name, me.tenant.id) == ("user", user.id, "grace", room.tenant.id)
    assert (me.token, me.scopes) == (issued.token, ("corrections:read",))
    assert {project: role.word for project, role in me.roles.items()} == {"default": "write"}


def test_me_names_a_service_by_its_token(room):
    issued = room.token(name="agent 7", projectId=None)
    me = room.ask(identity.me, by=room.bearer(issued.secret).actor)
    assert (me.kind, me.id, me.name) == ("service", issued.token.id, "agent 7")
    assert me.tenant_role is not None


def test_nobody_has_no_name(room):
    with pytest.raises(identity.AuthMissing):
        room.ledger.read(identity.me)
