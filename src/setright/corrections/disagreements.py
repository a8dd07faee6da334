"""The units of runs on which those who judged them disagree, newest first, and who says what."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    bindparam,
    literal_column,
    select,
    tuple_,
    union_all,
)

from setright import subjects
from setright.corrections.model import Subject
from setright.corrections.raters import rating_in
from setright.corrections.ratings import MOST_PAIRED, Unit
from setright.corrections.tables import agreement_units, corrections
from setright.kernel.clock import LATEST_TIME
from setright.kernel.paging import Page, Place, page_of
from setright.storage import Row, Snapshot, Sql
from setright.storage.lists import among, any_of, narrows, numbered

FEW_PROJECTS = 32
Few = Callable[[ColumnElement[bool]], ColumnElement[bool]]
Branches = list[list[ColumnElement[bool]]]
_U, _C = agreement_units.c, corrections.c
_ORDER = (_U.changed_at, _U.run_id, _U.item_key, _U.aspect)
_BEFORE = tuple_(*_ORDER) < tuple_(
    bindparam("before", type_=BigInteger()), *map(bindparam, ("before_run", "before_key", "before_aspect"))
)
_ZERO: ColumnElement[int] = literal_column("0")
_ALL = and_(_U.rights > _ZERO, _U.wrongs > _ZERO)
_AMONG = {
    None: _ALL,
    True: and_(_U.expert_rights > _ZERO, _U.expert_wrongs > _ZERO),
    False: and_(_ALL, _U.rights > _U.expert_rights, _U.wrongs > _U.expert_wrongs),
}
_FILTERS = {
    "subject_kind": _U.subject_kind == bindparam("subject_kind"),
    "subject_key": _U.subject_key == bindparam("subject_key"),
    "subject_version": _U.subject_version == bindparam("subject_version"),
}
_SAID = Sql(
    select(
        _C.id,
        _C.made_by_kind,
        _C.made_by_id,
        _C.participant_key,
        _C.expert,
        _C.decisions,
        _C.answer,
        _C.said,
    )
    .where(
        _C.tenant_id == bindparam("tenant_id"),
        _C.run_id == bindparam("run_id"),
        _C.place == bindparam("place"),
        _C.blind.is_(None),
    )
    .order_by(_C.made_by_kind, _C.made_by_id, _C.participant_key)
    .limit(MOST_PAIRED)
)


@dataclass(frozen=True, slots=True)
class Rater:
    """A caller who corrects, for a participant or not."""

    kind: str
    id: str
    participant_id: str | None


@dataclass(frozen=True, slots=True)
class Voice:
    """What one rater says of a unit, and in which correction."""

    correction_id: str
    rater: Rater
    expert: bool
    right: bool


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A unit of a run of which some say right and some wrong; `voices` are up to 16 of them."""

    run_id: str
    project_id: str
    subject: Subject
    aspect: str
    item_key: str | None
    rights: int
    wrongs: int
    changed_at: int
    voices: Sequence[Voice]


def list_disagreements(
    at: Snapshot,
    projects: Sequence[str] | None,
    subject: Mapping[str, str],
    aspects: tuple[str, ...],
    expert: bool | None,
    after: Place | None,
    limit: int,
) -> Page[Disagreement]:
    """A page of disagreements about these aspects: of all raters, of the experts among themselves, or of the others."""
    read = numbered if len(projects or ()) <= FEW_PROJECTS else among
    count, names = (None, {}) if projects is None else read("project", projects)
    values = {**subject, **names, **_begin(after), "count": limit + 1}
    rows = at.all(
        _statement(frozenset(subject), count, aspects, expert), tenant_id=at.actor.tenant_id, **values
    )
    if not rows:
        return Page([])
    spelled = subjects.spellings(at, {(row["subject_kind"], row["subject_key"]) for row in rows[:limit]})
    said = {run_id: _said(at, run_id, expert) for run_id in {row["run_id"] for row in rows[:limit]}}
    return page_of(rows, limit, _place, lambda row: _disagreement(row, spelled, said[row["run_id"]], expert))


