"""The statements about which version runs where, its history, and what the tools of a project do."""

from functools import lru_cache

from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, func, or_, select, update

from setright.storage import Row, Sql, insert, insert_or_ignore, upsert
from setright.storage.lists import before
from setright.subjects.model import Running, ToolEffect, VersionChange
from setright.subjects.tables import (
    pins,
    subject_projects,
    subject_versions,
    subjects,
    tool_effects,
    version_changes,
)

_S, _V, _P, _PIN, _H, _T = (
    subjects.c,
    subject_versions.c,
    subject_projects.c,
    pins.c,
    version_changes.c,
    tool_effects.c,
)
_TENANT: ColumnElement[str] = bindparam("tenant_id")
_OF_SUBJECT = and_(_V.tenant_id == _TENANT, _V.kind == bindparam("kind"), _V.key == bindparam("key"))
_THIS = and_(_S.tenant_id == _TENANT, _S.kind == bindparam("kind"), _S.key == bindparam("key"))
_THE_PIN = and_(
    _PIN.tenant_id == _TENANT,
    _PIN.project_id == bindparam("project_id"),
    _PIN.kind == bindparam("kind"),
    _PIN.key == bindparam("key"),
)
_OF_CHANGED = and_(_H.tenant_id == _TENANT, _H.kind == bindparam("kind"), _H.key == bindparam("key"))
_ITS_PIN = and_(
    _PIN.tenant_id == _P.tenant_id,
    _PIN.project_id == _P.project_id,
    _PIN.kind == _P.kind,
    _PIN.key == _P.key,
)
_THE_TOOL = and_(
    _T.tenant_id == _TENANT, _T.project_id == bindparam("project_id"), _T.tool == bindparam("tool")
)

ADD_VERSION = insert_or_ignore(subject_versions)
SEE_PROJECT = insert_or_ignore(subject_projects)
FIRST_DEPLOY = Sql(
    update(subject_versions)
    .where(_OF_SUBJECT, _V.version == bindparam("version"), _V.deployed_at.is_(None))
    .values(deployed_at=bindparam("now"))
)
ORDER = Sql(
    select(_V.version)
    .where(_OF_SUBJECT)
    .order_by(func.coalesce(_V.deployed_at, _V.first_seen_at), _V.first_seen_at, _V.version)
)
SET_LATEST = Sql(
    update(subjects)
    .where(_THIS)
    .values(
        latest_version=bindparam("new_version"),
        latest_change_id=bindparam("new_change"),
        updated_at=bindparam("now"),
    )
)
LATEST_CHANGE = Sql(select(_S.latest_change_id).where(_THIS))
ADD_CHANGE = insert(version_changes)
_ITS_SUBJECT = and_(_S.tenant_id == _H.tenant_id, _S.kind == _H.kind, _S.key == _H.key)
_CHANGE = select(
    *[column for column in _H if column.name != "tenant_id"], _S.id.label("subject_id")
).select_from(version_changes.join(subjects, _ITS_SUBJECT))
GET_CHANGE = Sql(_CHANGE.where(_H.tenant_id == _TENANT, _H.id == bindparam("id")))
HOLD_WHAT_RUNS = Sql(select(_S.key).where(_THIS).with_for_update(read=True))
NEWEST_CHANGE = Sql(select(func.max(_H.at).label("at")).where(_OF_CHANGED))
FOLLOWED = Sql(
    _CHANGE.where(
        _OF_CHANGED,
        or_(_H.verb == "deploy", and_(_H.verb == "unpin", _H.project_id == bindparam("project_id"))),
    )
    .order_by(_H.at.desc(), _H.id.desc())
    .limit(1)
)
PIN = upsert(pins, ("tenant_id", "project_id", "kind", "key"))
PINNED = Sql(select(_PIN.version, _PIN.change_id).where(_THE_PIN))
UNPIN = Sql(delete(pins).where(_THE_PIN))
FOLLOWING = Sql(
    select(_P.project_id)
    .where(
        _P.tenant_id == _TENANT,
        _P.kind == bindparam("kind"),
        _P.key == bindparam("key"),
        ~exists().where(_ITS_PIN),
    )
    .order_by(_P.project_id)
)
_EARLIER = version_changes.alias("earlier").c
_FOLLOWED_BY = (
    select(_EARLIER.id)
    .where(
        _EARLIER.tenant_id == _P.tenant_id,
        _EARLIER.kind == _P.kind,
        _EARLIER.key == _P.key,
        or_(
            _EARLIER.verb == "deploy",
            and_(_EARLIER.verb == "unpin", _EARLIER.project_id == _P.project_id),
        ),
    )
    .order_by(_EARLIER.at.desc(), _EARLIER.id.desc())
    .limit(1)
    .scalar_subquery()
)
_RUNS_BY = and_(_H.tenant_id == _P.tenant_id, _H.id == func.coalesce(_PIN.change_id, _FOLLOWED_BY))
RUNNING = (
    select(
        _S.kind,
        _S.key,
        _S.id,
        func.coalesce(_PIN.version, _S.latest_version).label("version"),
        _PIN.change_id.label("pin_id"),
        _H.verb,
        _H.why,
        _H.by_kind,
        _H.by_id,
        _H.at,
        _P.first_seen_at,
    )
    .select_from(
        subject_projects.join(
            subjects, and_(_S.tenant_id == _P.tenant_id, _S.kind == _P.kind, _S.key == _P.key)
        )
        .outerjoin(pins, _ITS_PIN)
        .outerjoin(version_changes, _RUNS_BY)
    )
    .where(_P.tenant_id == _TENANT, _P.project_id == bindparam("project_id"))
)
RUNNING_PAGE = Sql(
    RUNNING.where(before(_P.first_seen_at, _P.kind + ":" + _P.key))
    .order_by(_P.first_seen_at.desc(), (_P.kind + ":" + _P.key).desc())
    .limit(bindparam("count"))
)
RUNNING_ONE = Sql(RUNNING.where(_P.kind == bindparam("kind"), _P.key == bindparam("key")))

