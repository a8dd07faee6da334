"""Tenants, users, and who may manage them."""

import pytest

from setright import identity
from setright.identity import NewUser
from setright.kernel.actor import Role
from setright.kernel.fields import validate
from setright.kernel.ids import bare


def fresh(room, stem):
    return f"{stem}-{room.ledger.write(lambda tx: tx.new_id('ten'))}"


def test_bootstrap_makes_all_that_a_first_call_needs(room):
    name = fresh(room, "acme")
    made = room.ledger.write(lambda tx: identity.bootstrap(tx, name, "main", "ada"))
    actor = room.bearer(made.issued.secret).actor
    assert (made.tenant.name, made.user.name, made.project.id) == (name, "ada", "main")
    assert actor.tenant_id == made.tenant.id
    assert actor.tenant_role is Role.ADMIN
    assert room.ask(identity.get_project, "main", by=actor) == made.project
    assert room.ask(identity.me, by=actor).token == made.issued.token


def test_bootstrap_is_told_in_the_new_tenant_by_its_admin(room):
    def work(tx):
        made = identity.bootstrap(tx, fresh_name)
        return made, tx.actor, tx.events

    fresh_name = fresh(room, "acme")
    made, actor, events = room.ledger.write(work)
    assert (actor.tenant_id, actor.id) == (made.tenant.id, made.user.id)
    told = [event.kind for event in events]
    assert told == ["tenant.created", "user.created", "project.created", "token.created"]


def test_a_tenants_name_is_given_once(room):
    name = fresh(room, "acme")
    room.ledger.write(lambda tx: identity.bootstrap(tx, name))
    assert room.refused(identity.bootstrap, name) == "tenant-exists"
    assert room.refused(identity.create_tenant, name) == "tenant-exists"


def test_all_tenants_are_listed_for_the_machines_administrator(room):
    name = fresh(room, "acme")
    made = room.ledger.write(lambda tx: identity.create_tenant(tx, name))
    assert made in room.ledger.read(identity.list_tenants)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\0b", "x" * 201, "\ud800"])
def test_a_tenant_needs_a_name_that_can_be_read(room, name):
    assert room.refused(identity.create_tenant, name) == "invalid-body"


def test_an_admin_creates_users(room):
    new = validate(NewUser, {"name": "grace", "email": "grace@example.org", "role": "write"})
    user = room.do(identity.create_user, new)
    assert (user.name, user.email, user.role, user.status) == (
        "grace",
        "grace@example.org",
        Role.WRITE,
        "active",
    )
    assert room.ask(identity.get_user, user.id) == user
    assert room.ask(identity.get_user, bare(user.id)) == user
    assert room.ask(identity.get_user, bare(user.id).lower()) == user


def test_a_users_name_is_given_once_in_a_tenant(room, elsewhere):
    room.user("grace")
    assert room.refused(identity.create_user, NewUser(name="grace")) == "user-exists"
    assert elsewhere.user("grace")


def test_a_disabled_users_name_stays_taken(room):
    room.do(identity.disable_user, room.user("grace").id)
    assert room.refused(identity.create_user, NewUser(name="grace")) == "user-exists"


def test_disabling_again_is_the_same(room):
    user = room.user("grace")
    first = room.do(identity.disable_user, user.id)
    assert first.status == "disabled"
    assert room.do(identity.disable_user, bare(user.id)) == first
    assert room.told(identity.disable_user, user.id) == []


def test_the_last_admin_stays(room):
    assert room.refused(identity.disable_user, room.admin.id) == "last-admin"
    other = room.user("grace", "admin")
    assert room.do(identity.disable_user, room.admin.id).status == "disabled"
    assert room.refused(identity.disable_user, other.id) == "last-admin"


def test_only_admins_of_the_tenant_manage_users(room):
    user = room.user("grace")
    for caller in (room.person("a", "admin"), room.person("b", tenant_role="write"), room.person("c")):
        assert room.refused(identity.create_user, NewUser(name="new"), by=caller) == "permission-denied"
        assert room.refused(identity.disable_user, user.id, by=caller) == "permission-denied"


def test_admins_of_a_project_see_the_users_they_choose_among(room):
    user = room.user("grace")
    by = room.person("a", "admin")
    assert user in room.ask(identity.list_users, by=by).data
    assert room.ask(identity.get_user, user.id, by=by) == user


def test_other_users_see_themselves_only(room):
    caller = room.person("a", "write")
    assert room.ask(identity.get_user, caller.id, by=caller).name == "a"
    assert room.refused(identity.get_user, room.admin.id, by=caller) == "permission-denied"
    assert room.refused(identity.list_users, by=caller) == "permission-denied"


def test_users_are_listed_newest_first_in_pages(room):
    made = [room.user(f"user {number}").id for number in range(5)]
    first = room.ask(identity.list_users, limit=4)
    rest = room.ask(identity.list_users, first.next, 4)
    assert [user.id for user in [*first.data, *rest.data]] == [*reversed(made), room.admin.id]
    assert rest.next is None


def test_a_user_is_found_by_its_exact_name(room):
    user = room.user("grace")
    assert room.ask(identity.list_users, name="grace").data == [user]
    assert room.ask(identity.list_users, name="Grace").data == []
    assert room.ask(identity.list_users, name="\0\ud800").data == []


@pytest.mark.parametrize(
    "user_id", ["", "grace", "usr_", "usr_\0", "\ud800", "x" * 500, "prj_01JZZZZZZZZZZZZZZZZZZZZZZZ"]
)
def test_what_is_no_users_id_is_not_found(room, user_id):
    assert room.refused(identity.get_user, user_id) == "user-not-found"


def test_each_change_of_users_is_told(room):
    user = room.user("grace")
    (created,) = room.told(identity.create_user, NewUser(name="alan"))
    (disabled,) = room.told(identity.disable_user, user.id)
    assert (created.kind, created.subject_kind) == ("user.created", "user")
    assert (disabled.kind, disabled.subject_id, disabled.changed) == ("user.disabled", user.id, ("status",))
