"""Passwords, invitations and sessions of users, without the hashing: what is kept, what ends what, who may."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright import identity
from setright.identity import IssuedSession, Lasting, NewPassword, NewUser, User, UserChange, attempts
from setright.identity.passwords import LASTS
from setright.identity.sessions import FRESH, authenticate_session
from setright.kernel.clock import SECOND
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.storage import Tx
from tests.identity.conftest import Room

HOUR = 3600 * SECOND
LASTING = Lasting(idle=HOUR, whole=8 * HOUR)
HASH = "$argon2id$a"


class People:
    """The users of a room who sign in, and ways in."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.began = room.ledger.clock.now()
        self.here, self.there = (f"{place} of {room.tenant.id}" for place in ("here", "there"))

    def user(self, name: str = "bo", **more: Any) -> User:
        """A user with an address."""
        body = {"name": name, "email": f"{name}@Example.org", **more}
        return self.room.do(identity.create_user, validate(NewUser, body))

    def invited(self, user: User) -> str:
        """The secret of an invitation."""
        return self.room.do(identity.invite_user, user.id).secret

    def with_password(self, name: str = "bo", **more: Any) -> User:
        """A user who has a password."""
        user = self.user(name, **more)
        self.set(self.invited(user))
        return user

    def set(self, invitation: str, hashed: str = HASH) -> IssuedSession:
        """A session of whose invitation that is."""
        return self.anybody(lambda tx: identity.set_password(tx, invitation, hashed, LASTING))

    def anybody(self, work: Callable[[Tx], Any], later: int = 0) -> Any:
        """`work` by nobody in particular, `later` microseconds after the beginning: only what a test says is waited."""

        def at_a_time(tx: Tx) -> Any:
            tx.now = self.began + later
            return work(tx)

        return self.room.ledger.write(at_a_time)

    def begin(self, email: str, address: str | None = None, later: int = 0) -> identity.Entrance:
        """A try to sign in."""
        tenant = self.room.tenant.id
        return self.anybody(lambda tx: identity.begin_sign_in(tx, email, tenant, address or self.here), later)

    def sign_in(self, email: str, address: str | None = None, later: int = 0) -> IssuedSession:
        """A session of whose address that is, the password being right."""
        entrance = self.begin(email, address, later)
        return self.anybody(lambda tx: identity.open_session(tx, entrance, LASTING), later)

    def refused(self, work: Callable[[], Any]) -> str:
        """The code of a refusal."""
        with pytest.raises(Refusal) as caught:
            work()
        return caught.value.code


@pytest.fixture
def people(room: Room) -> People:
    return People(room)


def test_an_invitation_lets_set_a_password_once(people: People) -> None:
    user = people.user()
    invitation = people.invited(user)
    opened = people.set(invitation)
    assert (opened.session.user_id, opened.session.tenant_id) == (user.id, people.room.tenant.id)
    assert people.refused(lambda: people.set(invitation)) == "invitation-refused"
    assert people.sign_in("BO@example.ORG ").session.user_id == user.id


@pytest.mark.parametrize("wrong", ["", "sri_", "srt_" + "0" * 75, "sri_" + "0" * 75, "x" * 79])
def test_what_is_no_invitation_lets_nobody_in(people: People, wrong: str) -> None:
    assert people.refused(lambda: people.set(wrong)) == "invitation-refused"


def test_a_later_invitation_replaces_the_earlier(people: People) -> None:
    user = people.user()
    first, second = people.invited(user), people.invited(user)
    assert people.refused(lambda: people.set(first)) == "invitation-refused"
    assert people.set(second)


def test_an_invitation_ends_after_a_day(people: People) -> None:
    invitation = people.invited(people.user())
    late = people.refused(
        lambda: people.anybody(lambda tx: identity.set_password(tx, invitation, HASH, LASTING), LASTS + HOUR)
    )
    assert late == "invitation-refused"


def test_an_invitation_is_for_who_can_sign_in(people: People) -> None:
    room = people.room
    nameless, gone = room.user("nameless"), people.user("gone")
    room.do(identity.disable_user, gone.id)
    assert room.refused(identity.invite_user, nameless.id) == "email-missing"
    assert room.refused(identity.invite_user, gone.id) == "user-disabled"
    assert room.refused(identity.invite_user, "nobody") == "user-not-found"


