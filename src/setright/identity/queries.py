"""What can be read about tenants, users, projects, members and tokens."""

import hmac
from collections.abc import Sequence
from dataclasses import replace

from setright.identity import store
from setright.identity.errors import (
    AuthExpired,
    AuthInvalid,
    AuthMissing,
    AuthRevoked,
    ProjectNotFound,
    TokenNotFound,
    UserNotFound,
)
from setright.identity.model import (
    Authenticated,
    Me,
    Member,
    Project,
    Tenant,
    Token,
    User,
    could_be_project_id,
    is_label,
    role_of,
)
from setright.identity.rights import (
    has_whole_rights,
    require_keeper,
    require_whole_rights,
    scopes_of_service,
    scopes_of_user,
)
from setright.identity.token_text import Presented
from setright.kernel import json
from setright.kernel.actor import Actor, Role
from setright.kernel.clock import to_wire
from setright.kernel.errors import PermissionDenied
from setright.kernel.ids import looks_like_ours, with_prefix
from setright.kernel.paging import DEFAULT_LIMIT, Page, Place, page_of
from setright.storage import Row, Snapshot
from setright.storage.lists import among, page_values


def authenticate_token(at: Snapshot, presented: Presented) -> Authenticated:
    """Whose token this is, with its exact rights now; refuses one that is unknown, revoked or past its time."""
    rows = at.all(store.BEARER, token_id=presented.token_id)
    if not rows:
        raise AuthInvalid("is not known here")
    token = rows[0]
    valid_until = _valid_until(token, presented, at.now)
    if token["user_disabled_at"] is not None:
        raise AuthRevoked("The user of this token was disabled. Use another user's token.")
    _check_that_it_works(token, at.now)
    own_limits = store.limits_in(token["own_limits"])
    actor = replace(_actor(token, _roles(rows)), ends_at=valid_until)
    return Authenticated(actor, valid_until, own_limits)


def caller_now(at: Snapshot, kind: str, principal_id: str) -> Actor:
    """A user or a service of the tenant as the caller that it is now; refuses one that was shut out meanwhile.

    A user has all its rights, whichever of its tokens it came with before.
    """
    tenant_id = at.actor.tenant_id
    this = {"tenant_id": tenant_id, "principal_kind": kind, "principal_id": principal_id}
    roles = {row["project_id"]: Role[row["role"].upper()] for row in at.all(store.MEMBERSHIPS, **this)}
    if kind == "user":
        user = find_user(at, principal_id)
        if user.disabled_at is not None:
            raise AuthRevoked(f"The user {user.name!r} was disabled at {to_wire(user.disabled_at)}.")
        return Actor(tenant_id, "user", user.id, "", scopes_of_user(roles, user.role), roles, user.role)
    token = at.one(store.GET_TOKEN, tenant_id=tenant_id, token_id=principal_id)
    if token is None:
        raise TokenNotFound(f"There is no token {principal_id!r}.", {"tokenId": principal_id})
    _check_that_it_works(token, at.now)
    return _actor(token, roles)


def _check_that_it_works(token: Row, now: int) -> None:
    if token["revoked_at"] is not None:
        raise AuthRevoked(f"The token was revoked at {to_wire(token['revoked_at'])}. Make a new one.")
    if token["expires_at"] is not None and token["expires_at"] <= now:
        raise AuthExpired(f"The token expired at {to_wire(token['expires_at'])}. Make a new one.")


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
        user_id, narrowed = token["user_id"], chosen is not None
        return Actor(token["tenant_id"], "user", user_id, token["id"], scopes, roles, tenant_role, narrowed)
    role, project_id = role_of(token["role"]), token["project_id"]
    scopes = scopes_of_service(role, roles.values()) if chosen is None else chosen
    if role is not None and project_id is not None:
        roles[project_id] = max(role, roles.get(project_id, role))
    tenant_role = None if project_id is not None else role
    token_id, narrowed = token["id"], chosen is not None
    return Actor(token["tenant_id"], "service", token_id, token_id, scopes, roles, tenant_role, narrowed)


def me(at: Snapshot) -> Me:
    """Who is calling, with the rights that this call has."""
    actor = at.actor
    tenant = at.one(store.GET_TENANT, tenant_id=actor.tenant_id)
    if tenant is None:
        raise AuthMissing
    user = at.one(store.GET_USER, tenant_id=actor.tenant_id, user_id=actor.id) if actor.is_person else None
    token = at.one(store.GET_TOKEN, tenant_id=actor.tenant_id, token_id=actor.token_id)
    named = user or token
    return Me(
        tenant=store.tenant_in(tenant),
        kind=actor.kind,
        id=actor.id,
        name=actor.id if named is None else named["name"],
        token=None if token is None else store.token_in(token),
        session_id=actor.token_id if actor.token_id.startswith("ses_") else None,
        scopes=tuple(sorted(actor.scopes)),
        tenant_role=actor.tenant_role,
        roles=dict(sorted(actor.roles.items())),
    )


def list_tenants(at: Snapshot) -> Sequence[Tenant]:
    """Every tenant of the ledger, oldest first; for the machine's own administrator only."""
    return [store.tenant_in(row) for row in at.all(store.ALL_TENANTS)]


def find_user(at: Snapshot, user_id: str) -> User:
    """A user of the caller's tenant, whoever asks; refuses (`user-not-found`) any other id."""
    stored = with_prefix("usr", user_id)
    row = None
    if looks_like_ours(stored):
        row = at.one(store.GET_USER, tenant_id=at.actor.tenant_id, user_id=stored)
    if row is None:
        raise UserNotFound(f"There is no user {user_id!r}.", {"userId": user_id})
    return store.user_in(row)


