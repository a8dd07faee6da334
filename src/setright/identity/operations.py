"""What can be done to tenants, users, projects, members and tokens."""

from dataclasses import replace

from setright.identity.errors import TenantExists, UserExists
from setright.identity.model import (
    Bootstrapped,
    IssuedToken,
    NewProject,
    NewTenant,
    NewToken,
    NewUser,
    Project,
    Tenant,
    Token,
    User,
    role_of,
)
from setright.identity.store import ADD_PROJECT, ADD_TENANT, ADD_TOKEN, ADD_USER
from setright.identity.token_text import hash_of, new_secret
from setright.kernel import json
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.events import Event
from setright.kernel.fields import validate
from setright.storage import Tx, raise_identity_version


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
    project = _add_project(tx, project_id, new_project)
    issued = _add_token(tx, NewToken(kind="user", name="bootstrap"), user.id)
    return Bootstrapped(tenant, user, project, issued)


def create_tenant(tx: Tx, name: str) -> Tenant:
    """A new, empty tenant; for the machine's own administrator only. From here on `tx.actor` acts in it."""
    raise_identity_version(tx)
    tenant = Tenant(tx.new_id("ten"), validate(NewTenant, {"name": name}).name, tx.now)
    if not tx.run(ADD_TENANT, id=tenant.id, name=tenant.name, created_at=tenant.created_at):
        raise TenantExists(f"There is a tenant named {name} already.", {"name": name})
    tx.actor = replace(tx.actor, tenant_id=tenant.id)
    tx.announce(Event("tenant.created", "tenant", tenant.id))
    return tenant


def _add_user(tx: Tx, user_id: str, new: NewUser) -> User:
    user = User(user_id, tx.actor.tenant_id, new.name, new.email, role_of(new.role), tx.now, None)
    added = tx.run(
        ADD_USER,
        id=user.id,
        tenant_id=user.tenant_id,
        name=user.name,
        email=user.email,
        role=new.role,
        created_at=user.created_at,
        disabled_at=None,
    )
    if not added:
        raise UserExists(f"There is a user named {new.name} already.", {"name": new.name})
    tx.announce(Event("user.created", "user", user.id))
    return user


def _add_project(tx: Tx, project_id: str, new: NewProject) -> Project:
    project = Project(project_id, tx.actor.tenant_id, new.name, tx.now, tx.now)
    tx.run(
        ADD_PROJECT,
        tenant_id=project.tenant_id,
        id=project.id,
        name=project.name,
        created_at=project.created_at,
        updated_at=project.updated_at,
    )
    tx.announce(Event("project.created", "project", project.id, project.id))
    return project


def _add_token(tx: Tx, new: NewToken, user_id: str | None) -> IssuedToken:
    token_id = tx.new_id("tok")
    secret = new_secret(token_id)
    scopes = None if new.scopes is None else tuple(new.scopes)
    token = Token(
        id=token_id,
        tenant_id=tx.actor.tenant_id,
        kind=new.kind,
        user_id=user_id,
        name=new.name,
        role=role_of(new.role),
        project_id=new.project_id,
        scopes=scopes,
        created_by_kind=tx.actor.kind,
        created_by_id=tx.actor.id,
        created_at=tx.now,
        rotated_at=None,
        old_until=None,
        expires_at=new.expires_at,
        revoked_at=None,
    )
    tx.run(
        ADD_TOKEN,
        id=token.id,
        tenant_id=token.tenant_id,
        kind=token.kind,
        user_id=user_id,
        name=token.name,
        secret_hash=hash_of(secret),
        old_secret_hash=None,
        old_until=None,
        role=new.role,
        project_id=token.project_id,
        scopes=None if scopes is None else json.write_text(scopes),
        created_by_kind=token.created_by_kind,
        created_by_id=token.created_by_id,
        created_at=token.created_at,
        rotated_at=None,
        expires_at=token.expires_at,
        revoked_at=None,
    )
    tx.announce(Event("token.created", "token", token.id, token.project_id))
    return IssuedToken(token, secret)
