"""No secret works longer than the one that gave it."""

import pytest

from setright import identity
from setright.identity import NewToken, Rotation
from setright.kernel.clock import SECOND, to_wire
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate

HOUR = 3600 * SECOND
SERVICE = {"kind": "service", "name": "agent", "projectId": "default", "role": "write"}
OWN = {"kind": "user", "name": "laptop"}


@pytest.fixture
def until(room):
    """An hour from now, at which the caller's own secret ends."""
    return room.ledger.clock.now() + HOUR


@pytest.fixture
def brief(room, until):
    """An admin who calls with a secret that ends in an hour."""
    return room.bearer(room.user_token(room.user("grace", "admin"), expiresAt=to_wire(until)).secret).actor


def refused(room, by, **body):
    with pytest.raises(Refusal) as caught:
        room.do(identity.create_token, validate(NewToken, body), by=by)
    return caught.value


@pytest.mark.parametrize("body", [SERVICE, OWN], ids=["service", "own"])
def test_a_token_with_an_end_makes_none_that_outlasts_it(room, brief, until, body):
    for more in ({}, {"expiresAt": to_wire(until + 1)}):
        refusal = refused(room, brief, **body, **more)
        assert (refusal.code, refusal.details) == ("permission-denied", {"latest": to_wire(until)})
        assert "Give an expiresAt that is no later" in refusal.message
    new = validate(NewToken, {**body, "expiresAt": to_wire(until)})
    assert room.do(identity.create_token, new, by=brief).token.expires_at == until


def test_nor_by_way_of_the_token_that_it_made(room, brief, until):
    body = {**SERVICE, "projectId": None, "role": "admin", "expiresAt": to_wire(until)}
    child = room.bearer(room.token(brief, **body).secret).actor
    assert child.ends_at == until
    assert refused(room, child, **SERVICE).details == {"latest": to_wire(until)}


def test_a_token_without_an_end_makes_any(room):
    assert room.token(expiresAt=to_wire(room.ledger.clock.now() + HOUR)).token.expires_at
    assert room.token().token.expires_at is None


def test_a_secret_that_was_replaced_is_not_turned_into_its_successor(room):
    issued = room.user_token(room.user("grace", "admin"))
    newer = room.do(identity.rotate_token, issued.token.id, validate(Rotation, {"keepOldMinutes": 5}))
    old = room.bearer(issued.secret).actor
    assert old.ends_at == newer.token.old_until
    assert room.refused(identity.rotate_token, issued.token.id, Rotation(), by=old) == "permission-denied"
    assert refused(room, old, **OWN).code == "permission-denied"
    new = room.bearer(newer.secret).actor
    assert room.do(identity.rotate_token, issued.token.id, Rotation(), by=new).token.id == issued.token.id


def test_a_token_that_lasts_is_not_rotated_by_one_that_ends(room, brief, until):
    lasting = room.token().token
    assert room.refused(identity.rotate_token, lasting.id, Rotation(), by=brief) == "permission-denied"
    ending = room.token(expiresAt=to_wire(until)).token
    assert room.do(identity.rotate_token, ending.id, Rotation(), by=brief).token.expires_at == until
    assert room.do(identity.rotate_token, brief.token_id, Rotation(), by=brief).token.expires_at == until


def test_one_that_ends_still_revokes(room, brief):
    assert room.do(identity.revoke_token, room.token().token.id, by=brief).status == "revoked"
