"""Whose token it is, and which rights that brings."""

import pytest

from setright import identity
from setright.identity import Rotation, present
from setright.identity.store import GET_TOKEN
from setright.identity.token_text import new_secret
from setright.kernel.actor import SCOPES, Role, scopes_of
from setright.kernel.clock import SECOND, to_wire
from setright.kernel.fields import validate

MINUTE = 60 * SECOND


def kept(minutes):
    return validate(Rotation, {"keepOldMinutes": minutes})


def test_a_users_token_is_the_user(room):
    user = room.user("grace")
    issued = room.user_token(user)
    actor = room.bearer(issued.secret).actor
    assert (actor.kind, actor.id, actor.token_id) == ("user", user.id, issued.token.id)
    assert actor.tenant_id == room.tenant.id
    assert actor.is_person


def test_a_service_token_is_itself(room):
    issued = room.token()
    actor = room.bearer(issued.secret).actor
    assert (actor.kind, actor.id, actor.token_id) == ("service", issued.token.id, issued.token.id)
    assert not actor.is_person


def test_a_user_has_the_roles_of_its_memberships(room):
    room.ledger.project(room.tenant, "second")
    user = room.user("grace")
    room.member(user, "read")
    room.member(user, "admin", "second")
    actor = room.bearer(room.user_token(user).secret).actor
    assert actor.roles == {"default": Role.READ, "second": Role.ADMIN}
    assert actor.tenant_role is None


@pytest.mark.parametrize("word", ["read", "write", "admin"])
def test_a_users_role_in_the_tenant_counts_everywhere(room, word):
    actor = room.person("grace", tenant_role=word)
    assert actor.tenant_role == Role[word.upper()]
    assert actor.scopes == scopes_of(Role[word.upper()])
    assert actor.may(Role.READ, "any")


def test_an_admin_of_a_project_has_every_scope_but_admin(room):
    assert room.person("grace", "admin").scopes == set(SCOPES) - {"admin"}


def test_the_strongest_role_brings_the_scopes(room):
    room.ledger.project(room.tenant, "second")
    user = room.user("grace", "read")
    room.member(user, "write", "second")
    assert room.bearer(room.user_token(user).secret).actor.scopes == scopes_of(Role.WRITE)


def test_a_user_without_any_role_has_no_scope(room):
    assert room.person("grace").scopes == frozenset()


def test_a_users_token_can_be_narrowed_and_never_widened(room):
    user = room.user("grace", "read")
    issued = room.user_token(user, scopes=["corrections:read", "corrections:write"])
    assert room.bearer(issued.secret).actor.scopes == {"corrections:read"}


def test_a_service_token_has_its_role_in_its_project_only(room):
    actor = room.bearer(room.token(role="write").secret).actor
    assert (actor.roles, actor.tenant_role) == ({"default": Role.WRITE}, None)


def test_a_service_token_without_a_project_has_its_role_in_the_tenant(room):
    actor = room.bearer(room.token(role="read", projectId=None).secret).actor
    assert (actor.roles, actor.tenant_role) == ({}, Role.READ)


@pytest.mark.parametrize("word", ["read", "write", "admin"])
def test_a_service_token_without_chosen_scopes_has_those_of_its_role(room, word):
    assert room.bearer(room.token(role=word).secret).actor.scopes == scopes_of(Role[word.upper()])


def test_a_service_token_has_exactly_the_scopes_chosen(room):
    issued = room.token(role="write", scopes=["mcp:write", "decisions:write"])
    assert room.bearer(issued.secret).actor.scopes == {"mcp:write", "decisions:write"}
    assert issued.token.scopes == ("mcp:write", "decisions:write")


def test_a_membership_of_a_service_token_counts_beside_its_own_role(room):
    room.ledger.project(room.tenant, "second")
    issued = room.token(role="write")
    room.member(issued.token, "read")
    room.member(issued.token, "admin", "second")
    actor = room.bearer(issued.secret).actor
    assert actor.roles == {"default": Role.WRITE, "second": Role.ADMIN}
    assert "admin" not in actor.scopes


