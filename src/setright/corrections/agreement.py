"""How far those who corrected the same runs agree: by aspect, of each two, and where they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, bindparam, func, literal_column, select

from setright.corrections.coefficients import Coefficient, Judged, alpha, kappa, share
from setright.corrections.disagreements import Disagreement, Rater, list_disagreements
from setright.corrections.ratings import ASPECTS, rater_of
from setright.corrections.summaries import SummaryFilters, readable, subject_values
from setright.corrections.tables import agreement_counts, agreement_pairs
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place
from setright.storage import Row, Snapshot, Sql
from setright.storage.lists import among, any_of

AspectWord = Literal["decisions", "answer", "items"]
MOST_PAIRS = 50
MOST_PAIR_ROWS = 5_000
_N, _P = agreement_counts.c, agreement_pairs.c
_RATERS: Mapping[bool | None, ColumnElement[int]] = {
    None: _N.raters,
    True: _N.experts,
    False: _N.raters - _N.experts,
}
_VIEWS = {None: "", True: "expert_", False: "other_"}
_EXPERTS = {True: 3, False: 0}
_VERDICTS = ("rr", "rw", "wr", "ww")
_SAID = [f"{aspect}_{verdicts}" for aspect in ASPECTS for verdicts in _VERDICTS]
_SUBJECT = ("subject_kind", "subject_key", "subject_version")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementFilters(SummaryFilters):
    """Whose agreement is asked for; `aspect` narrows the disagreements, two `raters` the pairs."""

    aspect: AspectWord | None = None
    raters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AspectAgreement:
    """How far all agree on one aspect, over the units that two or more judged."""

    aspect: str
    units: int
    agreeing: int
    share: float | None
    alpha: Coefficient


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two raters agree on one aspect, over the units that both judged."""

    raters: tuple[Rater, Rater]
    aspect: str
    units: int
    agreeing: int
    share: float | None
    kappa: Coefficient


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement(Page[Disagreement]):
    """The agreement by aspect, that of pairs (those with most in common first), and a page of disagreements."""

    aspects: Sequence[AspectAgreement]
    pairs: Sequence[PairAgreement]
    more_pairs: bool


