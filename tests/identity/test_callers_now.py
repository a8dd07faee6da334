"""Who somebody is now, without the token they once came with."""

from dataclasses import replace
from typing import Any

import pytest

from setright import identity
from setright.kernel.actor import Actor, Role
from setright.kernel.clock import SECOND, to_wire
from setright.kernel.errors import Refusal
from setright.storage import Snapshot
from tests.identity.conftest import Room


def now(room: Room, who: Actor, later: int = 0) -> Actor:
    def read(at: Snapshot) -> Actor:
        at.now += later
        return identity.caller_now(at, who.kind, who.id)

    return room.ledger.read(read, room.admin)


def shut_out(room: Room, who: Actor, later: int = 0) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        now(room, who, later)
    return caught.value.code, caught.value.message


def service(room: Room, **body: Any) -> Actor:
    return room.bearer(room.token(**body).secret).actor


@pytest.mark.parametrize(
    "body", [{}, {"projectId": None, "role": "admin"}, {"scopes": ["corrections:write"]}, {"role": "read"}]
)
def test_a_service_is_what_its_token_makes_it(room: Room, body: dict[str, Any]) -> None:
    who = service(room, **body)
    assert now(room, who) == who


def test_a_user_has_all_its_rights_whichever_token_it_came_with(room: Room) -> None:
    user = room.user("grace")
    room.member(user, "write")
    narrow = room.bearer(room.user_token(user, scopes=["corrections:read"]).secret).actor
    whole = room.bearer(room.user_token(user, name="whole").secret).actor
    assert now(room, narrow) == replace(whole, token_id="")


@pytest.mark.parametrize("kind", ["user", "service"])
def test_roles_are_those_of_this_moment(room: Room, kind: str) -> None:
    made = room.user("grace") if kind == "user" else room.token(projectId=None, role="read").token
    who = Actor(room.tenant.id, kind, made.id, "", frozenset())
    room.member(made, "write")
    assert now(room, who).roles == {"default": Role.WRITE}
    room.do(identity.remove_member, "default", kind, made.id)
    assert now(room, who).roles == {}


def test_who_was_shut_out_is_refused_with_the_reason(room: Room) -> None:
    person, revoked = room.person("grace", "write"), service(room)
    expires = service(room, expiresAt=to_wire(room.ledger.clock.now() + 60 * SECOND))
    room.do(identity.disable_user, person.id)
    room.do(identity.revoke_token, revoked.id)
    assert shut_out(room, person)[0] == shut_out(room, revoked)[0] == "auth-revoked"
    assert "grace" in shut_out(room, person)[1]
    assert now(room, expires) == expires
    assert shut_out(room, expires, later=61 * SECOND)[0] == "auth-expired"


def test_another_tenants_principals_are_not_there(room: Room, elsewhere: Room) -> None:
    assert shut_out(elsewhere, room.person("grace", "write"))[0] == "user-not-found"
    assert shut_out(elsewhere, service(room))[0] == "token-not-found"
