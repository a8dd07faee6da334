"""The summary of a test run: what came out, what it weighs, and how it stands beside an earlier one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    null,
    select,
)

from setright import corrections
from setright.corrections import Count
from setright.proof import statistics
from setright.proof.case_store import ASPECTS
from setright.proof.model import Finished, TestRun
from setright.proof.queries import comparable, get_test_run, what_it_means
from setright.proof.statistics import Spread
from setright.proof.tables import verdicts
from setright.storage import Row, Snapshot, Sql

_V = verdicts.c
_ONE, _ZERO = literal_column("1", BigInteger()), literal_column("0", BigInteger())
OUTCOMES = ("right", "wrong", "not-evaluated")
CHANGES = {
    ("wrong", "right"): "newly-right",
    ("right", "wrong"): "newly-wrong",
    ("right", "right"): "still-right",
    ("wrong", "wrong"): "still-wrong",
}
Counts = Mapping[str, Count]


@dataclass(frozen=True, slots=True)
class Try:
    """What came out of one try of every case: how many verdicts of each kind."""

    repetition: int
    right: int
    wrong: int
    not_evaluated: int


@dataclass(frozen=True, slots=True)
class Repetitions:
    """How steady the version is: over the corrections with a verdict in every try, evaluated in one at least.

    `pass_hat` has for k = 1 and on how likely k tries are all right; a try that was not evaluated is not right.
    `unsteady` counts corrections that were right in one try and wrong in another.
    """

    tries: tuple[Try, ...]
    counted: int
    pass_hat: tuple[float, ...]
    spread: Spread | None
    unsteady: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A test run held against an earlier one, over the corrections that are right or wrong in both."""

    test_run: TestRun
    counts: Counts
    not_compared: int

    @property
    def p_value(self) -> float:
        """How likely so uneven a change is if both versions are as good (McNemar, exact)."""
        return statistics.mcnemar(self.changed("newly-right"), self.changed("newly-wrong"))

    @property
    def may_be_noise(self) -> bool:
        """Whether the change is not so uneven that chance is an unlikely reason."""
        return self.p_value >= statistics.NOISE

    def changed(self, change: str) -> int:
        """How many corrections there are of a change."""
        return self.counts[change].corrections


@dataclass(frozen=True, slots=True)
class TestSummary:
    """What came out of a test run, each correction with all its tries taken together.

    `without` counts corrections that were chosen and have no verdict (None where only some are looked at): not done
    yet, erased, or no longer standing when the result came.
    """

    finished: Finished
    outcomes: Counts
    aspects: Mapping[str, Counts]
    reasons: Counts
    without: int | None
    repetitions: Repetitions | None
    against: Comparison | None

    @property
    def test_run(self) -> TestRun:
        """The test run."""
        return self.finished.test_run


def summarize_test_run(
    at: Snapshot, test_run_id: str, against: str | None, expert: bool | None
) -> TestSummary:
    """Sum up a test run, perhaps against an earlier one; with `expert` only what was said under restricted groups."""
    test_run = get_test_run(at, test_run_id)
    other = None if against is None else comparable(at, test_run, against)
    weights = corrections.group_weights(at)
    values: dict[str, Any] = {"tenant_id": test_run.tenant_id, "test_run_id": test_run.id}
    if expert is not None:
        values["expert"] = int(expert)
    rows = at.all(_counted(expert is not None), **values)
    outcomes = _counts(weights, ((row["outcome"], row) for row in rows), OUTCOMES)
    return TestSummary(
        what_it_means(at, test_run),
        outcomes,
        {aspect: found for aspect in ASPECTS if (found := _on_aspect(weights, rows, aspect))},
        _counts(weights, ((row["reason"], row) for row in rows if row["reason"] is not None)),
        test_run.correction_count - _sum(outcomes) if expert is None else None,
        _repetitions(at, test_run, rows, values) if test_run.repeat > 1 else None,
        None if other is None else _comparison(at, other, outcomes, weights, values),
    )


def _on_aspect(weights: Mapping[str, float], rows: Iterable[Row], aspect: str) -> Counts:
    told = [(row[aspect], row) for row in rows if row[aspect] is not None]
    return _counts(weights, told, OUTCOMES) if told else {}


def _counts(
    weights: Mapping[str, float], told: Iterable[tuple[str, Row]], names: Iterable[str] = ()
) -> Counts:
    """Corrections by name, plain and by what their groups weigh, which is added up without rounding."""
    plain: Counter[str] = Counter(dict.fromkeys(names, 0))
    weighted: defaultdict[str, Decimal] = defaultdict(Decimal)
    for name, row in told:
        count = int(row["corrections"])
        plain[name] += count
        weighted[name] += Decimal(repr(weights.get(row["corrector_group_id"], 1))) * count
    return {name: Count(plain[name], float(weighted[name])) for name in plain}


