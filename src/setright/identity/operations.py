"""What can be done to tenants, users, projects and tokens."""

from collections.abc import Collection
from dataclasses import asdict, replace

from setright.identity import store
from setright.identity.changing import change_identity, require_active
from setright.identity.errors import (
    LastAdmin,
    ProjectExists,
    TenantExists,
    TokenExpired,
    TokenRevoked,
    UserExists,
)
from setright.identity.lifecycle import TOKEN_LIFE, USER_LIFE
from setright.identity.limits import require_below_cap
from setright.identity.model import (
    Bootstrapped,
    IssuedToken,
    NewProject,
    NewTenant,
    NewToken,
    NewUser,
    Project,
    ProjectChange,
    Rotation,
    Tenant,
    Token,
    User,
    UserChange,
    email_key,
    role_of,
)
from setright.identity.passwords import require_free_address, shut_out
from setright.identity.queries import find_project, find_token, find_user, rights_of_service
from setright.identity.rights import (
    require_keeper,
    require_person,
    require_rights_to_give,
    require_scopes_to_give,
    require_time_to_give,
)
from setright.identity.token_text import hash_of, new_secret
from setright.identity.vouching import require_free_external_id
from setright.kernel import json
from setright.kernel.actor import SCOPES, Actor, Role, scopes_of
from setright.kernel.clock import SECOND, to_wire
from setright.kernel.errors import ChangedMeanwhile, invalid
from setright.kernel.events import Event
from setright.kernel.fields import validate
from setright.storage import Tx, raise_identity_version

_CHANGEABLE = {"name": "name", "email": "email", "external_id": "externalId", "role": "role"}
"""What can become different about a user, and its name on the wire."""


def bootstrap(
    tx: Tx, tenant_name: str = "local", project_id: str = "default", user_name: str = "admin"
) -> Bootstrapped:
    """A new tenant with an admin, a project and the admin's token; refuses (`tenant-exists`) a name that is taken.

    For the machine's own administrator only. From here on `tx.actor` is the new admin, who did all this.
    """
    new_user = validate(NewUser, {"name": user_name, "role": "admin"})
    new_project = validate(NewProject, {"id": project_id, "name": project_id})
    tenant = create_tenant(tx, tenant_name)
    user_id = tx.new_id("usr")
    tx.actor = Actor(tenant.id, "user", user_id, "", frozenset(SCOPES), {}, Role.ADMIN)
    user = _add_user(tx, user_id, new_user)
    project = _add_project(tx, project_id, new_project.name)
    issued = _add_token(tx, NewToken(kind="user", name="bootstrap"), user.id)
    return Bootstrapped(tenant, user, project, issued)


def create_tenant(tx: Tx, name: str) -> Tenant:
    """A new, empty tenant; for the machine's own administrator only. From here on `tx.actor` acts in it."""
    raise_identity_version(tx)
    tenant = Tenant(tx.new_id("ten"), validate(NewTenant, {"name": name}).name, tx.now)
    if not tx.run(store.ADD_TENANT, **asdict(tenant)):
        raise TenantExists(f"There is a tenant named {name} already.", {"name": name})
    tx.actor = replace(tx.actor, tenant_id=tenant.id)
    tx.announce(Event("tenant.created", "tenant", tenant.id))
    return tenant


def create_user(tx: Tx, new: NewUser) -> User:
    """A new user of the tenant; refuses (`user-exists`) a name that is taken, also by one who was disabled."""
    change_identity(tx)
    tx.actor.require_in_tenant(Role.ADMIN)
    return _add_user(tx, tx.new_id("usr"), new)


def disable_user(tx: Tx, user_id: str) -> User:
    """The user is out, with every token of theirs, at once and for good; again is the same.

    The last active admin of a tenant stays (`last-admin`), because nobody could manage it afterwards.
    Service tokens that the user made go on: they belong to their project or tenant.
    """
    change_identity(tx)
    tx.actor.require_in_tenant(Role.ADMIN)
    user = find_user(tx, user_id)
    move = USER_LIFE.find("disable", user.status)
    if move is None:
        return user
    if user.role is Role.ADMIN:
        _require_another_admin(tx, user)
    tx.run(store.DISABLE_USER, at=tx.now, in_tenant=user.tenant_id, user_id=user.id)
    shut_out(tx, user)
    tx.announce(Event(move.event, "user", user.id, changed=("status",)))
    return replace(user, disabled_at=tx.now, updated_at=tx.now)


