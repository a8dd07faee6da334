"""What must be true of the rows of tenants, users, tokens, projects and members, beyond what foreign keys hold."""

from collections.abc import Iterator

from sqlalchemy import and_, bindparam, exists, func, literal_column, or_, select

from setright.identity.numbers import numbers_given
from setright.identity.tables import members, projects, scholar_claims, scholars, tokens, users
from setright.storage import RowFault, Seen, Snapshot, Sql

MOST = 100
_M, _P, _T, _U = members.c, projects.c, tokens.c, users.c
_OF_TENANT = _M.tenant_id == bindparam("tenant_id")
_IS_USER = exists().where(_U.tenant_id == _M.tenant_id, _U.id == _M.principal_id)
_IS_TOKEN = exists().where(_T.tenant_id == _M.tenant_id, _T.id == _M.principal_id)
_USER = and_(_M.principal_kind == literal_column("'user'"), _IS_USER)
_SERVICE = and_(_M.principal_kind == literal_column("'service'"), _IS_TOKEN)
COUNT = Sql(select(func.count().label("count")).where(_OF_TENANT))
STRANGERS = Sql(
    select(_M.project_id, _M.principal_kind, _M.principal_id)
    .where(
        _OF_TENANT,
        ~or_(_USER, _SERVICE),
    )
    .limit(MOST)
)
LOST_TOKENS = Sql(
    select(_T.id, _T.project_id)
    .where(
        _T.tenant_id == bindparam("tenant_id"),
        _T.project_id.is_not(None),
        ~exists().where(_P.tenant_id == _T.tenant_id, _P.id == _T.project_id),
    )
    .limit(MOST)
)

_C, _S = scholar_claims.c, scholars.c
WITHOUT_END = Sql(
    select(_C.id)
    .where(
        _C.tenant_id == bindparam("tenant_id"),
        (_C.status == literal_column("'asked'")) == _C.decided_at.is_not(None),
    )
    .limit(MOST)
)
HIGHEST = Sql(select(func.max(_S.number).label("number")).where(_S.tenant_id == bindparam("tenant_id")))


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Members who are nobody, tokens for projects that are not there, and scholars and claims that contradict themselves."""
    tenant = {"tenant_id": at.actor.tenant_id}
    row = at.one(COUNT, **tenant)
    seen(row["count"] if row else 0)
    for member in at.all(STRANGERS, **tenant):
        yield RowFault(
            "members",
            f"{member['project_id']}/{member['principal_id']}",
            f"there is no {member['principal_kind']} of that id",
        )
    for token in at.all(LOST_TOKENS, **tenant):
        yield RowFault("tokens", token["id"], f"there is no project {token['project_id']}")
    for claim in at.all(WITHOUT_END, **tenant):
        yield RowFault("scholar_claims", claim["id"], "its status is not that of what was decided")
    found, given = at.one(HIGHEST, **tenant), numbers_given(at).get("scholar", 0)
    if found is not None and (found["number"] or 0) > given:
        yield RowFault("scholars", str(found["number"]), f"its number was not given yet: the last is {given}")
