"""The statements about what versions made of corrections, and what moved by it; every one filters by tenant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import and_, bindparam, func, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite

from setright.proof.tables import evidence_moves, newest_verdicts, verdicts
from setright.storage import Snapshot, Sql, Tx, insert
from setright.storage.lists import among, any_of
from setright.storage.sql import by_name
from setright.subjects import SubjectRef

_N, _M, _V = newest_verdicts.c, evidence_moves.c, verdicts.c
_OF_VERSION = and_(
    _N.tenant_id == bindparam("tenant_id"),
    _N.subject_kind == bindparam("kind"),
    _N.subject_key == bindparam("key"),
    _N.subject_version == bindparam("version"),
)
_IN_PROJECT = and_(_OF_VERSION, _N.project_id == bindparam("project_id"))
_AFTER = tuple_(_N.project_id, _N.correction_id) > tuple_(
    bindparam("after_project"), bindparam("after_correction")
)
_JUDGED = (
    select(_N.project_id, _N.correction_id)
    .where(_OF_VERSION, _AFTER)
    .order_by(_N.project_id, _N.correction_id)
    .limit(bindparam("count"))
)
_JUDGED_IN_ALL = Sql(_JUDGED)
_JUDGED_IN_ONE = Sql(_JUDGED.where(_N.project_id == bindparam("project_id")))
_LEFT = Sql(
    select(func.count().label("left"))
    .select_from(newest_verdicts)
    .where(_IN_PROJECT, _N.correction_id > bindparam("after"))
)
_LEFT_OF_TEST_RUN = Sql(
    select(func.count(_V.correction_id.distinct()).label("left")).where(
        _V.tenant_id == bindparam("tenant_id"),
        _V.test_run_id == bindparam("test_run_id"),
        _V.correction_id > bindparam("after"),
    )
)
_ADD_MOVE = insert(evidence_moves)


@dataclass(frozen=True, slots=True)
class NewestVerdict:
    """What the newest finished test run with a word on it says that a version made of a correction."""

    correction_id: str
    verdict: str
    wrong_aspect: str | None
    test_run_id: str
    ended_at: int


def _keeps(adding: Any) -> Any:
    """An insert that, where an older word stands, takes its place."""
    told = ("verdict", "wrong_aspect", "test_run_id", "ended_at")
    return adding.values(by_name(newest_verdicts)).on_conflict_do_update(
        index_elements=[column.name for column in newest_verdicts.primary_key.columns],
        set_={name: adding.excluded[name] for name in told},
        where=tuple_(adding.excluded.ended_at, adding.excluded.test_run_id)
        > tuple_(_N.ended_at, _N.test_run_id),
    )


_KEEP = Sql(_keeps(sqlite.insert(newest_verdicts)), postgresql=_keeps(postgresql.insert(newest_verdicts)))


@lru_cache(maxsize=16)
def _newest(count: int) -> Sql:
    shown = (_N.correction_id, _N.verdict, _N.wrong_aspect, _N.test_run_id, _N.ended_at)
    return Sql(select(*shown).where(_IN_PROJECT, any_of(_N.correction_id, "correction", count)))


@lru_cache(maxsize=16)
def _moved_already(count: int) -> Sql:
    these = (_M.tenant_id == bindparam("tenant_id"), _M.cause_id == bindparam("cause_id"))
    return Sql(select(_M.correction_id).where(*these, any_of(_M.correction_id, "correction", count)))


def judged(
    at: Snapshot, version: SubjectRef, project_id: str | None, after: Sequence[str], most: int
) -> Sequence[tuple[str, str]]:
    """The next corrections that a version was held against, each behind its project; in one project, or in all."""
    values = _values(at, version) | {"after_project": after[0], "after_correction": after[1], "count": most}
    if project_id is None:
        rows = at.all(_JUDGED_IN_ALL, **values)
    else:
        rows = at.all(_JUDGED_IN_ONE, **values, project_id=project_id)
    return [(row["project_id"], row["correction_id"]) for row in rows]


def keep(tx: Tx, version: SubjectRef, project_id: str, word: NewestVerdict) -> None:
    """Remember what a finished test run says of a correction, unless a newer one spoke of it."""
    tx.add(
        _KEEP,
        tenant_id=tx.actor.tenant_id,
        subject_kind=version.kind,
        subject_key=version.key,
        subject_version=version.version,
        project_id=project_id,
        correction_id=word.correction_id,
        verdict=word.verdict,
        wrong_aspect=word.wrong_aspect,
        test_run_id=word.test_run_id,
        ended_at=word.ended_at,
    )


def newest(
    at: Snapshot, version: SubjectRef, project_id: str, correction_ids: Sequence[str]
) -> Mapping[str, NewestVerdict]:
    """What a version made of these corrections, by id; what no finished test run judged is not there."""
    count, names = among("correction", correction_ids)
    rows = at.all(_newest(count), **_values(at, version), project_id=project_id, **names)
    return {row["correction_id"]: NewestVerdict(**row) for row in rows}


def moved_already(at: Snapshot, cause_id: str, correction_ids: Sequence[str]) -> set[str]:
    """Those of these corrections that a cause has moved."""
    count, names = among("correction", correction_ids)
    rows = at.all(_moved_already(count), tenant_id=at.actor.tenant_id, cause_id=cause_id, **names)
    return {row["correction_id"] for row in rows}


def add_move(tx: Tx, cause_id: str, version: str, word: NewestVerdict, status: str) -> None:
    """Keep that a cause moved a correction, and by which test run's word."""
    tx.add(
        _ADD_MOVE,
        tenant_id=tx.actor.tenant_id,
        cause_id=cause_id,
        correction_id=word.correction_id,
        test_run_id=word.test_run_id,
        subject_version=version,
        verdict=word.verdict,
        status=status,
        at=tx.now,
    )


def left(at: Snapshot, version: SubjectRef, project_id: str, after: str) -> int:
    """How many corrections of a project come after one among those that a version was held against."""
    row = at.one(_LEFT, **_values(at, version), project_id=project_id, after=after)
    return row["left"] if row else 0


def left_of_test_run(at: Snapshot, test_run_id: str, after: str) -> int:
    """How many corrections come after one among those that a test run was held against."""
    row = at.one(_LEFT_OF_TEST_RUN, tenant_id=at.actor.tenant_id, test_run_id=test_run_id, after=after)
    return row["left"] if row else 0


def _values(at: Snapshot, version: SubjectRef) -> dict[str, Any]:
    return {
        "tenant_id": at.actor.tenant_id,
        "kind": version.kind,
        "key": version.key,
        "version": version.version,
    }