def _repetitions(
    at: Snapshot, test_run: TestRun, rows: Iterable[Row], values: Mapping[str, Any]
) -> Repetitions:
    tries: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for row in at.all(_by_try("expert" in values), **values):
        tries[row["repetition"]][row["verdict"]] += int(row["verdicts"])
    right: Counter[int] = Counter()
    unsteady = 0
    for row in rows:
        times, wrongs, count = int(row["right"]), int(row["wrong"]), int(row["corrections"])
        unsteady += count if times and wrongs else 0
        if int(row["tries"]) == test_run.repeat and times + wrongs:
            right[times] += count
    return Repetitions(
        tuple(
            Try(number, *(found[outcome] for outcome in OUTCOMES)) for number, found in sorted(tries.items())
        ),
        right.total(),
        tuple(statistics.pass_hat(test_run.repeat, list(right.items()))),
        statistics.spread([(found["right"], found["wrong"]) for found in tries.values()]),
        unsteady,
    )


def _comparison(
    at: Snapshot, other: TestRun, outcomes: Counts, weights: Mapping[str, float], values: Mapping[str, Any]
) -> Comparison:
    rows = at.all(_compared("expert" in values), **values, against=other.id)
    told = ((CHANGES[row["was"], row["outcome"]], row) for row in rows)
    counts = _counts(weights, told, CHANGES.values())
    return Comparison(other, counts, _sum(outcomes) - _sum(counts))


def _sum(counts: Counts) -> int:
    return sum(one.corrections for one in counts.values())


def _times(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, _ONE), else_=_ZERO))


def _word(word: str) -> ColumnElement[str]:
    return literal_column(f"'{word}'")


def _outcome(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The verdicts of all tries as one: wrong if one is wrong, right if all are right; null where there are none."""
    return case(
        (func.count(column) == _ZERO, null()),
        (_times(column == _word("wrong")) > _ZERO, _word("wrong")),
        (_times(column == _word("right")) == func.count(), _word("right")),
        else_=_word("not-evaluated"),
    )


def _where(test_run: str, of_experts: bool) -> ColumnElement[bool]:
    narrowed = [_V.expert == bindparam("expert")] if of_experts else []
    return and_(_V.tenant_id == bindparam("tenant_id"), _V.test_run_id == bindparam(test_run), *narrowed)


def _each(test_run: str, of_experts: bool, *more: ColumnElement[Any]) -> Subquery:
    """A row for each correction of a test run."""
    found: Select[Any] = select(
        _V.correction_id,
        func.min(_V.corrector_group_id).label("corrector_group_id"),
        _outcome(_V.verdict).label("outcome"),
        *more,
    )
    return found.where(_where(test_run, of_experts)).group_by(_V.correction_id).subquery(test_run)


@lru_cache(maxsize=2)
def _counted(of_experts: bool) -> Sql:
    """How many corrections came out how; a correction that is not evaluated counts under one of its reasons."""
    not_evaluated = _word("not-evaluated")
    each = _each(
        "test_run_id",
        of_experts,
        func.count().label("tries"),
        _times(_V.verdict == _word("right")).label("right"),
        _times(_V.verdict == _word("wrong")).label("wrong"),
        func.min(case((_V.verdict == not_evaluated, _V.reason))).label("why"),
        *(_outcome(_V[aspect]).label(aspect) for aspect in ASPECTS),
    ).c
    reason = case((each.outcome == not_evaluated, each.why)).label("reason")
    by = [each[name] for name in ("corrector_group_id", "outcome", "tries", "right", "wrong", *ASPECTS)]
    return Sql(select(*by, reason, func.count().label("corrections")).group_by(*by, reason))


@lru_cache(maxsize=2)
def _by_try(of_experts: bool) -> Sql:
    by = (_V.repetition, _V.verdict)
    found = select(*by, func.count().label("verdicts"))
    return Sql(found.where(_where("test_run_id", of_experts)).group_by(*by))


@lru_cache(maxsize=2)
def _compared(of_experts: bool) -> Sql:
    """How many corrections that are right or wrong in both test runs came out how in each."""
    now, then = _each("test_run_id", of_experts).c, _each("against", False).c
    by = (now.corrector_group_id, now.outcome, then.outcome)
    evaluated = [one.outcome != _word("not-evaluated") for one in (now, then)]
    found = select(
        now.corrector_group_id, now.outcome, then.outcome.label("was"), func.count().label("corrections")
    )
    return Sql(found.where(now.correction_id == then.correction_id, *evaluated).group_by(*by))
