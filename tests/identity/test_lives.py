"""The lives of users and tokens: every status with every verb."""

import pytest

from setright import identity
from setright.identity import TOKEN_LIFE, USER_LIFE, Rotation
from setright.kernel.lifecycle import Lifecycle


@pytest.mark.parametrize("life", [USER_LIFE, TOKEN_LIFE], ids=["user", "token"])
def test_the_table_is_whole(life: Lifecycle):
    assert {move.end for move in life.moves} == set(life.statuses)
    assert all(not life.open_from(status) for status in life.final)
    assert len({(move.verb, move.start) for move in life.moves}) == len(life.moves)


@pytest.mark.parametrize("status", TOKEN_LIFE.statuses)
@pytest.mark.parametrize("verb", ["rotate", "revoke"])
def test_a_token_moves_as_its_table_says(room, status, verb):
    token = room.token().token
    if status == "revoked":
        room.do(identity.revoke_token, token.id)
    operation, more = {
        "rotate": (identity.rotate_token, (Rotation(),)),
        "revoke": (identity.revoke_token, ()),
    }[verb]
    move = TOKEN_LIFE.find(verb, status)
    if move is not None:
        (event,) = room.told(operation, token.id, *more)
        assert event.kind == move.event
        assert room.ask(identity.get_token, token.id).status == move.end
    elif verb == "revoke":
        assert room.told(operation, token.id) == []
    else:
        assert room.refused(operation, token.id, *more) == "token-revoked"


@pytest.mark.parametrize("status", USER_LIFE.statuses)
def test_a_user_moves_as_its_table_says(room, status):
    user = room.user("grace")
    if status == "disabled":
        room.do(identity.disable_user, user.id)
    move = USER_LIFE.find("disable", status)
    told = [event.kind for event in room.told(identity.disable_user, user.id)]
    assert told == ([] if move is None else [move.event])
    assert room.ask(identity.get_user, user.id).status == "disabled"