def test_only_an_admin_in_person_invites(people: People) -> None:
    room, user = people.room, people.user()
    service = room.bearer(room.token(role="admin", projectId=None).secret).actor
    assert room.refused(identity.invite_user, user.id, by=service) == "permission-denied"
    writer = room.person("wu", "admin")
    assert room.refused(identity.invite_user, user.id, by=writer) == "permission-denied"
    narrowed = room.bearer(
        room.user_token(room.user("adm", "admin"), scopes=["corrections:read"]).secret
    ).actor
    assert room.refused(identity.invite_user, user.id, by=narrowed) == "scope-missing"
    ending = replace(room.admin, ends_at=2**52)
    assert room.refused(identity.invite_user, user.id, by=ending) == "permission-denied"


def test_an_invitation_of_another_tenant_does_not_exist(people: People, elsewhere: Room) -> None:
    assert elsewhere.refused(identity.invite_user, people.user().id) == "user-not-found"


def test_a_session_acts_as_the_person(people: People) -> None:
    room = people.room
    user = people.with_password("bo", role="write")
    room.member(user, "admin")
    actor = room.bearer(people.sign_in("bo@example.org").secret).actor
    token = room.bearer(room.user_token(user).secret).actor
    assert replace(actor, token_id="") == replace(token, token_id="")
    assert actor.is_person


def test_a_session_ends_by_itself(people: People) -> None:
    room = people.room
    people.with_password()
    secret = people.sign_in("bo@example.org").secret
    assert room.bearer(secret, LASTING.idle - SECOND)
    assert room.unauthenticated(secret, LASTING.idle + SECOND) == "auth-expired"
    session = room.bearer(secret).actor.token_id
    for hour in range(1, 9):
        people.anybody(
            lambda tx: identity.see_session(tx, room.tenant.id, session), hour * HOUR - 60 * SECOND
        )
    assert room.bearer(secret, 8 * HOUR - SECOND)
    assert room.unauthenticated(secret, 8 * HOUR + SECOND) == "auth-expired"


def test_a_session_is_seen_only_later(people: People) -> None:
    room = people.room
    people.with_password()
    opened = people.sign_in("bo@example.org")
    room.ledger.write(lambda tx: identity.see_session(tx, room.tenant.id, opened.session.id))
    people.anybody(lambda tx: identity.see_session(tx, room.tenant.id, opened.session.id), -HOUR)
    assert room.bearer(opened.secret, LASTING.idle - SECOND)


def test_a_fresh_session_is_worth_the_password(people: People) -> None:
    people.with_password()
    opened = people.sign_in("bo@example.org")
    fresh = people.room.bearer(opened.secret)
    assert fresh.actor.ends_at is None
    assert fresh.valid_until == opened.session.created_at + FRESH
    later = people.room.bearer(opened.secret, FRESH + SECOND)
    assert later.actor.ends_at == opened.session.expires_at


def test_an_ended_session_lets_nobody_in(people: People) -> None:
    room = people.room
    people.with_password()
    opened = people.sign_in("bo@example.org")
    bo, before = room.bearer(opened.secret).actor, room.version()
    ended = room.do(identity.end_session, "current", by=bo)
    assert ended.ended_at
    assert room.version() != before
    assert room.do(identity.end_session, opened.session.id, by=bo) == ended
    assert room.unauthenticated(opened.secret) == "auth-revoked"


def test_only_the_person_and_an_admin_end_a_session(people: People, elsewhere: Room) -> None:
    room = people.room
    people.with_password()
    opened = people.sign_in("bo@example.org")
    other = room.person("cy", "admin")
    assert room.refused(identity.end_session, opened.session.id, by=other) == "permission-denied"
    assert elsewhere.refused(identity.end_session, opened.session.id) == "session-not-found"
    assert room.refused(identity.end_session, "current") == "session-not-found"
    assert room.refused(identity.end_session, "x" * 300) == "session-not-found"
    assert room.do(identity.end_session, opened.session.id.removeprefix("ses_")).ended_at


