"""Sessions of users: who is let in by a password, what a session's secret is worth, and how it ends."""

from collections.abc import Sequence
from dataclasses import replace

from setright.identity import attempts, sign_in_store, store
from setright.identity.comparing import same
from setright.identity.errors import AuthExpired, AuthInvalid, AuthRevoked, SessionNotFound, SignInRefused
from setright.identity.lifecycle import SESSION_LIFE
from setright.identity.model import Authenticated, Session, User, email_key, role_of
from setright.identity.queries import find_user
from setright.identity.rights import require_whole_rights, scopes_of_user
from setright.identity.sign_in_model import Entrance, IssuedSession, Lasting
from setright.identity.tenancy import tenant_called
from setright.identity.token_text import Presented, hash_of, new_secret
from setright.kernel.actor import Actor, Role
from setright.kernel.clock import SECOND, to_wire
from setright.kernel.errors import PermissionDenied
from setright.kernel.events import Event
from setright.kernel.ids import looks_like_ours, with_prefix
from setright.kernel.paging import DEFAULT_LIMIT, Page, Place, page_of
from setright.storage import Row, Snapshot, Tx, raise_identity_version
from setright.storage.lists import page_values

CURRENT = "current"
"""What names, in place of an id, the session that the caller came with."""
FRESH = 15 * 60 * SECOND
"""For how long after a sign-in a session counts as the password itself: it may hand on secrets that last longer."""
KEPT_FOR = 30 * 24 * 3600 * SECOND
BATCH = 500
_NOBODY = Actor("", "service", "", "", frozenset())


def begin_sign_in(tx: Tx, email: str, tenant: str | None, address: str) -> Entrance:
    """Whose password is to be right for this address of mail, and a try counted; refuses (`sign-in-slowed`) too many.

    Somebody unknown, or without a password, is answered alike: who asks then holds the password against nothing.
    """
    tenant_id = tenant_called(tx, tenant)
    rows = tx.all(sign_in_store.WITH_PASSWORD, tenant_id=tenant_id, email_key=email_key(email))
    row = rows[0] if len(rows) == 1 else None
    keys = attempts.keys_of(f"{tenant_id or tenant}\n{email_key(email)}", address)
    user = None if row is None else _user_in(row)
    slows = attempts.count_try(tx, keys, tenant_id, user and user.id)
    return Entrance(tenant_id, user, None if row is None else row["password_hash"], keys, slows)


def note_slowed(tx: Tx, entrance: Entrance) -> None:
    """Tell the tenant that somebody tries to sign in as one of its users, and is slowed now."""
    if entrance.user is not None:
        tx.actor = replace(_NOBODY, tenant_id=entrance.tenant_id, id="sign-in")
        tx.announce(Event("user.sign-in-slowed", "user", entrance.user.id))


def open_session(
    tx: Tx, entrance: Entrance, lasting: Lasting, better_hash: str | None = None
) -> IssuedSession:
    """A new session of the user whose password was right, its secret shown this once; refuses what changed meanwhile.

    `better_hash` takes the place of a hash that was made with less work than is asked for now.
    """
    user = require_right(tx, entrance)
    if better_hash is not None:
        tx.run(sign_in_store.REHASH, new_hash=better_hash, in_tenant=user.tenant_id, of_user=user.id)
    return begin_session(tx, user, lasting)


def require_right(tx: Tx, entrance: Entrance) -> User:
    """The user whose password was right, if it still is; the tries until now are forgiven."""
    user = entrance.user
    stored = None
    if user is not None:
        row = tx.one(sign_in_store.PASSWORD_OF, tenant_id=user.tenant_id, user_id=user.id)
        stored = None if row is None else row["password_hash"]
    if user is None or not same(stored, entrance.password_hash):
        raise SignInRefused
    attempts.forgive(tx, entrance.keys, user.tenant_id, user.id)
    return user


def begin_session(tx: Tx, user: User, lasting: Lasting) -> IssuedSession:
    """A session of a user who proved to be that user. From here on `tx.actor` is the user."""
    session = Session(
        id=tx.new_id("ses"),
        tenant_id=user.tenant_id,
        user_id=user.id,
        idle_for=lasting.idle,
        created_at=tx.now,
        seen_at=tx.now,
        expires_at=tx.now + lasting.whole,
        ended_at=None,
    )
    secret = new_secret(session.id)
    tx.actor = Actor(user.tenant_id, "user", user.id, session.id, frozenset(), {}, user.role)
    tx.run(
        sign_in_store.ADD_SESSION,
        id=session.id,
        tenant_id=session.tenant_id,
        user_id=session.user_id,
        secret_hash=hash_of(secret),
        idle_for=session.idle_for,
        created_at=session.created_at,
        seen_at=session.seen_at,
        expires_at=session.expires_at,
        ended_at=None,
    )
    tx.announce(Event("session.opened", "session", session.id))
    return IssuedSession(session, secret)