def agreement(at: Snapshot, filters: AgreementFilters, after: Place | None, limit: int) -> Agreement:
    """The agreement of those who corrected runs of the projects that the caller may read."""
    subject = subject_values(filters.agent_id, filters.agent_version, filters.flow_id)
    projects = readable(at, filters.project_id, subject)
    if projects is not None and not projects:
        return Agreement([], aspects=_aspects([]), pairs=[], more_pairs=False)
    asked = _Asked(at, subject, projects, filters.expert)
    pairs, more = asked.pair(filters.raters) if filters.raters else asked.pairs()
    aspects = ASPECTS if filters.aspect is None else (filters.aspect,)
    page = list_disagreements(at, projects, subject, aspects, filters.expert, after, limit)
    return Agreement(page.data, page.next, aspects=asked.aspects(), pairs=pairs, more_pairs=more)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Whose agreement is asked for."""

    at: Snapshot
    subject: Mapping[str, str]
    projects: Sequence[str] | None
    expert: bool | None

    def rows(self, statement: Any, **more: Any) -> list[Row]:
        """The rows of one of the statements below."""
        count, names = (None, {}) if self.projects is None else among("project", self.projects)
        shape = frozenset(self.subject)
        values = {**self.subject, **names, **more, "tenant_id": self.at.actor.tenant_id}
        return self.at.all(statement(shape, count, self.expert), **values)

    def aspects(self) -> list[AspectAgreement]:
        """How far all agree on each aspect."""
        return _aspects(self.rows(_by_aspect))

    def pairs(self) -> tuple[list[PairAgreement], bool]:
        """The pairs with most in common, and whether there are more; none where very many would have to be read."""
        (there,) = self.rows(_how_many)
        if there["there"] > MOST_PAIR_ROWS:
            return [], True
        rows = self.rows(_pairs)
        shown = [pair for row in rows[:MOST_PAIRS] for pair in _pair(row) if pair.units]
        return shown, len(rows) > MOST_PAIRS

    def pair(self, raters: Sequence[str]) -> tuple[list[PairAgreement], bool]:
        """The two raters that are named."""
        a, b = sorted(map(_rater_named, raters))
        rows = self.rows(_named, rater_a=a, rater_b=b)
        return _pair(rows[0] if rows else {"rater_a": a, "rater_b": b, **dict.fromkeys(_SAID, 0)}), False


def _aspects(rows: Sequence[Row]) -> list[AspectAgreement]:
    made: list[AspectAgreement] = []
    for aspect in ASPECTS:
        mine = [row for row in rows if row["aspect"] == aspect]
        units, agreeing = (sum(int(row[name]) for row in mine) for name in ("units", "agreeing"))
        judged = (
            Judged(row["raters"], *(int(row[name]) for name in ("units", "rights", "apart"))) for row in mine
        )
        made.append(AspectAgreement(aspect, units, agreeing, share(agreeing, units), alpha(judged)))
    return made


def _pair(row: Row) -> list[PairAgreement]:
    raters = (_rater(row["rater_a"]), _rater(row["rater_b"]))
    made: list[PairAgreement] = []
    for aspect in ASPECTS:
        said = [int(row[f"{aspect}_{verdicts}"]) for verdicts in _VERDICTS]
        units, agreeing = sum(said), said[0] + said[3]
        made.append(PairAgreement(raters, aspect, units, agreeing, share(agreeing, units), kappa(*said)))
    return made


def _rater(text: str) -> Rater:
    kind, _, rest = text.partition(":")
    principal_id, _, participant = rest.partition("/")
    return Rater(kind, principal_id, participant or None)


def _rater_named(text: str) -> str:
    """A rater as callers write it: the id of a user or a token, and behind a slash that of a participant."""
    named, _, participant = text.partition("/")
    principal_id = named if named.startswith("tok_") else with_prefix("usr", named)
    return rater_of("user" if principal_id.startswith("usr_") else "service", principal_id, participant)


def _where(columns: Any, shape: frozenset[str], projects: int | None) -> list[ColumnElement[bool]]:
    chosen = [columns[name] == bindparam(name) for name in _SUBJECT if name in shape]
    among_these = [] if projects is None else [any_of(columns.project_id, "project", projects)]
    return [columns.tenant_id == bindparam("tenant_id"), *among_these, *chosen]


@lru_cache(maxsize=256)
def _by_aspect(shape: frozenset[str], projects: int | None, expert: bool | None) -> Sql:
    view, raters = _VIEWS[expert], _RATERS[expert].label("raters")
    sums = [func.sum(_N[f"{view}{name}"]).label(name) for name in ("agreeing", "rights", "apart")]
    found = select(_N.aspect, raters, func.sum(_N.units).label("units"), *sums)
    several = _RATERS[expert] > literal_column("1")
    return Sql(found.where(*_where(_N, shape, projects), several).group_by(_N.aspect, raters))


@lru_cache(maxsize=256)
def _how_many(shape: frozenset[str], projects: int | None, _expert: bool | None) -> Sql:
    some = select(_P.experts).where(*_where(_P, shape, projects))
    return Sql(select(func.count().label("there")).select_from(some.limit(MOST_PAIR_ROWS + 1).subquery()))


@lru_cache(maxsize=256)
def _pairs(shape: frozenset[str], projects: int | None, expert: bool | None) -> Sql:
    """The rows are chosen before they are grouped: to have them in order SQLite would walk those of the whole tenant."""
    where = [*_where(_P, shape, projects), *_among(_P, expert)]
    row = select(agreement_pairs).where(*where).limit(MOST_PAIR_ROWS).subquery().c
    together = func.sum(sum((row[name] for name in _SAID[1:]), row[_SAID[0]]))
    return Sql(_summed(row).order_by(together.desc(), row.rater_a, row.rater_b).limit(MOST_PAIRS + 1))


@lru_cache(maxsize=256)
def _named(shape: frozenset[str], projects: int | None, expert: bool | None) -> Sql:
    where = [*_where(_P, shape, projects), *_among(_P, expert)]
    these = (_P.rater_a == bindparam("rater_a"), _P.rater_b == bindparam("rater_b"))
    return Sql(_summed(_P).where(*where, *these))


def _summed(row: Any) -> Select[Any]:
    by: list[ColumnElement[Any]] = [row.rater_a, row.rater_b]
    sums: list[ColumnElement[Any]] = [func.sum(row[name]).label(name) for name in _SAID]
    return select(*by, *sums).group_by(*by)


def _among(row: Any, expert: bool | None) -> list[ColumnElement[bool]]:
    return [] if expert is None else [row.experts == literal_column(str(_EXPERTS[expert]))]
