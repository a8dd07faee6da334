"""The identity room's statements, and the records that their rows become."""

from sqlalchemy import and_, bindparam, func, select

from setright.identity.tables import members, projects, tenants, tokens, users
from setright.storage import Sql, insert_or_ignore

_TOKEN = tokens.c
_MEMBER = members.c
_PRINCIPAL = and_(
    _MEMBER.tenant_id == _TOKEN.tenant_id,
    _MEMBER.principal_kind == _TOKEN.kind,
    _MEMBER.principal_id == func.coalesce(_TOKEN.user_id, _TOKEN.id),
)
BEARER = Sql(
    select(
        *_TOKEN,
        users.c.role.label("user_role"),
        users.c.disabled_at.label("user_disabled_at"),
        _MEMBER.project_id.label("member_project"),
        _MEMBER.role.label("member_role"),
    )
    .select_from(tokens.outerjoin(users, users.c.id == _TOKEN.user_id).outerjoin(members, _PRINCIPAL))
    .where(_TOKEN.id == bindparam("token_id"))
)
"""A token with its user and one row for each membership; the one statement that knows no tenant yet."""

ADD_TENANT = insert_or_ignore(tenants)
ADD_USER = insert_or_ignore(users)
ADD_PROJECT = insert_or_ignore(projects)
ADD_TOKEN = insert_or_ignore(tokens)