def authenticate_session(at: Snapshot, presented: Presented) -> Authenticated:
    """Whose session this is, with the user's exact rights now; refuses one that is unknown, ended or past its time."""
    rows = at.all(sign_in_store.SESSION_BEARER, session_id=presented.token_id, kind_of_user="user")
    if not rows or not same(rows[0]["secret_hash"], presented.secret_hash):
        raise AuthInvalid("is not known here")
    session, row = sign_in_store.session_in(rows[0]), rows[0]
    if row["user_disabled_at"] is not None:
        raise AuthRevoked("The user of this session was disabled. Use another user's.")
    if session.ended_at is not None:
        raise AuthRevoked(f"The session was ended at {to_wire(session.ended_at)}. Sign in again.")
    if session.valid_until <= at.now:
        raise AuthExpired(f"The session ended by itself at {to_wire(session.valid_until)}. Sign in again.")
    actor = replace(_actor(session, rows), ends_at=session.expires_at)
    until, fresh_until = session.valid_until, session.created_at + FRESH
    if at.now < fresh_until:
        actor, until = replace(actor, ends_at=None), min(until, fresh_until)
    return Authenticated(actor, until, store.limits_in(row["own_limits"]), session.seen_at)


def see_session(tx: Tx, tenant_id: str, session_id: str) -> None:
    """The session is in use, so that it does not end for being idle."""
    tx.run(sign_in_store.SEE_SESSION, in_tenant=tenant_id, of_session=session_id, at=tx.now)


def end_session(tx: Tx, session_id: str) -> Session:
    """The session lets nobody in any more, at once; again is the same. `current` is the one that calls.

    One's own, or any of the tenant for an admin of it.
    """
    session = find_session(tx, session_id)
    move = SESSION_LIFE.find("end", session.status)
    if move is None:
        return session
    raise_identity_version(tx)
    tx.run(sign_in_store.END_SESSION, in_tenant=session.tenant_id, of_session=session.id, at=tx.now)
    tx.announce(Event(move.event, "session", session.id, changed=("status",)))
    return replace(session, ended_at=tx.now)


def end_sessions_of(tx: Tx, tenant_id: str, user_id: str) -> None:
    """No session of the user lets anybody in any more."""
    tx.run(sign_in_store.END_SESSIONS, in_tenant=tenant_id, of_user=user_id, at=tx.now)


def find_session(at: Snapshot, session_id: str) -> Session:
    """A session that the caller may see and end; refuses (`session-not-found`) what is no session of the tenant."""
    stored = at.actor.token_id if session_id == CURRENT else with_prefix("ses", session_id)
    row = None
    if looks_like_ours(stored):
        row = at.one(sign_in_store.GET_SESSION, tenant_id=at.actor.tenant_id, session_id=stored)
    if row is None:
        raise SessionNotFound(f"There is no session {session_id!r}.", {"sessionId": session_id})
    session = sign_in_store.session_in(row)
    _require_its_keeper(at.actor, session.user_id)
    return session


def list_sessions(
    at: Snapshot, after: Place | None = None, limit: int = DEFAULT_LIMIT, user_id: str | None = None
) -> Page[Session]:
    """The caller's sessions that let in, or those of another user for an admin of the tenant; newest first."""
    if user_id is None and not at.actor.is_person:
        raise PermissionDenied("A service has no sessions: users sign in.", {"needs": "user"})
    whose = at.actor.id if user_id is None else find_user(at, user_id).id
    _require_its_keeper(at.actor, whose)
    rows = at.all(
        sign_in_store.PAGE_OF_SESSIONS,
        tenant_id=at.actor.tenant_id,
        user_id=whose,
        now=at.now,
        **page_values(after, limit),
    )
    return page_of(rows, limit, lambda row: Place(row["created_at"], row["id"]), sign_in_store.session_in)


def drop_old(tx: Tx) -> int:
    """Drop sessions that could let in no more for thirty days, and what was kept of tries; how many went."""
    gone = tx.run(sign_in_store.DROP_OLD_SESSIONS, before=tx.now - KEPT_FOR, count=BATCH)
    return gone + attempts.drop_old_attempts(tx)


def _require_its_keeper(actor: Actor, user_id: str) -> None:
    if actor.id == user_id:
        return
    if actor.tenant_role is not Role.ADMIN:
        raise PermissionDenied(
            "These sessions are somebody else's: it needs the role admin in the tenant.", {"needs": "admin"}
        )
    require_whole_rights(actor)


def _user_in(row: Row) -> User:
    return store.user_in({name: value for name, value in row.items() if name != "password_hash"})


def _actor(session: Session, rows: Sequence[Row]) -> Actor:
    roles = {row["member_project"]: Role[row["member_role"].upper()] for row in rows if row["member_project"]}
    tenant_role = role_of(rows[0]["user_role"])
    scopes = scopes_of_user(roles, tenant_role)
    return Actor(session.tenant_id, "user", session.user_id, session.id, scopes, roles, tenant_role)
