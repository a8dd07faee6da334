"""The identity room's statements, and the records that their rows become."""

from functools import lru_cache

from sqlalchemy import and_, bindparam, delete, func, or_, select, update

from setright.identity.model import Member, Project, Tenant, Token, User, role_of
from setright.identity.tables import members, projects, tenant_limits, tenants, tokens, users
from setright.kernel import json
from setright.kernel.actor import Role
from setright.storage import Row, Sql, insert, insert_or_ignore, upsert
from setright.storage.lists import any_of, before

_TENANT, _USER, _PROJECT, _MEMBER, _TOKEN = tenants.c, users.c, projects.c, members.c, tokens.c


_PRINCIPAL = and_(
    _MEMBER.tenant_id == _TOKEN.tenant_id,
    _MEMBER.principal_kind == _TOKEN.kind,
    _MEMBER.principal_id == func.coalesce(_TOKEN.user_id, _TOKEN.id),
)
BEARER = Sql(
    select(
        *_TOKEN,
        _USER.role.label("user_role"),
        _USER.disabled_at.label("user_disabled_at"),
        _MEMBER.project_id.label("member_project"),
        _MEMBER.role.label("member_role"),
        tenant_limits.c.limits.label("own_limits"),
    )
    .select_from(
        tokens.outerjoin(users, _USER.id == _TOKEN.user_id)
        .outerjoin(tenant_limits, tenant_limits.c.tenant_id == _TOKEN.tenant_id)
        .outerjoin(members, _PRINCIPAL)
    )
    .where(_TOKEN.id == bindparam("token_id"))
)
"""A token with its user, its tenant's own limits, and one row for each membership; the one statement that knows no tenant yet."""

ADD_TENANT = insert_or_ignore(tenants)
GET_TENANT = Sql(select(tenants).where(_TENANT.id == bindparam("tenant_id")))
HOLD_TENANT = Sql(
    select(_TENANT.id).where(_TENANT.id == bindparam("tenant_id")).with_for_update(key_share=True)
)
OWN_LIMITS = Sql(select(tenant_limits.c.limits).where(tenant_limits.c.tenant_id == bindparam("tenant_id")))
PUT_OWN_LIMITS = upsert(tenant_limits, ("tenant_id",))
ALL_TENANTS = Sql(select(tenants).order_by(_TENANT.created_at, _TENANT.id))

_MY_USERS = select(users).where(_USER.tenant_id == bindparam("tenant_id"))
ADD_USER = insert_or_ignore(users)
GET_USER = Sql(_MY_USERS.where(_USER.id == bindparam("user_id")))
PAGE_OF_USERS = Sql(
    _MY_USERS.where(before(_USER.created_at, _USER.id))
    .order_by(_USER.created_at.desc(), _USER.id.desc())
    .limit(bindparam("count"))
)
USER_NAMED = Sql(_MY_USERS.where(_USER.name == bindparam("name")))
OTHER_ADMIN = Sql(
    select(_USER.id)
    .where(
        _USER.tenant_id == bindparam("tenant_id"),
        _USER.role == "admin",
        _USER.disabled_at.is_(None),
        _USER.id != bindparam("user_id"),
    )
    .limit(1)
)
COUNT_USERS = Sql(
    select(func.count().label("count")).where(
        _USER.tenant_id == bindparam("tenant_id"), _USER.disabled_at.is_(None)
    )
)
DISABLE_USER = Sql(
    update(users)
    .where(_USER.tenant_id == bindparam("in_tenant"), _USER.id == bindparam("user_id"))
    .values(disabled_at=bindparam("at"), updated_at=bindparam("at"))
)
CHANGE_USER = Sql(
    update(users)
    .where(_USER.tenant_id == bindparam("in_tenant"), _USER.id == bindparam("user_id"))
    .values(
        name=bindparam("new_name"),
        email=bindparam("new_email"),
        email_key=bindparam("new_email_key"),
        external_id=bindparam("new_external_id"),
        role=bindparam("new_role"),
        updated_at=bindparam("at"),
    )
)

_MY_PROJECTS = select(projects).where(_PROJECT.tenant_id == bindparam("tenant_id"))
ADD_PROJECT = insert_or_ignore(projects)
GET_PROJECT = Sql(_MY_PROJECTS.where(_PROJECT.id == bindparam("project_id")))
COUNT_PROJECTS = Sql(select(func.count().label("count")).where(_PROJECT.tenant_id == bindparam("tenant_id")))
RENAME_PROJECT = Sql(
    update(projects)
    .where(_PROJECT.tenant_id == bindparam("in_tenant"), _PROJECT.id == bindparam("project_id"))
    .values(name=bindparam("new_name"), updated_at=bindparam("at"))
)


@lru_cache(maxsize=16)
def page_of_projects(count: int | None) -> Sql:
    """A page of all projects, or of those among `count` ids."""
    chosen = _MY_PROJECTS.where(before(_PROJECT.created_at, _PROJECT.id))
    if count is not None:
        chosen = chosen.where(any_of(_PROJECT.id, "project", count))
    return Sql(chosen.order_by(_PROJECT.created_at.desc(), _PROJECT.id.desc()).limit(bindparam("count")))


