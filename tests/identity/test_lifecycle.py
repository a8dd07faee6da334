"""The whole lives of users, tokens, sessions and scholars' claims, move by move."""

from setright.identity.lifecycle import CLAIM_LIFE, SESSION_LIFE, TOKEN_LIFE, USER_LIFE
from tests.support.lives import told

USER = """\
user: active, disabled
final: disabled
create: user.created
    nothing > active
change: user.changed
    active
invite: user.invited
    active
set-password: user.password-set
    active
disable: user.disabled
    active > disabled"""

TOKEN = """\
token: active, revoked
final: revoked
create: token.created
    nothing > active
rotate: token.rotated
    active
revoke: token.revoked
    active > revoked"""

SESSION = """\
session: open, ended
final: ended
sign-in: session.opened
    nothing > open
end: session.ended
    open > ended"""

SCHOLAR = """\
scholar claim: asked, approved, rejected, withdrawn
final: rejected, withdrawn
ask: scholar-claim.asked
    nothing > asked
grant: scholar-claim.approved
    nothing > approved
approve: scholar-claim.approved
    asked > approved
reject: scholar-claim.rejected
    asked > rejected, approved > rejected
withdraw: scholar-claim.withdrawn
    asked > withdrawn, approved > withdrawn"""


def test_every_move_of_a_user() -> None:
    assert told(USER_LIFE) == USER


def test_every_move_of_a_token() -> None:
    assert told(TOKEN_LIFE) == TOKEN


def test_every_move_of_a_session() -> None:
    assert told(SESSION_LIFE) == SESSION


def test_every_move_of_a_scholars_claim() -> None:
    assert told(CLAIM_LIFE) == SCHOLAR
