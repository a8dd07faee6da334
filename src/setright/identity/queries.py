"""What can be read about tenants, users, projects, members and tokens."""

import hmac
from collections.abc import Sequence

from setright.identity.errors import AuthExpired, AuthInvalid, AuthRevoked
from setright.identity.model import Authenticated, role_of
from setright.identity.rights import scopes_of_service, scopes_of_user
from setright.identity.store import BEARER
from setright.identity.token_text import Presented
from setright.kernel import json
from setright.kernel.actor import Actor, Role
from setright.kernel.clock import to_wire
from setright.storage import Row, Snapshot


def authenticate(at: Snapshot, presented: Presented) -> Authenticated:
    """Whose token this is, with its exact rights now; refuses one that is unknown, revoked or past its time."""
    rows = at.all(BEARER, token_id=presented.token_id)
    if not rows:
        raise AuthInvalid("is not known here")
    token = rows[0]
    valid_until = _valid_until(token, presented, at.now)
    if token["revoked_at"] is not None:
        raise AuthRevoked(f"The token was revoked at {to_wire(token['revoked_at'])}. Make a new one.")
    if token["user_disabled_at"] is not None:
        raise AuthRevoked("The user of this token was disabled. Use another user's token.")
    if token["expires_at"] is not None and token["expires_at"] <= at.now:
        raise AuthExpired(f"The token expired at {to_wire(token['expires_at'])}. Make a new one.")
    return Authenticated(_actor(token, _roles(rows)), valid_until)


def _valid_until(token: Row, presented: Presented, now: int) -> int | None:
    """The moment at which this secret stops working by itself; refuses a secret that is not the token's."""
    expires_at: int | None = token["expires_at"]
    if hmac.compare_digest(token["secret_hash"], presented.secret_hash):
        return expires_at
    if not hmac.compare_digest(token["old_secret_hash"] or "", presented.secret_hash):
        raise AuthInvalid("is not known here")
    old_until: int = token["old_until"]
    if old_until <= now:
        raise AuthExpired(
            f"This secret was replaced, and stopped working at {to_wire(old_until)}. Use the token's new secret."
        )
    return old_until if expires_at is None else min(old_until, expires_at)


def _roles(rows: Sequence[Row]) -> dict[str, Role]:
    return {row["member_project"]: Role[row["member_role"].upper()] for row in rows if row["member_project"]}


def _actor(token: Row, roles: dict[str, Role]) -> Actor:
    chosen = None if token["scopes"] is None else frozenset[str](json.read_stored(token["scopes"]))
    if token["kind"] == "user":
        tenant_role = role_of(token["user_role"])
        scopes = scopes_of_user(roles, tenant_role)
        scopes = scopes if chosen is None else scopes & chosen
        return Actor(token["tenant_id"], "user", token["user_id"], token["id"], scopes, roles, tenant_role)
    role, project_id = role_of(token["role"]), token["project_id"]
    scopes = scopes_of_service(role, roles.values()) if chosen is None else chosen
    if role is not None and project_id is not None:
        roles[project_id] = max(role, roles.get(project_id, role))
    tenant_role = None if project_id is not None else role
    return Actor(token["tenant_id"], "service", token["id"], token["id"], scopes, roles, tenant_role)
