"""The verdicts of a test run, listed and narrowed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, literal_column, not_, select, tuple_

from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place, page_of
from setright.proof.case_store import verdict_in
from setright.proof.model import HeldVerdict
from setright.proof.queries import comparable, get_test_run
from setright.proof.tables import verdicts
from setright.storage import Row, Snapshot, Sql
from setright.storage.lists import among, any_of

_V, _B = verdicts.c, verdicts.alias("before").c
_PAST_EVERY_ID = "~"


@dataclass(frozen=True, slots=True)
class VerdictFilters:
    """What a list of verdicts is narrowed to.

    With `aspect`, `verdict` is that on the aspect. `was` is how the correction came out in the test run `against`.
    """

    verdict: str | None = None
    aspect: str | None = None
    correction_ids: Sequence[str] = ()
    expert: bool | None = None
    against: str | None = None
    was: str | None = None


def list_verdicts(
    at: Snapshot, test_run_id: str, filters: VerdictFilters, after: Place | None, limit: int
) -> Page[HeldVerdict]:
    """A page of a test run's verdicts, one for each correction and try: the newest correction and the last try first."""
    test_run = get_test_run(at, test_run_id)
    ids = sorted({with_prefix("cor", one) for one in filters.correction_ids})
    count, named = among("correction", ids) if ids else (None, {})
    values: dict[str, Any] = dict(named)
    if filters.expert is not None:
        values["expert"] = int(filters.expert)
    if filters.against is not None:
        values["against"] = comparable(at, test_run, filters.against).id
    place = after or Place(0, _PAST_EVERY_ID)
    asked = _page(filters.verdict, filters.aspect, filters.was, count, filters.expert is not None)
    rows = at.all(
        asked,
        tenant_id=test_run.tenant_id,
        test_run_id=test_run.id,
        before_id=place.id,
        before_try=place.moment,
        count=limit + 1,
        **values,
    )
    return page_of(rows, limit, _place, verdict_in)


def _place(row: Row) -> Place:
    return Place(row["repetition"], row["correction_id"])


@lru_cache(maxsize=256)
def _page(
    verdict: str | None, aspect: str | None, was: str | None, corrections: int | None, of_experts: bool
) -> Sql:
    """A page; words stand in the statement, so that the index of what is not right serves those that it holds."""
    before = tuple_(bindparam("before_id"), bindparam("before_try", type_=BigInteger()))
    where: list[ColumnElement[bool]] = [
        _V.tenant_id == bindparam("tenant_id"),
        _V.test_run_id == bindparam("test_run_id"),
        tuple_(_V.correction_id, _V.repetition) < before,
    ]
    if aspect is not None:
        on_aspect = _V[aspect]
        where.append(on_aspect.is_not(None) if verdict is None else on_aspect == _word(verdict))
    elif verdict is not None:
        where.append(_V.verdict == _word(verdict))
        where += [] if verdict == "right" else [_V.verdict != _word("right")]
    if corrections is not None:
        where.append(any_of(_V.correction_id, "correction", corrections))
    if of_experts:
        where.append(_V.expert == bindparam("expert"))
    if was is not None:
        where.append(_was(was))
    found: Any = select(verdicts).where(*where).order_by(_V.correction_id.desc(), _V.repetition.desc())
    return Sql(found.limit(bindparam("count")))


def _was(outcome: str) -> ColumnElement[bool]:
    """How the correction came out in the test run `against`, all its tries taken together."""
    any_wrong = _before(_B.verdict == _word("wrong"))
    if outcome == "wrong":
        return any_wrong
    some_not_right = _before(_B.verdict != _word("right"))
    if outcome == "right":
        return and_(_before(), not_(some_not_right))
    return and_(some_not_right, not_(any_wrong))


def _before(*more: ColumnElement[bool]) -> ColumnElement[bool]:
    found = select(_B.verdict).where(
        _B.tenant_id == bindparam("tenant_id"),
        _B.test_run_id == bindparam("against"),
        _B.correction_id == _V.correction_id,
        *more,
    )
    return found.correlate(verdicts).exists()


def _word(word: str) -> ColumnElement[str]:
    return literal_column(f"'{word}'")
