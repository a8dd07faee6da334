"""Users for whom an issuer of access tokens vouches: which one it means, and what its token allows."""

from dataclasses import replace

from sqlalchemy import bindparam, select

from setright.identity import store
from setright.identity.errors import AuthExpired, AuthInvalid, AuthRevoked, ExternalIdTaken
from setright.identity.model import Authenticated, User, Vouched, email_key
from setright.identity.rights import scopes_of_user
from setright.identity.tables import users
from setright.identity.tenancy import tenant_called
from setright.kernel.actor import Actor, Role
from setright.kernel.clock import to_wire
from setright.storage import Snapshot, Sql, Tx

_U = users.c
_MEANT = (
    select(users)
    .where(_U.tenant_id == bindparam("tenant_id"), _U.disabled_at.is_(None))
    .order_by(_U.id)
    .limit(2)
)
BY_EMAIL = Sql(_MEANT.where(_U.email_key == bindparam("key")))
BY_EXTERNAL_ID = Sql(_MEANT.where(_U.external_id == bindparam("key")))
DISABLED = Sql(
    select(_U.id)
    .where(_U.tenant_id == bindparam("tenant_id"), _U.disabled_at.is_not(None))
    .where((_U.email_key == bindparam("email_key")) | (_U.external_id == bindparam("external_id")))
    .limit(1)
)


def authenticate_vouched(at: Snapshot, vouched: Vouched) -> Authenticated:
    """The user who is meant, with the exact rights now and no more than the token allows; nobody is made a user by it."""
    if vouched.expires_at <= at.now:
        raise AuthExpired(
            f"The token expired at {to_wire(vouched.expires_at)}. Get a new one from its issuer."
        )
    user = _meant(at, vouched)
    this = {"tenant_id": user.tenant_id, "principal_kind": "user", "principal_id": user.id}
    roles = {row["project_id"]: Role[row["role"].upper()] for row in at.all(store.MEMBERSHIPS, **this)}
    scopes = scopes_of_user(roles, user.role)
    if vouched.scopes is not None:
        scopes &= vouched.scopes
    actor = Actor(
        user.tenant_id,
        "user",
        user.id,
        f"oidc {user.id}",
        scopes,
        roles,
        user.role,
        vouched.scopes is not None,
    )
    row = at.one(store.OWN_LIMITS, tenant_id=user.tenant_id)
    own_limits = store.limits_in(None if row is None else row["limits"])
    until = min(vouched.expires_at, max(vouched.again_at, at.now))
    return Authenticated(replace(actor, ends_at=vouched.expires_at), until, own_limits)


def _meant(at: Snapshot, vouched: Vouched) -> User:
    tenant_id = tenant_called(at, vouched.tenant)
    by_email = vouched.external_id is None
    key = email_key(vouched.email) if by_email else vouched.external_id
    rows = at.all(BY_EMAIL if by_email else BY_EXTERNAL_ID, tenant_id=tenant_id, key=key)
    if len(rows) > 1:
        raise AuthInvalid("means several users here: give each an address of their own")
    if rows:
        return store.user_in(rows[0])
    keys = {"email_key": email_key(vouched.email), "external_id": vouched.external_id}
    if at.one(DISABLED, tenant_id=tenant_id, **keys) is not None:
        raise AuthRevoked("The user whom this token means was disabled. Use another user's.")
    raise AuthInvalid(
        "means no user here: an admin of the tenant makes one, with the address or id that it tells"
    )


def require_free_external_id(tx: Tx, external_id: str | None, user_id: str) -> None:
    """Refuse (`external-id-taken`) to call a user as an issuer calls another of the tenant."""
    if external_id is None:
        return
    this = {"tenant_id": tx.actor.tenant_id, "key": external_id}
    if any(row["id"] != user_id for row in tx.all(BY_EXTERNAL_ID, **this)):
        raise ExternalIdTaken(external_id)