def change_user(tx: Tx, user_id: str, change: UserChange, known: Collection[int] | None = None) -> User:
    """A user gets another name, e-mail, external id or role in the tenant; what they said stays theirs.

    With `known`, only if its updatedAt is one of these. The last active admin stays one (`last-admin`).
    """
    change_identity(tx)
    tx.actor.require_in_tenant(Role.ADMIN)
    user = find_user(tx, user_id)
    require_active(user)
    if known is not None and user.updated_at not in known:
        raise ChangedMeanwhile("user", user)
    changed = replace(user, **change.wanted())
    both = ((_CHANGEABLE[name], getattr(changed, name), getattr(user, name)) for name in _CHANGEABLE)
    names = tuple(name for name, new, old in both if new != old)
    if not names:
        return user
    if "name" in names:
        _require_free_name(tx, changed.name)
    if user.role is Role.ADMIN and changed.role is not Role.ADMIN:
        _require_another_admin(tx, user)
    require_free_address(tx, user, changed.email)
    require_free_external_id(tx, changed.external_id, user.id)
    this = {"in_tenant": user.tenant_id, "user_id": user.id}
    tx.run(store.CHANGE_USER, at=tx.now, **_renewed(changed), **this)
    tx.announce(Event("user.changed", "user", user.id, changed=names))
    return replace(changed, updated_at=tx.now)


def _renewed(user: User) -> dict[str, str | None]:
    return {
        "new_name": user.name,
        "new_email": user.email,
        "new_email_key": email_key(user.email),
        "new_external_id": user.external_id,
        "new_role": user.role.word if user.role else None,
    }


def create_project(tx: Tx, new: NewProject) -> tuple[Project, bool]:
    """A project and whether it is new: the same own id with the same name again is the project that is there.

    Another name under an id that is taken is refused (`project-exists`).
    """
    change_identity(tx)
    tx.actor.require_in_tenant(Role.ADMIN)
    project_id = new.id or tx.new_id("prj")
    taken = tx.one(store.GET_PROJECT, tenant_id=tx.actor.tenant_id, project_id=project_id)
    if taken is None:
        return _add_project(tx, project_id, new.name), True
    if taken["name"] != new.name:
        raise ProjectExists(
            f"There is a project {project_id} already, and its name is another. "
            "Take another id, or rename that project.",
            {"projectId": project_id},
        )
    return store.project_in(taken), False


def rename_project(
    tx: Tx, project_id: str, change: ProjectChange, known: Collection[int] | None = None
) -> Project:
    """The project's name becomes another; needs the role admin in it. With `known`, only if its updatedAt is one of these."""
    change_identity(tx)
    project = find_project(tx, project_id)
    tx.actor.require(Role.ADMIN, project.id)
    if known is not None and project.updated_at not in known:
        raise ChangedMeanwhile("project", project)
    if change.name == project.name:
        return project
    of_project = {"in_tenant": project.tenant_id, "project_id": project.id}
    tx.run(store.RENAME_PROJECT, new_name=change.name, at=tx.now, **of_project)
    tx.announce(Event("project.renamed", "project", project.id, project.id, ("name",)))
    return replace(project, name=change.name, updated_at=tx.now)


def create_token(tx: Tx, new: NewToken) -> IssuedToken:
    """A new token and its secret, shown this once; it has no right that the caller lacks, and none for longer.

    A user makes tokens for itself; an admin of a project service tokens for it; an admin of the tenant all others.
    A user's token is never given to an assistant.
    """
    change_identity(tx)
    if new.expires_at is not None and new.expires_at <= tx.now:
        raise invalid("/expiresAt", "is not in the future", f"a time after {to_wire(tx.now)}")
    require_time_to_give(
        tx.actor, new.expires_at, "Give an expiresAt that is no later, or call with one that lasts."
    )
    if new.kind == "user":
        return _add_token(tx, new, _user_to_speak_for(tx, new))
    if new.project_id is None:
        tx.actor.require_in_tenant(Role.ADMIN)
    else:
        new = new.model_copy(update={"project_id": find_project(tx, new.project_id).id})
        tx.actor.require(Role.ADMIN, new.project_id or "")
    require_scopes_to_give(tx.actor, new.scopes or scopes_of(Role[(new.role or "read").upper()]))
    return _add_token(tx, new, None)


def revoke_token(tx: Tx, token_id: str) -> Token:
    """The token stops working at once and for good; again is the same."""
    change_identity(tx)
    token = find_token(tx, token_id)
    require_keeper(tx.actor, token)
    move = TOKEN_LIFE.find("revoke", token.status)
    if move is None:
        return token
    tx.run(store.REVOKE_TOKEN, in_tenant=token.tenant_id, token_id=token.id, at=tx.now)
    tx.announce(Event(move.event, "token", token.id, token.project_id, ("status",)))
    return replace(token, revoked_at=tx.now)


