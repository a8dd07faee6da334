"""The statements about subjects, their versions and the projects they were seen in."""

from functools import lru_cache
from typing import get_args

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, literal_column, or_, select, update

from setright.storage import Row, Sql, insert_or_ignore
from setright.storage.lists import any_of, before
from setright.subjects.model import Kind, Subject
from setright.subjects.tables import subject_projects, subject_versions, subjects

_S, _V, _P = subjects.c, subject_versions.c, subject_projects.c
_SHOWN = (
    _S.kind,
    _S.key,
    _S.id,
    _S.name,
    _S.description,
    _S.owner_id,
    _S.latest_version,
    _S.created_at,
    _S.updated_at,
)
_KIND = and_(_S.tenant_id == bindparam("tenant_id"), _S.kind == bindparam("kind"))
_THIS = and_(_KIND, _S.key == bindparam("key"))
_ITS_VERSIONS = and_(_V.tenant_id == _S.tenant_id, _V.kind == _S.kind, _V.key == _S.key)
_ITS_PROJECTS = and_(_P.tenant_id == _S.tenant_id, _P.kind == _S.kind, _P.key == _S.key)

KNOWN = Sql(
    select(_S.id, _V.version, _P.project_id)
    .select_from(
        subjects.outerjoin(
            subject_versions, and_(_ITS_VERSIONS, _V.version == bindparam("version"))
        ).outerjoin(subject_projects, and_(_ITS_PROJECTS, _P.project_id == bindparam("project_id")))
    )
    .where(_THIS)
)
ADD = insert_or_ignore(subjects)
ADD_VERSION = insert_or_ignore(subject_versions)
ADD_PROJECT = insert_or_ignore(subject_projects)
HOLD = Sql(select(*_SHOWN).where(_THIS).with_for_update(key_share=True))
PROJECTS = Sql(select(_P.project_id).select_from(subjects.join(subject_projects, _ITS_PROJECTS)).where(_THIS))
VERSIONS = Sql(
    select(_V.version, _V.first_seen_at, _V.deployed_at)
    .select_from(subjects.join(subject_versions, _ITS_VERSIONS))
    .where(_THIS)
    .order_by(func.coalesce(_V.deployed_at, _V.first_seen_at), _V.first_seen_at, _V.version)
)
CHANGE = Sql(
    update(subjects)
    .where(_THIS)
    .values(
        name=bindparam("new_name"),
        description=bindparam("new_description"),
        owner_id=bindparam("new_owner_id"),
        updated_at=bindparam("now"),
    )
)


@lru_cache(maxsize=64)
def one(projects: int | None) -> Sql:
    """One subject, if it was seen in one of so many projects (`project_0` and on); None: in any."""
    return Sql(select(*_SHOWN).where(_THIS, *_seen_in(projects)))


@lru_cache(maxsize=64)
def page(projects: int | None) -> Sql:
    """A page of one kind of subjects, newest first, of those that `one` would find."""
    return Sql(
        select(*_SHOWN)
        .where(_KIND, *_seen_in(projects), before(_S.created_at, _S.key))
        .order_by(_S.created_at.desc(), _S.key.desc())
        .limit(bindparam("count"))
    )


@lru_cache(maxsize=64)
def spellings(keys: int) -> Sql:
    """The ids behind so many keys (`key_0` and on), of agents and flows alike."""
    kinds = or_(*(_S.kind == literal_column(f"'{kind}'") for kind in get_args(Kind)))
    these = (_S.tenant_id == bindparam("tenant_id"), kinds, any_of(_S.key, "key", keys))
    return Sql(select(_S.kind, _S.key, _S.id).where(*these))


def _seen_in(projects: int | None) -> list[ColumnElement[bool]]:
    if projects is None:
        return []
    return [exists().where(_ITS_PROJECTS, any_of(_P.project_id, "project", projects))]


def subject_in(row: Row) -> Subject:
    """A row of subjects as a record."""
    return Subject(**row)
