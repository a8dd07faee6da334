"""Passwords of users: the invitation that lets a user set one, setting it, and putting another in its place."""

from dataclasses import asdict

from setright.identity import attempts, sign_in_store, store
from setright.identity.comparing import same
from setright.identity.errors import (
    EmailMissing,
    EmailTaken,
    InvitationRefused,
    UserDisabled,
)
from setright.identity.model import User, email_key
from setright.identity.queries import find_user
from setright.identity.rights import require_person, require_time_to_give, require_whole_rights
from setright.identity.sessions import begin_session, end_sessions_of, require_right
from setright.identity.sign_in_model import (
    Entrance,
    Invitation,
    IssuedInvitation,
    IssuedSession,
    Lasting,
)
from setright.identity.token_text import hash_of, new_secret, present_invitation
from setright.kernel.actor import Role
from setright.kernel.clock import SECOND
from setright.kernel.events import Event
from setright.storage import Snapshot, Tx, raise_identity_version

LASTS = 24 * 3600 * SECOND
"""For how long an invitation works."""


def invite_user(tx: Tx, user_id: str) -> IssuedInvitation:
    """What lets a user set a password, once and within a day, shown this once; an earlier one stops working.

    The user's password and sessions stay until it is used.
    """
    require_whole_rights(tx.actor)
    tx.actor.require_in_tenant(Role.ADMIN)
    require_person(tx.actor)
    require_time_to_give(tx.actor, None, "Call with a token that lasts, or sign in again just before.")
    user = find_user(tx, user_id)
    if user.disabled_at is not None:
        raise UserDisabled(f"The user {user.name} was disabled, and stays so.", {"userId": user.id})
    _require_own_address(tx, user)
    made = Invitation(tx.new_id("inv"), user.tenant_id, user.id, tx.now, tx.now + LASTS)
    secret = new_secret(made.id)
    by = {"created_by_kind": tx.actor.kind, "created_by_id": tx.actor.id}
    tx.run(sign_in_store.PUT_INVITATION, secret_hash=hash_of(secret), **asdict(made), **by)
    tx.announce(Event("user.invited", "user", user.id))
    return IssuedInvitation(made, secret)


def invited_user(at: Snapshot, invitation: str) -> User:
    """Whom an invitation lets set a password; refuses (`invitation-refused`) whatever lets nobody."""
    presented = present_invitation(invitation)
    row = None
    if presented is not None:
        row = at.one(sign_in_store.FIND_INVITATION, invitation_id=presented.token_id)
    if row is None or presented is None or not same(row["secret_hash"], presented.secret_hash):
        raise InvitationRefused
    found = at.one(store.GET_USER, tenant_id=row["tenant_id"], user_id=row["user_id"])
    user = None if found is None else store.user_in(found)
    if user is None or user.disabled_at is not None or row["expires_at"] <= at.now:
        raise InvitationRefused
    return user


def set_password(tx: Tx, invitation: str, password_hash: str, lasting: Lasting) -> IssuedSession:
    """The password of an invited user is this one from now on, and the user is signed in; all other sessions end."""
    raise_identity_version(tx)
    user = invited_user(tx, invitation)
    _put(tx, user, password_hash)
    return begin_session(tx, user, lasting)


def change_password(tx: Tx, entrance: Entrance, password_hash: str, lasting: Lasting) -> IssuedSession:
    """The password of whose old one was right is this one from now on; all sessions but the new one end."""
    raise_identity_version(tx)
    user = require_right(tx, entrance)
    _put(tx, user, password_hash)
    return begin_session(tx, user, lasting)


def shut_out(tx: Tx, user: User) -> None:
    """A user who was disabled cannot sign in any more: sessions, password, invitation and places end with it."""
    end_sessions_of(tx, user.tenant_id, user.id)
    attempts.forget_places(tx, user.tenant_id, user.id)
    for drop in (sign_in_store.DROP_PASSWORD, sign_in_store.DROP_INVITATION):
        tx.run(drop, in_tenant=user.tenant_id, of_user=user.id)


def require_free_address(tx: Tx, user: User, email: str | None) -> None:
    """Refuse (`email-taken`) to give a user who signs in the address of another who does."""
    this = {"tenant_id": user.tenant_id}
    if email is None or tx.one(sign_in_store.PASSWORD_OF, user_id=user.id, **this) is None:
        return
    others = tx.all(sign_in_store.WITH_PASSWORD, email_key=email_key(email), **this)
    if any(other["id"] != user.id for other in others):
        raise EmailTaken(email)


def _require_own_address(tx: Tx, user: User) -> None:
    if user.email is None:
        raise EmailMissing(user.name, user.id)
    others = tx.all(sign_in_store.WITH_PASSWORD, tenant_id=user.tenant_id, email_key=email_key(user.email))
    if any(other["id"] != user.id for other in others):
        raise EmailTaken(user.email)


def _put(tx: Tx, user: User, password_hash: str) -> None:
    """Put the password there; whatever let the user in before by a password does so no more."""
    _require_own_address(tx, user)
    end_sessions_of(tx, user.tenant_id, user.id)
    tx.run(
        sign_in_store.PUT_PASSWORD,
        tenant_id=user.tenant_id,
        user_id=user.id,
        password_hash=password_hash,
        set_at=tx.now,
    )
    tx.run(sign_in_store.DROP_INVITATION, in_tenant=user.tenant_id, of_user=user.id)
    tx.announce(Event("user.password-set", "user", user.id))