def rotate_token(tx: Tx, token_id: str, rotation: Rotation) -> IssuedToken:
    """A new secret for the token, shown this once; the old one works for `keep_old_minutes` more.

    A secret that an earlier rotation left working stops now. Refused for a token that has rights beyond the caller's,
    or works longer than what the caller sent: a secret that was replaced cannot be turned into its successor.
    """
    change_identity(tx)
    token = find_token(tx, token_id)
    require_keeper(tx.actor, token)
    move = TOKEN_LIFE.find("rotate", token.status)
    if move is None:
        raise TokenRevoked(
            "The token was revoked, and stays so. Make a new one.", {"status": token.status, "moves": []}
        )
    if token.expires_at is not None and token.expires_at <= tx.now:
        raise TokenExpired(f"The token expired at {to_wire(token.expires_at)}. Make a new one.")
    require_time_to_give(
        tx.actor, token.expires_at, "Call with the token's newest secret, or with one that lasts."
    )
    if token.kind == "user":
        require_person(tx.actor)
    else:
        require_rights_to_give(tx.actor, *rights_of_service(tx, token))
    secret = new_secret(token.id)
    keep_until = tx.now + rotation.keep_old_minutes * 60 * SECOND
    of_token = {"in_tenant": token.tenant_id, "token_id": token.id}
    tx.run(store.ROTATE_TOKEN, new_hash=hash_of(secret), keep_until=keep_until, at=tx.now, **of_token)
    tx.announce(Event(move.event, "token", token.id, token.project_id))
    return IssuedToken(replace(token, rotated_at=tx.now, old_until=keep_until), secret)


def _require_another_admin(tx: Tx, user: User) -> None:
    if tx.one(store.OTHER_ADMIN, tenant_id=user.tenant_id, user_id=user.id) is None:
        raise LastAdmin(
            f"{user.name} is the tenant's last admin. Make another admin first.", {"userId": user.id}
        )


def _require_free_name(tx: Tx, name: str) -> None:
    if tx.one(store.USER_NAMED, tenant_id=tx.actor.tenant_id, name=name) is not None:
        raise _user_exists(name)


def _user_exists(name: str) -> UserExists:
    return UserExists(f"There is a user named {name} already.", {"name": name})


def _user_to_speak_for(tx: Tx, new: NewToken) -> str:
    """The user whose token is to be made."""
    require_person(tx.actor)
    user = find_user(tx, new.user_id or tx.actor.id)
    if user.id != tx.actor.id:
        tx.actor.require_in_tenant(Role.ADMIN)
    require_active(user)
    require_scopes_to_give(tx.actor, new.scopes or ())
    return user.id


def _add_user(tx: Tx, user_id: str, new: NewUser) -> User:
    require_below_cap(tx, "users")
    require_free_external_id(tx, new.external_id, user_id)
    user = User(
        id=user_id,
        tenant_id=tx.actor.tenant_id,
        name=new.name,
        email=new.email,
        external_id=new.external_id,
        role=role_of(new.role),
        created_at=tx.now,
        updated_at=tx.now,
        disabled_at=None,
    )
    if not tx.run(store.ADD_USER, email_key=email_key(new.email), **{**asdict(user), "role": new.role}):
        raise _user_exists(new.name)
    tx.announce(Event("user.created", "user", user.id))
    return user


def _add_project(tx: Tx, project_id: str, name: str) -> Project:
    require_below_cap(tx, "projects")
    project = Project(project_id, tx.actor.tenant_id, name, tx.now, tx.now)
    tx.run(store.ADD_PROJECT, **asdict(project))
    tx.announce(Event("project.created", "project", project.id, project.id))
    return project


def _add_token(tx: Tx, new: NewToken, user_id: str | None) -> IssuedToken:
    require_below_cap(tx, "tokens")
    token = Token(
        id=tx.new_id("tok"),
        tenant_id=tx.actor.tenant_id,
        kind=new.kind,
        user_id=user_id,
        name=new.name,
        role=role_of(new.role),
        project_id=new.project_id,
        scopes=None if new.scopes is None else tuple(new.scopes),
        created_by_kind=tx.actor.kind,
        created_by_id=tx.actor.id,
        created_at=tx.now,
        rotated_at=None,
        old_until=None,
        expires_at=new.expires_at,
        revoked_at=None,
    )
    secret = new_secret(token.id)
    scopes = None if new.scopes is None else json.write_text(new.scopes)
    stored = {**asdict(token), "role": new.role, "scopes": scopes}
    tx.run(store.ADD_TOKEN, secret_hash=hash_of(secret), old_secret_hash=None, **stored)
    tx.announce(Event("token.created", "token", token.id, token.project_id))
    return IssuedToken(token, secret)