def test_sessions_are_listed_to_whom_they_belong(people: People, elsewhere: Room) -> None:
    room = people.room
    user = people.with_password()
    opened = [people.sign_in("bo@example.org") for _ in range(3)]
    bo = room.bearer(opened[0].secret).actor
    room.do(identity.end_session, opened[1].session.id, by=bo)
    listed = room.ask(identity.list_sessions, by=bo).data
    assert opened[0].session in listed
    assert opened[1].session.id not in {session.id for session in listed}
    assert len(listed) == 3
    first = room.ask(identity.list_sessions, None, 2, by=bo)
    assert [*first.data, *room.ask(identity.list_sessions, first.next, 2, by=bo).data] == list(listed)
    assert room.ask(identity.list_sessions, user_id=user.id).data == listed
    cy = room.person("cy", "admin")
    assert room.refused(lambda tx: identity.list_sessions(tx, user_id=user.id), by=cy) == "permission-denied"
    assert elsewhere.refused(lambda tx: identity.list_sessions(tx, user_id=user.id)) == "user-not-found"


def test_a_password_set_anew_ends_every_session(people: People) -> None:
    room = people.room
    user = people.with_password()
    old = people.sign_in("bo@example.org").secret
    entrance = people.begin("bo@example.org")
    fresh = people.anybody(lambda tx: identity.change_password(tx, entrance, "other", LASTING))
    assert room.unauthenticated(old) == "auth-revoked"
    assert room.bearer(fresh.secret)
    people.set(people.invited(user))
    assert room.unauthenticated(fresh.secret) == "auth-revoked"


def test_a_hash_that_changed_meanwhile_was_not_right(people: People) -> None:
    user = people.with_password()
    entrance = people.begin("bo@example.org")
    people.set(people.invited(user), "another")
    assert (
        people.refused(lambda: people.anybody(lambda tx: identity.open_session(tx, entrance, LASTING)))
        == "sign-in-refused"
    )


def test_a_better_hash_takes_the_place_of_the_old(people: People) -> None:
    people.with_password()
    entrance = people.begin("bo@example.org")
    people.anybody(lambda tx: identity.open_session(tx, entrance, LASTING, "better"))
    assert people.begin("bo@example.org").password_hash == "better"


def test_who_is_disabled_is_signed_out_and_has_no_password(people: People) -> None:
    room, user = people.room, people.with_password()
    opened, invitation = people.sign_in("bo@example.org"), people.invited(user)
    room.do(identity.disable_user, user.id)
    assert room.unauthenticated(opened.secret) == "auth-revoked"
    assert people.begin("bo@example.org").password_hash is None
    assert people.refused(lambda: people.set(invitation)) == "invitation-refused"


def test_nobody_signs_in_by_the_address_of_another(people: People) -> None:
    room = people.room
    people.with_password()
    other = people.user("cy", email="bo@EXAMPLE.org")
    assert room.refused(identity.invite_user, other.id) == "email-taken"
    di = people.with_password("di")
    taking = validate(UserChange, {"email": "Bo@example.org"})
    assert room.refused(identity.change_user, di.id, taking) == "email-taken"
    room.do(identity.change_user, di.id, validate(UserChange, {"email": "di@other.example"}))
    assert people.begin("di@example.org").user is None
    assert people.sign_in("DI@other.example").session.user_id == di.id


def test_unknown_people_are_nobody(people: People, elsewhere: Room) -> None:
    people.with_password()
    people.user("cy")
    for email in ("who@example.org", "cy@example.org", "bo"):
        assert (people.begin(email).user, people.begin(email).password_hash) == (None, None)
    assert People(elsewhere).begin("bo@example.org").user is None


def test_the_tenant_is_told_by_its_name_or_id(people: People) -> None:
    user, ledger = people.with_password(), people.room.ledger

    def begin(tenant: str | None) -> User | None:
        return ledger.write(lambda tx: identity.begin_sign_in(tx, "bo@example.org", tenant, people.here)).user

    tenants = ledger.read(identity.list_tenants)
    (name,) = (tenant.name for tenant in tenants if tenant.id == user.tenant_id)
    assert begin(name) == begin(user.tenant_id) == user
    assert begin("nowhere") is None
    assert begin(None) == (user if len(tenants) == 1 else None)


def test_wrong_tries_make_the_next_wait(people: People) -> None:
    people.with_password()
    for _ in range(attempts.FREE["pair"]):
        people.begin("bo@example.org", people.there)
    assert people.refused(lambda: people.begin("bo@example.org", people.there)) == "sign-in-slowed"
    assert people.begin("bo@example.org", people.there, later=2 * SECOND)
    assert people.sign_in("bo@example.org", people.there, later=5 * SECOND)