_NAMED_MEMBERS = (
    select(*_MEMBER, func.coalesce(_USER.name, _TOKEN.name).label("principal_name"))
    .select_from(
        members.outerjoin(
            users, and_(_MEMBER.principal_kind == "user", _USER.id == _MEMBER.principal_id)
        ).outerjoin(tokens, and_(_MEMBER.principal_kind == "service", _TOKEN.id == _MEMBER.principal_id))
    )
    .where(_MEMBER.tenant_id == bindparam("tenant_id"))
)
PUT_MEMBER = upsert(members, ("tenant_id", "project_id", "principal_kind", "principal_id"))
GET_MEMBER = Sql(
    _NAMED_MEMBERS.where(
        _MEMBER.project_id == bindparam("project_id"),
        _MEMBER.principal_kind == bindparam("principal_kind"),
        _MEMBER.principal_id == bindparam("principal_id"),
    )
)
PAGE_OF_MEMBERS = Sql(
    _NAMED_MEMBERS.where(
        _MEMBER.project_id == bindparam("project_id"), before(_MEMBER.added_at, _MEMBER.principal_id)
    )
    .order_by(_MEMBER.added_at.desc(), _MEMBER.principal_id.desc())
    .limit(bindparam("count"))
)
REMOVE_MEMBER = Sql(
    delete(members).where(
        _MEMBER.tenant_id == bindparam("tenant_id"),
        _MEMBER.project_id == bindparam("project_id"),
        _MEMBER.principal_kind == bindparam("principal_kind"),
        _MEMBER.principal_id == bindparam("principal_id"),
    )
)
MEMBERSHIPS = Sql(
    select(_MEMBER.project_id, _MEMBER.role).where(
        _MEMBER.tenant_id == bindparam("tenant_id"),
        _MEMBER.principal_kind == bindparam("principal_kind"),
        _MEMBER.principal_id == bindparam("principal_id"),
    )
)

_MY_TOKENS = select(tokens).where(_TOKEN.tenant_id == bindparam("tenant_id"))
ADD_TOKEN = insert(tokens)
GET_TOKEN = Sql(_MY_TOKENS.where(_TOKEN.id == bindparam("token_id")))
COUNT_TOKENS = Sql(
    select(func.count().label("count")).where(
        _TOKEN.tenant_id == bindparam("tenant_id"),
        _TOKEN.revoked_at.is_(None),
        or_(_TOKEN.expires_at.is_(None), _TOKEN.expires_at > bindparam("now")),
    )
)
REVOKE_TOKEN = Sql(
    update(tokens)
    .where(_TOKEN.tenant_id == bindparam("in_tenant"), _TOKEN.id == bindparam("token_id"))
    .values(revoked_at=bindparam("at"))
)
ROTATE_TOKEN = Sql(
    update(tokens)
    .where(_TOKEN.tenant_id == bindparam("in_tenant"), _TOKEN.id == bindparam("token_id"))
    .values(
        old_secret_hash=_TOKEN.secret_hash,
        secret_hash=bindparam("new_hash"),
        old_until=bindparam("keep_until"),
        rotated_at=bindparam("at"),
    )
)


@lru_cache(maxsize=16)
def page_of_tokens(count: int | None) -> Sql:
    """A page of all tokens, or of the caller's own and the service tokens of `count` projects."""
    chosen = _MY_TOKENS.where(before(_TOKEN.created_at, _TOKEN.id))
    if count is not None:
        run_by_caller = any_of(_TOKEN.project_id, "project", count)
        chosen = chosen.where(
            or_(_TOKEN.user_id == bindparam("own_user"), _TOKEN.id == bindparam("own_token"), run_by_caller)
        )
    return Sql(chosen.order_by(_TOKEN.created_at.desc(), _TOKEN.id.desc()).limit(bindparam("count")))


def tenant_in(row: Row) -> Tenant:
    """A row of tenants as a record."""
    return Tenant(**row)


def limits_in(text: str | None) -> dict[str, int]:
    """The limits that a tenant has of its own, by the words of `kernel.limits`."""
    return {} if text is None else json.read_stored(text)


def user_in(row: Row) -> User:
    """A row of users as a record; one that was made before there were changes has none."""
    fields: Row = {name: value for name, value in row.items() if name != "email_key"}
    fields |= {"role": role_of(row["role"]), "updated_at": row["updated_at"] or row["created_at"]}
    return User(**fields)


def project_in(row: Row) -> Project:
    """A row of projects as a record."""
    return Project(**row)


def member_in(row: Row) -> Member:
    """A row of members, with the principal's name, as a record."""
    return Member(
        project_id=row["project_id"],
        principal_kind=row["principal_kind"],
        principal_id=row["principal_id"],
        principal_name=row["principal_name"],
        role=Role[row["role"].upper()],
        reviewer_role=row["reviewer_role"],
        added_at=row["added_at"],
    )


_SECRETS = {"secret_hash", "old_secret_hash"}


def token_in(row: Row) -> Token:
    """A row of tokens as a record, without anything about its secret."""
    fields: Row = {name: value for name, value in row.items() if name not in _SECRETS}
    fields["role"] = role_of(row["role"])
    fields["scopes"] = None if row["scopes"] is None else tuple(json.read_stored(row["scopes"]))
    return Token(**fields)
