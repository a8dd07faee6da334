"""What must be true of the rows of subjects: each was seen in a project, at a version."""

from collections.abc import Iterator

from sqlalchemy import bindparam, exists, func, or_, select

from setright.storage import RowFault, Seen, Snapshot, Sql
from setright.subjects.tables import subject_projects, subject_versions, subjects

MOST = 100
_S, _V, _P = subjects.c, subject_versions.c, subject_projects.c
_ITS = _S.tenant_id == bindparam("tenant_id")
_VERSIONED = exists().where(_V.tenant_id == _S.tenant_id, _V.kind == _S.kind, _V.key == _S.key)
_PLACED = exists().where(_P.tenant_id == _S.tenant_id, _P.kind == _S.kind, _P.key == _S.key)
_LATEST = exists().where(
    _V.tenant_id == _S.tenant_id, _V.kind == _S.kind, _V.key == _S.key, _V.version == _S.latest_version
)
COUNT = Sql(select(func.count().label("count")).where(_ITS))
UNSEEN = Sql(select(_S.kind, _S.key).where(_ITS, or_(~_VERSIONED, ~_PLACED)).limit(MOST))
NO_LATEST = Sql(
    select(_S.kind, _S.key, _S.latest_version)
    .where(_ITS, _S.latest_version.is_not(None), ~_LATEST)
    .limit(MOST)
)


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Subjects that were seen at no version or in no project, or whose latest version is none of theirs."""
    tenant = {"tenant_id": at.actor.tenant_id}
    row = at.one(COUNT, **tenant)
    seen(row["count"] if row else 0)
    for subject in at.all(UNSEEN, **tenant):
        yield RowFault("subjects", _id(subject), "it was seen at no version, or in no project")
    for subject in at.all(NO_LATEST, **tenant):
        yield RowFault(
            "subjects", _id(subject), f"its latest version {subject['latest_version']!r} is not known"
        )


def _id(subject: dict[str, str]) -> str:
    return f"{subject['kind']}/{subject['key']}"
