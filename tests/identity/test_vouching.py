"""Users for whom an issuer vouches: who is meant, what they may, and who is nobody here."""

from typing import Any

import pytest

from setright import identity
from setright.identity import Authenticated, NewUser, Presented, User, UserChange, Vouched
from setright.kernel.clock import SECOND
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.storage import Snapshot
from tests.identity.conftest import Room

HOUR = 3600 * SECOND


def user(room: Room, name: str = "bo", **more: Any) -> User:
    """A user with an address and an id at the issuer."""
    body = {"name": name, "email": f"{name}@Example.org", "externalId": f"ext-{name}", **more}
    return room.do(identity.create_user, validate(NewUser, body))


def let_in(room: Room, later: int = 0, **said: Any) -> Authenticated:
    """Whom a token lets in that says this."""

    def read(at: Snapshot) -> Authenticated:
        at.now += later
        now = at.now - later
        whole = {
            "tenant": room.tenant.id,
            "email": "bo@example.org",
            "external_id": None,
            "scopes": None,
            "expires_at": now + HOUR,
            "again_at": now + HOUR // 12,
            **said,
        }
        return identity.authenticate(at, Presented("", "hash", Vouched(**whole)))

    return room.ledger.read(read)


def refused(room: Room, later: int = 0, **said: Any) -> str:
    """The code with which a token is refused."""
    with pytest.raises(Refusal) as caught:
        let_in(room, later, **said)
    assert caught.value.kind == "unauthenticated"
    return caught.value.code


def test_a_user_is_meant_by_address_or_id(room: Room) -> None:
    bo = user(room, role="write")
    by_address = let_in(room, email="BO@example.org")
    by_id = let_in(room, email=None, external_id="ext-bo")
    assert by_address.actor == by_id.actor
    assert (by_id.actor.kind, by_id.actor.id, by_id.actor.is_person) == ("user", bo.id, True)


def test_the_rights_are_the_users_and_no_more_than_the_token_allows(room: Room) -> None:
    bo = user(room)
    room.member(bo, "write")
    whole = let_in(room).actor
    assert (whole.roles, whole.narrowed) == (
        {"default": room.ask(identity.list_members, "default").data[0].role},
        False,
    )
    narrow = let_in(room, scopes=frozenset({"corrections:read", "admin"})).actor
    assert (narrow.scopes, narrow.narrowed) == ({"corrections:read"}, True)
    assert let_in(room, scopes=frozenset()).actor.scopes == frozenset()
    assert room.refused(identity.create_user, validate(NewUser, {"name": "x"}), by=narrow) == "scope-missing"


def test_who_is_nobody_here_is_made_nobody(room: Room, elsewhere: Room) -> None:
    user(room)
    before = room.ask(identity.list_users).data
    nobodies: tuple[dict[str, Any], ...] = (
        {"email": "who@example.org"},
        {"email": None, "external_id": "ext-who"},
        {"tenant": "nowhere"},
    )
    for said in nobodies:
        assert refused(room, **said) == "auth-invalid"
    assert refused(elsewhere) == "auth-invalid"
    assert room.ask(identity.list_users).data == before


def test_an_address_of_two_users_means_neither(room: Room) -> None:
    user(room)
    user(room, "cy", email="bo@EXAMPLE.org")
    assert refused(room) == "auth-invalid"
    assert let_in(room, email=None, external_id="ext-cy")


def test_a_disabled_user_is_out(room: Room) -> None:
    bo = user(room)
    room.do(identity.disable_user, bo.id)
    assert refused(room) == "auth-revoked"
    assert refused(room, email=None, external_id="ext-bo") == "auth-revoked"


def test_it_lasts_as_long_as_the_token(room: Room) -> None:
    user(room)
    found = let_in(room)
    assert found.valid_until is not None
    assert found.actor.ends_at is not None
    assert found.actor.ends_at - found.valid_until == HOUR - HOUR // 12
    late = let_in(room, HOUR // 2)
    assert (late.actor, late.actor.ends_at) == (found.actor, late.actor.ends_at)
    assert refused(room, HOUR + SECOND) == "auth-expired"


def test_each_user_has_an_id_of_their_own_at_the_issuer(room: Room, elsewhere: Room) -> None:
    bo, cy = user(room), user(room, "cy")
    user(elsewhere)
    assert (
        room.refused(identity.create_user, validate(NewUser, {"name": "di", "externalId": "ext-bo"}))
        == "external-id-taken"
    )
    taking = validate(UserChange, {"externalId": "ext-bo"})
    assert room.refused(identity.change_user, cy.id, taking) == "external-id-taken"
    assert room.do(identity.change_user, bo.id, taking) == bo
    (event,) = room.told(identity.change_user, bo.id, validate(UserChange, {"externalId": None}))
    assert event.changed == ("externalId",)
    assert room.do(identity.change_user, cy.id, taking).external_id == "ext-bo"
