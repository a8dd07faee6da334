"""What test runs read of corrections: which may be cases, and what each says; whose rights are not checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, bindparam, func, literal_column, or_, select

from setright.corrections import store
from setright.corrections.lifecycle import UNFIXED
from setright.corrections.model import Correction
from setright.corrections.tables import corrections
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Place
from setright.storage import Row, Snapshot, Sql
from setright.storage.lists import among, any_of, before, page_values, usual

C = corrections.c
_SHOWN = (
    C.id,
    C.project_id,
    C.run_id,
    C.subject_kind,
    C.subject_key,
    C.corrector_group_id,
    C.status,
    C.sorted_to,
    C.created_at,
    C.superseded_by,
    C.blind,
    C.adjudicated_by,
    C.content_erased_at,
)
_OF_TENANT = C.tenant_id == bindparam("tenant_id")
_OF_SUBJECT = (_OF_TENANT, C.subject_kind == bindparam("kind"), C.subject_key == bindparam("key"))
_PAGE = Sql(
    select(*_SHOWN)
    .where(*_OF_SUBJECT, before(C.created_at, C.id))
    .order_by(C.created_at.desc(), C.id.desc())
    .limit(bindparam("count"))
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A correction that may be tested, as far as the choice needs it; `why_not` tells why it is no case, if it is none."""

    id: str
    project_id: str
    run_id: str
    subject_kind: str
    subject_key: str
    corrector_group_id: str | None
    status: str
    sorted_to: str | None
    created_at: int
    is_blind: bool
    why_not: str | None


def candidates(at: Snapshot, kind: str, key: str, after: Place | None, limit: int) -> Sequence[Candidate]:
    """The corrections of a subject in all projects, newest first, after a place: those that are no cases too."""
    values = page_values(after, limit) | {"count": limit}
    rows = at.all(_PAGE, tenant_id=at.actor.tenant_id, kind=kind, key=key, **values)
    return [_candidate(row) for row in rows]


def candidates_of_runs(at: Snapshot, run_ids: Sequence[str]) -> Sequence[Candidate]:
    """Everything that was said about these runs, oldest first."""
    return _among(at, "run", run_ids)


def candidates_by_id(at: Snapshot, correction_ids: Sequence[str]) -> Mapping[str, Candidate]:
    """These corrections, by the ids as they were given; what the tenant does not have is not there."""
    stored = {text: with_prefix("cor", text) for text in correction_ids}
    found = {one.id: one for one in _among(at, "id", sorted(set(stored.values())))}
    return {text: found[stored_id] for text, stored_id in stored.items() if stored_id in found}


def corrections_by_id(at: Snapshot, correction_ids: Sequence[str]) -> Mapping[str, Correction]:
    """These corrections as they stand now, by id."""
    if not correction_ids:
        return {}
    count, names = among("value", correction_ids)
    rows = at.all(whole(count), tenant_id=at.actor.tenant_id, **names)
    return {row["id"]: store.record(row) for row in rows}


def count_to_fix(at: Snapshot, correction_ids: Sequence[str]) -> int:
    """How many of these a version that gets them right would make fixed."""
    return _count(at, correction_ids, UNFIXED)


def count_to_reopen(at: Snapshot, correction_ids: Sequence[str]) -> int:
    """How many of these a version that gets them wrong would open again."""
    return _count(at, correction_ids, ("fixed",))


def _count(at: Snapshot, correction_ids: Sequence[str], statuses: tuple[str, ...]) -> int:
    count, names = among("value", correction_ids)
    row = at.one(that_are(statuses, count), tenant_id=at.actor.tenant_id, **names)
    return int(row["count"]) if row else 0


def as_held(correction: Correction) -> Mapping[str, Any]:
    """A correction as matching takes it."""
    verdicts = {"id": correction.id, "decisions": correction.decisions, "answer": correction.answer}
    return {**correction.said, **verdicts}


def _candidate(row: Row) -> Candidate:
    reasons = (
        ("was superseded by a newer one", row["superseded_by"]),
        ("was removed", row["status"] == "removed"),
        ("is blind until its review is complete", row["blind"]),
        ("stands behind an admin's decision", row["adjudicated_by"]),
        ("was erased", row["content_erased_at"]),
    )
    why_not = next((reason for reason, holds in reasons if holds), None)
    apart = ("superseded_by", "blind", "adjudicated_by", "content_erased_at")
    shown = {name: row[name] for name in row if name not in apart}
    return Candidate(**shown, is_blind=row["blind"] is not None, why_not=why_not)


def _among(at: Snapshot, column: str, values: Sequence[str]) -> Sequence[Candidate]:
    if not values:
        return ()
    count, names = among("value", values)
    rows = at.all(these(column, count), tenant_id=at.actor.tenant_id, **names)
    return sorted(map(_candidate, rows), key=lambda one: (one.created_at, one.id))


@lru_cache(maxsize=32)
def these(column: str, count: int) -> Sql:
    """Corrections by their runs or ids; not in an order, for which SQLite would go through the whole tenant."""
    if column == "id":
        return _by_id(select(*_SHOWN), count)
    return Sql(select(*_SHOWN).where(_OF_TENANT, any_of(C.run_id, "value", count)))


@lru_cache(maxsize=16)
def whole(count: int) -> Sql:
    """Corrections by their ids, with what they say."""
    return _by_id(select(corrections), count)


@lru_cache(maxsize=32)
def that_are(statuses: tuple[str, ...], count: int) -> Sql:
    """How many of some corrections stand and have one of these statuses."""
    stands = (C.place == "", C.adjudicated_by.is_(None))
    are = or_(*(C.status == literal_column(f"'{status}'") for status in statuses))
    return _by_id(select(func.count().label("count")).where(are, *stands), count)


def _by_id(wanted: Select[*tuple[Any, ...]], count: int) -> Sql:
    found = wanted.where(any_of(C.id, "value", count))
    return Sql(found.where(usual(_OF_TENANT)), postgresql=found.where(_OF_TENANT))
