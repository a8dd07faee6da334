"""The summary of corrections: how many stand where and say what, plain and by the weight of their groups."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, func, select, tuple_

from setright import identity, subjects
from setright.corrections import group_store
from setright.corrections.lifecycle import LIVE, STATUSES
from setright.corrections.model import Subject
from setright.corrections.tables import correction_counts
from setright.kernel.paging import Page, Place
from setright.storage import Row, Snapshot, Sql
from setright.storage.lists import among, any_of
from setright.subjects import fold

_N = correction_counts.c
AMOUNTS = tuple(column.name for column in correction_counts.columns if not column.primary_key)
_SUBJECT = (_N.subject_kind, _N.subject_key, _N.subject_version)
_SUMS = [func.sum(_N[name]).label(name) for name in AMOUNTS]
_FILTERS = {
    "subject_kind": _N.subject_kind == bindparam("subject_kind"),
    "subject_key": _N.subject_key == bindparam("subject_key"),
    "subject_version": _N.subject_version == bindparam("subject_version"),
    "expert": _N.expert == bindparam("expert"),
}


@dataclass(frozen=True, slots=True)
class SummaryFilters:
    """Which corrections are summed up; `agent_version` needs `agent_id`."""

    project_id: str | None = None
    agent_id: str | None = None
    agent_version: str | None = None
    flow_id: str | None = None
    expert: bool | None = None


class Count(NamedTuple):
    """So many corrections, and what they weigh together."""

    corrections: int
    weighted: float


Tally = Mapping[str, Count]
"""Counts by the names of `AMOUNTS`: of all corrections, of what they say, of the desks they are sorted to, if any are."""


@dataclass(frozen=True, slots=True)
class SubjectTally:
    """The corrections of an agent or a flow at a version, without the removed ones, and those of each status."""

    subject: Subject
    total: Tally
    statuses: Mapping[str, Tally]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Page[SubjectTally]):
    """All corrections that were asked for, without the removed ones, those of each status, and a page of subjects."""

    total: Tally = field(default_factory=dict[str, Count])
    statuses: Mapping[str, Tally] = field(default_factory=dict[str, Tally])


def summarize(at: Snapshot, filters: SummaryFilters, after: Place | None, limit: int) -> Summary:
    """The corrections of the projects that the caller may read, summed up; superseded ones count nowhere.

    The subjects come in the order of kind, id and version, compared as texts.
    """
    subject = subject_values(filters.agent_id, filters.agent_version, filters.flow_id)
    projects = readable(at, filters.project_id, subject)
    if projects is not None and not projects:
        return Summary([], total=_total({}))
    count, values = (None, {}) if projects is None else among("project", projects)
    values |= subject
    values |= {} if filters.expert is None else {"expert": int(filters.expert)}
    shape = frozenset(values) & frozenset(_FILTERS)
    asked = _Asked(at, shape, count, values | _begin(after), group_store.weights(at))
    whole = _by_status(asked.rows(_whole), asked.weights)
    page = asked.rows(_page, count=limit + 1)
    last = _place(page[limit - 1]) if len(page) > limit else None
    return Summary(asked.subjects(page[:limit]), last, total=_total(whole), statuses=_tallies(whole))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A summary that is asked for: the shape and the values of its filters, and what groups weigh."""

    at: Snapshot
    shape: frozenset[str]
    projects: int | None
    values: Mapping[str, Any]
    weights: Mapping[str, float]

    def rows(self, statement: Callable[[frozenset[str], int | None], Sql], **more: Any) -> list[Row]:
        """The rows of one of the statements below."""
        tenant_id = self.at.actor.tenant_id
        return self.at.all(statement(self.shape, self.projects), tenant_id=tenant_id, **self.values, **more)

    def subjects(self, page: Sequence[Row]) -> list[SubjectTally]:
        """The tallies of a page of subjects and versions."""
        if not page:
            return []
        names = subjects.spellings(self.at, {(row["subject_kind"], row["subject_key"]) for row in page})
        last = {f"last_{name}": page[-1][f"subject_{name}"] for name in ("kind", "key", "version")}
        found: dict[Place, list[Row]] = {_place(row): [] for row in page}
        for row in self.rows(_each, **last):
            found[_place(row)].append(row)
        made: list[SubjectTally] = []
        for row in page:
            kind, key = row["subject_kind"], row["subject_key"]
            statuses = _by_status(found[_place(row)], self.weights)
            subject = Subject(kind, key, names.get((kind, key), key), row["subject_version"])
            made.append(SubjectTally(subject, _total(statuses), _tallies(statuses)))
        return made


