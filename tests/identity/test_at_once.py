"""A change of rights holds from the next call on, and changes that race leave one clear outcome."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from setright import identity
from setright.app import callers
from setright.app.callers import Callers
from setright.identity import NewProject, NewToken, NewUser, ProjectChange, Rotation, present
from setright.kernel.actor import Role
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.storage import raise_identity_version
from setright.storage.kept import identity_version


def confirmed(room, kept, caller):
    """The remembered caller's rights as the next call has them."""
    return room.ledger.read(lambda at: kept.confirm(at, caller, identity_version(at)).actor)


def test_a_remembered_caller_is_refused_after_its_revocation(room):
    issued, kept = room.token(), Callers()
    caller = room.ledger.read(lambda at: kept.read(at, present(issued.secret)))
    assert confirmed(room, kept, caller).id == issued.token.id
    room.do(identity.revoke_token, issued.token.id)
    with pytest.raises(identity.AuthRevoked):
        confirmed(room, kept, caller)


def test_a_remembered_caller_has_its_new_role(room):
    user, kept = room.user("grace"), Callers()
    secret = room.user_token(user).secret
    caller = room.ledger.read(lambda at: kept.read(at, present(secret)))
    room.member(user, "write")
    assert confirmed(room, kept, caller).roles == {"default": Role.WRITE}
    room.do(identity.remove_member, "default", "user", user.id)
    assert confirmed(room, kept, caller).roles == {}


def test_every_change_makes_remembered_callers_be_read_again(room):
    user, token = room.user("grace"), room.token().token
    member = validate(identity.NewMember, {"kind": "user", "id": user.id, "role": "read"})
    new_token = validate(NewToken, {"kind": "service", "name": "agent", "role": "read"})
    changes = [
        (identity.create_tenant, f"tenant of {token.id}"),
        (identity.create_user, NewUser(name="alan")),
        (identity.create_project, NewProject(name="x")),
        (identity.rename_project, "default", ProjectChange(name="y")),
        (identity.put_member, "default", member),
        (identity.remove_member, "default", "user", user.id),
        (identity.create_token, new_token),
        (identity.rotate_token, token.id, Rotation()),
        (identity.revoke_token, token.id),
        (identity.disable_user, user.id),
    ]
    versions = [room.version()]
    for verb, *arguments in changes:
        room.do(verb, *arguments)
        versions.append(room.version())
    assert len(set(versions)) == len(changes) + 1


def test_a_change_while_a_caller_is_read_is_not_overlooked(room, monkeypatch):
    issued, kept = room.token(), Callers()

    def overtaken(at, presented):
        found = identity.authenticate(at, presented)
        raise_identity_version(at)
        return found

    monkeypatch.setattr(callers, "authenticate", overtaken)
    caller = room.ledger.write(lambda tx: kept.read(tx, present(issued.secret)))
    assert caller.version != room.version()


def race(room, *calls):
    """The outcomes of calls that start at one moment: a result, or the code of a refusal."""

    def outcome(call):
        verb, *arguments = call
        try:
            return room.do(verb, *arguments)
        except Refusal as refusal:
            return refusal.code

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(outcome, calls))


@pytest.mark.parametrize("again", range(5))
def test_of_the_last_two_admins_one_stays(room, again):
    other = room.user("grace", "admin")
    outcomes = race(room, (identity.disable_user, room.admin.id), (identity.disable_user, other.id))
    assert outcomes.count("last-admin") == 1


@pytest.mark.parametrize("again", range(5))
def test_of_many_users_of_one_name_one_is_made(room, again):
    outcomes = race(room, *[(identity.create_user, NewUser(name="grace"))] * 6)
    assert outcomes.count("user-exists") == 5


def test_of_many_equal_projects_one_is_new(room):
    new = validate(NewProject, {"id": "support", "name": "Support"})
    outcomes = race(room, *[(identity.create_project, new)] * 6)
    assert sorted(is_new for _, is_new in outcomes) == [False] * 5 + [True]
    assert len({project for project, _ in outcomes}) == 1


def test_rotations_that_race_leave_two_working_secrets_at_most(room):
    token = room.token().token
    outcomes = race(
        room, *[(identity.rotate_token, token.id, validate(Rotation, {"keepOldMinutes": 60}))] * 4
    )
    working = 0
    for issued in outcomes:
        assert isinstance(issued, identity.IssuedToken)
        try:
            working += room.bearer(issued.secret).actor.id == token.id
        except identity.AuthInvalid:
            continue
    assert working == 2