@lru_cache(maxsize=512)
def _statement(
    shape: frozenset[str], projects: int | None, aspects: tuple[str, ...], expert: bool | None
) -> Sql:
    """Each aspect, and each of a few projects, is a branch that walks an index of its own and stops at the limit.

    Where there is an index of the agent, flow or version there is no branch for each project.
    """
    where = [_U.tenant_id == bindparam("tenant_id"), _AMONG[expert], _BEFORE]
    return Sql(
        _merged(where, _branches(shape, projects, aspects, narrows)),
        postgresql=_merged(where, _branches(shape, projects, aspects, lambda condition: condition)),
    )


def _branches(shape: frozenset[str], projects: int | None, aspects: tuple[str, ...], few: Few) -> Branches:
    subject = [few(_FILTERS[name]) for name in sorted(shape)]
    chosen: Branches = [subject]
    if projects is not None and (shape or projects > FEW_PROJECTS):
        chosen = [[*subject, any_of(_U.project_id, "project", projects)]]
    elif projects is not None:
        chosen = [[few(_U.project_id == bindparam(f"project_{number}"))] for number in range(projects)]
    of_aspect = [_U.aspect == literal_column(f"'{aspect}'") for aspect in aspects]
    return [[*conditions, one] for conditions in chosen for one in of_aspect]


def _merged(where: list[ColumnElement[bool]], branches: Branches) -> Select[Any]:
    walks = [_newest(select(agreement_units).where(*where, *branch), _ORDER) for branch in branches]
    if len(walks) == 1:
        return walks[0]
    whole = union_all(*(select(walk.subquery()) for walk in walks)).subquery()
    return _newest(select(whole), [whole.c[column.name] for column in _ORDER])


def _newest(found: Select[Any], order: Iterable[ColumnElement[Any]]) -> Select[Any]:
    return found.order_by(*(column.desc() for column in order)).limit(bindparam("count"))


def _begin(place: Place | None) -> dict[str, Any]:
    run_id, key, aspect = ("", "", "") if place is None else place.id.split("\0")
    moment = LATEST_TIME + 1 if place is None else place.moment
    return {"before": moment, "before_run": run_id, "before_key": key, "before_aspect": aspect}


def _place(row: Row) -> Place:
    return Place(row["changed_at"], "\0".join((row["run_id"], row["item_key"], row["aspect"])))


def _said(at: Snapshot, run_id: str, expert: bool | None) -> dict[Unit, list[Voice]]:
    """What is said of each unit of a run."""
    found: dict[Unit, list[Voice]] = {}
    for row in at.all(_SAID, tenant_id=at.actor.tenant_id, run_id=run_id, place=""):
        rating = rating_in(row)
        if expert is not None and rating.expert != expert:
            continue
        rater = Rater(row["made_by_kind"], row["made_by_id"], row["participant_key"] or None)
        for unit, right in rating.verdicts.items():
            found.setdefault(unit, []).append(Voice(row["id"], rater, rating.expert, right))
    return found


def _disagreement(
    row: Row,
    names: Mapping[tuple[str, str], str],
    said: Mapping[Unit, Sequence[Voice]],
    expert: bool | None,
) -> Disagreement:
    kind, key = row["subject_kind"], row["subject_key"]
    counts = {
        None: (row["rights"], row["wrongs"]),
        True: (row["expert_rights"], row["expert_wrongs"]),
        False: (row["rights"] - row["expert_rights"], row["wrongs"] - row["expert_wrongs"]),
    }
    rights, wrongs = counts[expert]
    return Disagreement(
        run_id=row["run_id"],
        project_id=row["project_id"],
        subject=Subject(kind, key, names.get((kind, key), key), row["subject_version"]),
        aspect=row["aspect"],
        item_key=row["item_key"] or None,
        rights=rights,
        wrongs=wrongs,
        changed_at=row["changed_at"],
        voices=said.get((row["item_key"], row["aspect"]), ()),
    )