def readable(at: Snapshot, asked: str | None, subject: Mapping[str, str]) -> list[str] | None:
    """The projects to read: the one asked for, else those that the caller may read; None: every one of the tenant.

    Of those only where a subject was seen, if that is asked for: what is kept is kept by project first.
    """
    if asked is not None:
        return [identity.get_project(at, asked).id]
    mine = at.actor.readable_projects()
    if not subject:
        return mine
    seen = subjects.projects_of(at, subject["subject_kind"], subject["subject_key"])
    return seen if mine is None else sorted(set(mine) & set(seen))


def subject_values(agent_id: str | None, version: str | None, flow_id: str | None) -> dict[str, Any]:
    """The filters for an agent, at a version perhaps, or for a flow."""
    subject_id = flow_id if agent_id is None else agent_id
    if subject_id is None:
        return {}
    kind = "flow" if agent_id is None else "agent"
    at_version = {} if version is None else {"subject_version": version}
    return {"subject_kind": kind, "subject_key": fold(subject_id), **at_version}


def _begin(place: Place | None) -> dict[str, str]:
    """The subject and version after which a page begins, as binds; the beginning is before every one."""
    kind, key, version = ("", "", "") if place is None else place.id.split("\0")
    return {"after_kind": kind, "after_key": key, "after_version": version}


def _place(row: Row) -> Place:
    """Where a subject and version stand in the order of subjects; no id and no version has U+0000 in it."""
    return Place(0, "\0".join((row["subject_kind"], row["subject_key"], row["subject_version"])))


def _where(shape: frozenset[str], projects: int | None) -> list[ColumnElement[bool]]:
    chosen = [_FILTERS[name] for name in sorted(shape)]
    among_these = [] if projects is None else [any_of(_N.project_id, "project", projects)]
    return [_N.tenant_id == bindparam("tenant_id"), *among_these, *chosen]


_AFTER = tuple_(*_SUBJECT) > tuple_(*map(bindparam, ("after_kind", "after_key", "after_version")))
_UP_TO = tuple_(*_SUBJECT) <= tuple_(*map(bindparam, ("last_kind", "last_key", "last_version")))


@lru_cache(maxsize=256)
def _whole(shape: frozenset[str], projects: int | None) -> Sql:
    return Sql(_summed(_N.status, _N.corrector_group_id).where(*_where(shape, projects)))


@lru_cache(maxsize=256)
def _page(shape: frozenset[str], projects: int | None) -> Sql:
    found = select(*_SUBJECT).distinct().where(*_where(shape, projects), _AFTER)
    return Sql(found.order_by(*_SUBJECT).limit(bindparam("count")))


@lru_cache(maxsize=256)
def _each(shape: frozenset[str], projects: int | None) -> Sql:
    found = _summed(*_SUBJECT, _N.status, _N.corrector_group_id)
    return Sql(found.where(*_where(shape, projects), _AFTER, _UP_TO))


def _summed(*by: ColumnElement[Any]) -> Select[Any]:
    return select(*by, *_SUMS).group_by(*by)


Sums = dict[str, tuple[int, Decimal | int]]


def _by_status(rows: Iterable[Row], weights: Mapping[str, float]) -> dict[str, Sums]:
    """What is counted in the statuses that are there, in the order of life; weights are added without rounding."""
    found: dict[str, Sums] = {}
    for row in rows:
        weight = weights.get(row["corrector_group_id"], 1)
        exact = 1 if weight == 1 else Decimal(repr(weight))
        sums = found.setdefault(row["status"], {})
        for name in AMOUNTS:
            if row[name]:
                count, weighted = sums.get(name, (0, 0))
                sums[name] = (count + int(row[name]), weighted + exact * int(row[name]))
    return {status: found[status] for status in STATUSES if status in found}


def _tallies(statuses: Mapping[str, Sums]) -> dict[str, Tally]:
    return {status: _tally([sums]) for status, sums in statuses.items()}


def _total(statuses: Mapping[str, Sums]) -> Tally:
    return _tally([statuses[status] for status in LIVE if status in statuses])


def _tally(several: list[Sums]) -> Tally:
    """What was counted, added up; the corrections themselves also where there are none."""
    whole: Sums = {"corrections": (0, 0)}
    for sums in several:
        for name, (count, weighted) in sums.items():
            there = whole.get(name, (0, 0))
            whole[name] = (there[0] + count, there[1] + weighted)
    return {name: Count(count, float(weighted)) for name, (count, weighted) in whole.items()}