def test_a_membership_widens_the_scopes_of_a_reading_service_token(room):
    room.ledger.project(room.tenant, "second")
    issued = room.token(role="read")
    room.member(issued.token, "write", "second")
    assert room.bearer(issued.secret).actor.scopes == scopes_of(Role.WRITE)


def test_a_membership_ends_with_its_removal(room):
    user = room.user("grace")
    room.member(user, "write")
    secret = room.user_token(user).secret
    room.do(identity.remove_member, "default", "user", user.id)
    assert room.bearer(secret).actor.roles == {}


def test_a_token_works_until_it_expires(room):
    end = room.ledger.clock.now() + 60 * MINUTE
    secret = room.token(expiresAt=to_wire(end)).secret
    assert room.bearer(secret).valid_until == end
    assert room.unauthenticated(secret, later=61 * MINUTE) == "auth-expired"


def test_a_revoked_token_is_refused(room):
    issued = room.token()
    room.do(identity.revoke_token, issued.token.id)
    assert room.unauthenticated(issued.secret) == "auth-revoked"


def test_a_disabled_users_tokens_are_refused(room):
    user = room.user("grace")
    secret = room.user_token(user).secret
    room.do(identity.disable_user, user.id)
    assert room.unauthenticated(secret) == "auth-revoked"


def test_a_well_formed_token_that_nobody_made_is_refused(room):
    assert room.unauthenticated(new_secret("tok_01JZZZZZZZZZZZZZZZZZZZZZZZ")) == "auth-invalid"


def test_another_secret_of_a_real_token_tells_nothing_about_it(room):
    issued = room.token()
    room.do(identity.revoke_token, issued.token.id)
    assert room.unauthenticated(new_secret(issued.token.id)) == "auth-invalid"


def test_a_rotated_token_keeps_its_id_and_its_old_secret_for_a_while(room):
    first = room.token()
    second = room.do(identity.rotate_token, first.token.id, kept(10))
    assert second.token.id == first.token.id
    assert room.bearer(second.secret).valid_until is None
    assert room.bearer(first.secret).valid_until == second.token.old_until
    assert room.bearer(first.secret).actor == room.bearer(second.secret).actor
    assert room.unauthenticated(first.secret, later=11 * MINUTE) == "auth-expired"
    assert room.bearer(second.secret, later=11 * MINUTE).valid_until is None


def test_an_old_secret_never_outlives_its_token(room):
    end = room.ledger.clock.now() + 5 * MINUTE
    first = room.token(expiresAt=to_wire(end))
    room.do(identity.rotate_token, first.token.id, kept(60))
    assert room.bearer(first.secret).valid_until == end


def test_an_old_secret_that_is_not_kept_stops_at_once(room):
    first = room.token()
    second = room.do(identity.rotate_token, first.token.id, Rotation())
    assert room.unauthenticated(first.secret) == "auth-expired"
    assert room.bearer(second.secret)


def test_only_the_last_secret_before_a_rotation_is_kept(room):
    first = room.token()
    second = room.do(identity.rotate_token, first.token.id, kept(60))
    third = room.do(identity.rotate_token, first.token.id, kept(60))
    assert room.unauthenticated(first.secret) == "auth-invalid"
    assert room.bearer(second.secret).actor == room.bearer(third.secret).actor


def test_a_revoked_token_is_refused_with_its_old_secret_too(room):
    first = room.token()
    room.do(identity.rotate_token, first.token.id, kept(60))
    room.do(identity.revoke_token, first.token.id)
    assert room.unauthenticated(first.secret) == "auth-revoked"


def test_no_secret_is_stored(room):
    issued = room.token()
    row = room.ask(lambda at: at.one(GET_TOKEN, tenant_id=room.tenant.id, token_id=issued.token.id))
    assert issued.secret[30:73] not in repr(row)
    assert row["secret_hash"] == present(issued.secret).secret_hash