SET_EFFECT = upsert(tool_effects, ("tenant_id", "project_id", "tool"))
_EFFECT = select(_T.tool, _T.effect, _T.by_kind, _T.by_id, _T.at)
GET_EFFECT = Sql(_EFFECT.where(_THE_TOOL))
DROP_EFFECT = Sql(delete(tool_effects).where(_THE_TOOL))
EFFECTS = Sql(
    select(_T.tool, _T.effect).where(_T.tenant_id == _TENANT, _T.project_id == bindparam("project_id"))
)
EFFECTS_PAGE = Sql(
    _EFFECT.where(_T.tenant_id == _TENANT, _T.project_id == bindparam("project_id"), before(_T.at, _T.tool))
    .order_by(_T.at.desc(), _T.tool.desc())
    .limit(bindparam("count"))
)


@lru_cache(maxsize=8)
def changes_page(where: str) -> Sql:
    """A page of changes, newest first: `deploys` of a subject, or those of a `project`, of one subject or of all."""
    narrowed = {
        "deploys": and_(_H.verb == "deploy", _H.kind == bindparam("kind"), _H.key == bindparam("key")),
        "project": _H.project_id == bindparam("project_id"),
    }[where]
    return Sql(
        _CHANGE.where(_H.tenant_id == _TENANT, narrowed, before(_H.at, _H.id))
        .order_by(_H.at.desc(), _H.id.desc())
        .limit(bindparam("count"))
    )


def change_in(row: Row) -> VersionChange:
    """A row of changes as a record; a deploy belongs to no project."""
    whole = dict(row)
    whole["project_id"] = row["project_id"] or None
    return VersionChange(**whole)


def running_in(row: Row) -> Running:
    """A row of what runs as a record."""
    return Running(**row)


def effect_in(row: Row) -> ToolEffect:
    """A row of tool effects as a record."""
    return ToolEffect(**row)