def test_a_stranger_slows_nobody_where_they_came_in_before(people: People) -> None:
    people.with_password()
    people.sign_in("bo@example.org", people.here)
    slowed = 0
    for number in range(3 * attempts.FREE["account"]):
        try:
            people.begin("bo@example.org", f"{number} of {people.here}")
        except Refusal:
            slowed += 1
    assert slowed == 2 * attempts.FREE["account"]
    assert people.sign_in("bo@example.org", people.here)
    assert people.begin("bo@example.org", "another place")


def test_an_address_that_tries_many_accounts_is_slowed(people: People) -> None:
    people.with_password()
    known = people.here
    people.sign_in("bo@example.org", known)
    for number in range(attempts.FREE["address"] - 1):
        people.begin(f"somebody{number}@example.org", known)
    code = people.refused(lambda: people.begin("another@example.org", known))
    assert code == "sign-in-slowed"
    assert people.sign_in("bo@example.org", known)


def test_tries_are_forgotten_after_a_day(people: People) -> None:
    people.with_password()
    for _ in range(attempts.FREE["pair"]):
        people.begin("bo@example.org", people.there)
    day = 24 * HOUR + SECOND
    for _ in range(attempts.FREE["pair"]):
        people.begin("bo@example.org", people.there, later=day)
    dropped = people.anybody(identity.drop_old, 3 * day)
    assert dropped >= 3


def test_the_tenant_hears_of_it_once(people: People) -> None:
    people.with_password()
    told = [people.begin("bo@example.org", people.there, later=n * 400 * SECOND).slows_now for n in range(12)]
    assert told.count(True) == 2
    assert told[attempts.FREE["pair"] - 1]


@pytest.mark.parametrize("kind", sorted(attempts.FREE))
def test_the_wait_grows_and_has_an_end(kind: str) -> None:
    waits = [attempts.seconds_to_wait(kind, tries) for tries in range(200)]
    assert waits == sorted(waits)
    assert waits[attempts.FREE[kind] - 1] == 0
    assert waits[attempts.FREE[kind]] == 1
    assert waits[-1] == attempts.LONGEST[kind] <= 300


@pytest.mark.parametrize(
    "password",
    [
        "elevenchars",
        "a" * 30,
        "abababababab",
        "password1234",
        "PassWord1234!!",
        "q" * 1025,
        "\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19\uff10\uff11\uff12",
    ],
)
def test_what_is_no_password(password: str) -> None:
    with pytest.raises(Refusal) as caught:
        validate(NewPassword, {"invitation": "sri_x", "password": password})
    (fault,) = caught.value.details["faults"]
    assert fault["pointer"] == "/password"
    assert password not in str(caught.value.details) + caught.value.message


@pytest.mark.parametrize(
    "password",
    ["four words are fine", "x7" * 6 + "yz", "🦊 fox and 🦉 owl", "ß" * 4 + "abc def gh", "ab cd" * 200],
)
def test_any_characters_make_a_password(password: str) -> None:
    assert validate(NewPassword, {"invitation": "sri_x", "password": password}).password == password


def test_ones_own_name_is_no_password() -> None:
    own = ("Maria Montessori", "maria.montessori@example.org")
    for password in ("maria montessori", "Maria.Montessori@example.org", "MARIA.montessori"):
        assert identity.password_fault(password, own)
    assert identity.password_fault("maria montessori's", own) is None


@pytest.mark.parametrize(
    "body", [{}, {"email": "a@b"}, {"oldPassword": "x"}, {"invitation": "i", "email": "a@b"}]
)
def test_a_password_is_set_by_one_way(body: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        validate(NewPassword, {"password": "four words are fine", **body})


@given(st.text(max_size=40), st.text(max_size=40))
def test_keys_of_different_people_differ(account: str, address: str) -> None:
    keys = attempts.keys_of(account, address)
    assert len(set(keys.values())) == 3
    assert attempts.keys_of(account + "x", address)["account"] != keys["account"]
    assert attempts.keys_of(account, address + "x")["pair"] != keys["pair"]


def test_a_session_with_another_secret_is_unknown(people: People) -> None:
    people.with_password()
    first, second = people.sign_in("bo@example.org"), people.sign_in("bo@example.org")
    mixed = replace(identity.present(first.secret), token_id=second.session.id)
    code = people.refused(lambda: people.room.ledger.read(lambda at: authenticate_session(at, mixed)))
    assert code == "auth-invalid"