def get_user(at: Snapshot, user_id: str) -> User:
    """A user, for itself and for who may list users."""
    user = find_user(at, user_id)
    if not (at.actor.is_person and at.actor.id == user.id):
        _require_some_admin(at.actor)
    return user


def list_users(
    at: Snapshot, after: Place | None = None, limit: int = DEFAULT_LIMIT, name: str | None = None
) -> Page[User]:
    """The tenant's users, or the one with exactly this name; needs the role admin in the tenant or in a project."""
    _require_some_admin(at.actor)
    if name is not None:
        found = at.all(store.USER_NAMED, tenant_id=at.actor.tenant_id, name=name) if is_label(name) else []
        return Page([store.user_in(row) for row in found])
    values = page_values(after, limit)
    rows = at.all(store.PAGE_OF_USERS, tenant_id=at.actor.tenant_id, **values)
    return page_of(rows, limit, _place, store.user_in)


def _require_some_admin(actor: Actor) -> None:
    """Admins of a project see the users too, because they choose members among them."""
    if actor.tenant_role is not Role.ADMIN and Role.ADMIN not in actor.roles.values():
        raise PermissionDenied("This needs the role admin in the tenant or in a project.", {"needs": "admin"})
    require_whole_rights(actor)


def find_project(at: Snapshot, project_id: str) -> Project:
    """A project of the caller's tenant, whoever asks; refuses (`project-not-found`) any other id."""
    row = None
    if could_be_project_id(project_id):
        stored = with_prefix("prj", project_id)
        row = at.one(store.GET_PROJECT, tenant_id=at.actor.tenant_id, project_id=stored)
    if row is None:
        raise ProjectNotFound(f"There is no project {project_id!r}.", {"projectId": project_id})
    return store.project_in(row)


def get_project(at: Snapshot, project_id: str) -> Project:
    """A project that the caller may read; refuses one of its own tenant without a role (`permission-denied`)."""
    project = find_project(at, project_id)
    at.actor.require(Role.READ, project.id)
    return project


def list_projects(at: Snapshot, after: Place | None = None, limit: int = DEFAULT_LIMIT) -> Page[Project]:
    """The projects that the caller may read."""
    values = page_values(after, limit)
    count = None
    readable = at.actor.readable_projects()
    if readable is not None:
        count, chosen = among("project", readable)
        values |= chosen
    rows = at.all(store.page_of_projects(count), tenant_id=at.actor.tenant_id, **values)
    return page_of(rows, limit, _place, store.project_in)


def list_members(
    at: Snapshot, project_id: str, after: Place | None = None, limit: int = DEFAULT_LIMIT
) -> Page[Member]:
    """The members of a project that the caller may read; admins of the tenant are not listed."""
    project = get_project(at, project_id)
    values = page_values(after, limit)
    rows = at.all(store.PAGE_OF_MEMBERS, tenant_id=project.tenant_id, project_id=project.id, **values)
    return page_of(rows, limit, lambda row: Place(row["added_at"], row["principal_id"]), store.member_in)


def reviewer_role(at: Snapshot, project_id: str) -> str | None:
    """What the caller is among the reviewers of a project: told by its membership alone, by no role in the tenant."""
    row = at.one(
        store.GET_MEMBER,
        tenant_id=at.actor.tenant_id,
        project_id=project_id,
        principal_kind=at.actor.kind,
        principal_id=at.actor.id,
    )
    return None if row is None else row["reviewer_role"]


def find_token(at: Snapshot, token_id: str) -> Token:
    """A token of the caller's tenant, whoever asks; refuses (`token-not-found`) any other id."""
    stored = with_prefix("tok", token_id)
    row = None
    if looks_like_ours(stored):
        row = at.one(store.GET_TOKEN, tenant_id=at.actor.tenant_id, token_id=stored)
    if row is None:
        raise TokenNotFound(f"There is no token {token_id!r}.", {"tokenId": token_id})
    return store.token_in(row)


def get_token(at: Snapshot, token_id: str) -> Token:
    """A token that the caller keeps: its own, a service's of a project that it runs, or any for a tenant's admin."""
    token = find_token(at, token_id)
    require_keeper(at.actor, token)
    return token


def list_tokens(at: Snapshot, after: Place | None = None, limit: int = DEFAULT_LIMIT) -> Page[Token]:
    """The tokens that the caller keeps, those that are revoked or past their time included.

    Without whole rights these are its own.
    """
    actor = at.actor
    values = page_values(after, limit)
    count, whole = None, has_whole_rights(actor)
    if actor.tenant_role is not Role.ADMIN or not whole:
        run = sorted(project for project, role in actor.roles.items() if role is Role.ADMIN)
        run_by_caller = run if whole else []
        count, chosen = among("project", run_by_caller)
        values |= chosen | {"own_user": actor.id if actor.is_person else "", "own_token": actor.token_id}
    rows = at.all(store.page_of_tokens(count), tenant_id=actor.tenant_id, **values)
    return page_of(rows, limit, _place, store.token_in)


def rights_of_service(at: Snapshot, token: Token) -> tuple[frozenset[str], dict[str, Role]]:
    """The scopes of a service token, and its roles by project beside the one that it was made with."""
    found = at.all(
        store.MEMBERSHIPS, tenant_id=token.tenant_id, principal_kind="service", principal_id=token.id
    )
    roles = {row["project_id"]: Role[row["role"].upper()] for row in found}
    if token.scopes is not None:
        return frozenset(token.scopes), roles
    return scopes_of_service(token.role, roles.values()), roles


def _place(row: Row) -> Place:
    return Place(row["created_at"], row["id"])
