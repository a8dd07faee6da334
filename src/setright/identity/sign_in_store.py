"""The statements about passwords, invitations and sessions, and the records that their rows become."""

from sqlalchemy import bindparam, delete, or_, select, update

from setright.identity.model import Session
from setright.identity.sign_in_model import Invitation
from setright.identity.tables import invitations, members, passwords, tenants, user_sessions, users
from setright.identity.tables import tenant_limits as limits
from setright.storage import Row, Sql, insert, upsert
from setright.storage.lists import before

_T, _U, _P, _I, _S, _M = tenants.c, users.c, passwords.c, invitations.c, user_sessions.c, members.c

SOME_TENANTS = Sql(select(_T.id).order_by(_T.created_at, _T.id).limit(2))
TENANT_CALLED = Sql(
    select(_T.id).where(or_(_T.name == bindparam("called"), _T.id == bindparam("called"))).limit(1)
)
WITH_PASSWORD = Sql(
    select(*users.c, _P.password_hash)
    .select_from(users.join(passwords, (_P.tenant_id == _U.tenant_id) & (_P.user_id == _U.id)))
    .where(
        _U.tenant_id == bindparam("tenant_id"),
        _U.email_key == bindparam("email_key"),
        _U.disabled_at.is_(None),
    )
    .order_by(_U.id)
    .limit(2)
)
"""Users with this address who can sign in; two at most, for one has to be told from several."""
PUT_PASSWORD = upsert(passwords, ("tenant_id", "user_id"))
REHASH = Sql(
    update(passwords)
    .where(_P.tenant_id == bindparam("in_tenant"), _P.user_id == bindparam("of_user"))
    .values(password_hash=bindparam("new_hash"))
)
DROP_PASSWORD = Sql(
    delete(passwords).where(_P.tenant_id == bindparam("in_tenant"), _P.user_id == bindparam("of_user"))
)
PASSWORD_OF = Sql(
    select(_P.password_hash).where(_P.tenant_id == bindparam("tenant_id"), _P.user_id == bindparam("user_id"))
)

PUT_INVITATION = upsert(invitations, ("tenant_id", "user_id"))
FIND_INVITATION = Sql(select(invitations).where(_I.id == bindparam("invitation_id")))
"""An invitation by what was presented, which knows no tenant yet."""
DROP_INVITATION = Sql(
    delete(invitations).where(_I.tenant_id == bindparam("in_tenant"), _I.user_id == bindparam("of_user"))
)

ADD_SESSION = insert(user_sessions)
SESSION_BEARER = Sql(
    select(
        *_S,
        _U.role.label("user_role"),
        _U.disabled_at.label("user_disabled_at"),
        _M.project_id.label("member_project"),
        _M.role.label("member_role"),
        limits.c.limits.label("own_limits"),
    )
    .select_from(
        user_sessions.join(users, (_U.tenant_id == _S.tenant_id) & (_U.id == _S.user_id))
        .outerjoin(limits, limits.c.tenant_id == _S.tenant_id)
        .outerjoin(
            members,
            (_M.tenant_id == _S.tenant_id)
            & (_M.principal_kind == bindparam("kind_of_user"))
            & (_M.principal_id == _S.user_id),
        )
    )
    .where(_S.id == bindparam("session_id"))
)
"""A session with its user, its tenant's own limits, and one row for each membership; it knows no tenant yet."""
_MY_SESSIONS = select(user_sessions).where(_S.tenant_id == bindparam("tenant_id"))
GET_SESSION = Sql(_MY_SESSIONS.where(_S.id == bindparam("session_id")))
_NOT_OVER = (
    _S.ended_at.is_(None) & (_S.expires_at > bindparam("now")) & (_S.seen_at + _S.idle_for > bindparam("now"))
)
PAGE_OF_SESSIONS = Sql(
    _MY_SESSIONS.where(_S.user_id == bindparam("user_id"), _NOT_OVER, before(_S.created_at, _S.id))
    .order_by(_S.created_at.desc(), _S.id.desc())
    .limit(bindparam("count"))
)
"""A page of the sessions of a user that let in."""
_THAT_SESSION = (_S.tenant_id == bindparam("in_tenant")) & (_S.id == bindparam("of_session"))
SEE_SESSION = Sql(
    update(user_sessions)
    .where(_THAT_SESSION, _S.ended_at.is_(None), _S.seen_at < bindparam("at"))
    .values(seen_at=bindparam("at"))
)
END_SESSION = Sql(update(user_sessions).where(_THAT_SESSION).values(ended_at=bindparam("at")))
_OF_USER = (_S.tenant_id == bindparam("in_tenant")) & (_S.user_id == bindparam("of_user"))
END_SESSIONS = Sql(
    update(user_sessions).where(_OF_USER, _S.ended_at.is_(None)).values(ended_at=bindparam("at"))
)
DROP_SESSIONS = Sql(delete(user_sessions).where(_OF_USER))
DROP_OLD_SESSIONS = Sql(
    delete(user_sessions).where(
        _S.id.in_(
            select(_S.id)
            .where(_S.expires_at < bindparam("before"))
            .order_by(_S.expires_at)
            .limit(bindparam("count"))
        )
    )
)


def session_in(row: Row) -> Session:
    """A row of user_sessions, with or without its user beside it, as a record without anything about its secret."""
    return Session(
        id=row["id"],
        tenant_id=row["tenant_id"],
        user_id=row["user_id"],
        idle_for=row["idle_for"],
        created_at=row["created_at"],
        seen_at=row["seen_at"],
        expires_at=row["expires_at"],
        ended_at=row["ended_at"],
    )


def invitation_in(row: Row) -> Invitation:
    """A row of invitations as a record, without anything about its secret."""
    return Invitation(row["id"], row["tenant_id"], row["user_id"], row["created_at"], row["expires_at"])
