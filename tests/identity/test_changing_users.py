"""Another name, address or role for a user: who may, what follows, and what is refused."""

from typing import Any

import pytest

from setright import identity
from setright.identity import UserChange
from setright.kernel.actor import Role
from setright.kernel.errors import ChangedMeanwhile, Refusal
from setright.kernel.fields import validate


def change(room: Any, user_id: str, by: Any = None, known: Any = None, **body: Any) -> Any:
    return room.do(identity.change_user, user_id, validate(UserChange, body), known, by=by)


def refused(room: Any, user_id: str, by: Any = None, **body: Any) -> str:
    with pytest.raises(Refusal) as caught:
        change(room, user_id, by, **body)
    return caught.value.code


def test_an_admin_gives_another_name_address_and_role(room):
    user = room.user("grace")
    changed = change(room, user.id, name="Grace H.", email="grace@example.org", role="write")
    assert (changed.name, changed.email, changed.role) == ("Grace H.", "grace@example.org", Role.WRITE)
    assert changed.updated_at > user.updated_at == user.created_at == changed.created_at
    assert room.ask(identity.get_user, user.id) == changed


def test_what_is_left_out_stays_and_null_lifts(room):
    user = change(room, room.user("grace", "write").id, email="grace@example.org")
    assert user.role is Role.WRITE
    lifted = change(room, user.id, email=None, role=None)
    assert (lifted.name, lifted.email, lifted.role) == ("grace", None, None)


@pytest.mark.parametrize(
    "body", [{}, {"name": None}, {"name": ""}, {"role": "owner"}, {"email": "no address"}]
)
def test_what_is_no_change_is_refused(room, body):
    assert refused(room, room.user("grace").id, **body) == "invalid-body"


def test_the_same_again_changes_nothing_and_is_not_told(room):
    user = room.user("grace", "write")
    same = validate(UserChange, {"name": "grace", "role": "write"})
    assert room.told(identity.change_user, user.id, same) == []
    assert room.ask(identity.get_user, user.id) == user


def test_a_change_is_told_by_the_names_of_its_fields(room):
    user = room.user("grace")
    (event,) = room.told(identity.change_user, user.id, validate(UserChange, {"name": "G", "role": "read"}))
    assert (event.kind, event.subject_id, event.changed) == ("user.changed", user.id, ("name", "role"))


def test_another_role_counts_at_once_for_every_token_of_the_user(room):
    user = room.user("grace", "read")
    issued = room.user_token(user)
    before = room.version()
    change(room, user.id, role="admin")
    assert room.version() != before
    assert room.bearer(issued.secret).actor.tenant_role is Role.ADMIN
    change(room, user.id, role=None)
    assert room.bearer(issued.secret).actor.scopes == frozenset()


def test_a_name_is_taken_by_one_user_also_by_one_who_was_disabled(room):
    user = room.user("grace")
    room.do(identity.disable_user, room.user("alan").id)
    assert refused(room, user.id, name="alan") == "user-exists"
    assert refused(room, user.id, name="ada") == "user-exists"


def test_the_last_admin_stays_one(room):
    assert refused(room, room.admin.id, role="write") == "last-admin"
    assert change(room, room.admin.id, role="admin", name="Root").name == "Root"
    room.user("grace", "admin")
    assert change(room, room.admin.id, role=None).role is None


def test_a_disabled_user_stays_as_it_was(room):
    user = room.user("grace")
    room.do(identity.disable_user, user.id)
    assert refused(room, user.id, name="G") == "user-disabled"


def test_only_an_admin_of_the_tenant_changes_users_not_even_themselves(room):
    user = room.user("grace")
    runner, writer = room.person("a", "admin"), room.person("b", tenant_role="write")
    for caller in (runner, writer):
        assert refused(room, user.id, caller, name="G") == "permission-denied"
        assert refused(room, caller.id, caller, role="admin") == "permission-denied"
    narrowed = room.bearer(room.user_token(room.user("c", "admin"), scopes=["corrections:write"]).secret)
    assert refused(room, user.id, narrowed.actor, name="G") == "scope-missing"


def test_another_tenants_user_is_not_there(room, elsewhere):
    assert refused(room, elsewhere.user("grace").id, name="G") == "user-not-found"


def test_what_was_changed_since_it_was_read_is_not_changed(room):
    user = room.user("grace")
    known = {user.updated_at}
    changed = change(room, user.id, known=known, name="Grace")
    with pytest.raises(ChangedMeanwhile) as caught:
        change(room, user.id, known=known, name="Greta")
    assert caught.value.current == changed
    assert change(room, user.id, known={changed.updated_at}, name="Greta").name == "Greta"


def test_who_was_shut_out_was_changed_too(room):
    user = room.user("grace")
    gone = room.do(identity.disable_user, user.id)
    assert gone.updated_at == gone.disabled_at > user.updated_at
    assert room.ask(identity.get_user, user.id) == gone
