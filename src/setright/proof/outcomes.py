"""What came out of a test run for each correction: the verdicts of all its tries taken together."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, bindparam, case, func, literal_column, select

from setright import corrections
from setright.proof.case_store import ASPECTS
from setright.proof.model import WouldMove
from setright.proof.tables import verdicts
from setright.storage import Snapshot, Sql

_V = verdicts.c
AT_ONCE = 500
MOST_COUNTED = 50_000


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _is(column: ColumnElement[str], word: str) -> ColumnElement[bool]:
    return column == literal_column(f"'{word}'")


_COUNTS = (
    func.count().label("tries"),
    _sum(_is(_V.verdict, "right")).label("right"),
    _sum(_is(_V.verdict, "wrong")).label("wrong"),
)
_OF_TEST_RUN = (_V.tenant_id == bindparam("tenant_id"), _V.test_run_id == bindparam("test_run_id"))
_NEXT = Sql(
    select(_V.correction_id, *_COUNTS, *(_sum(_is(_V.wrong_aspect, word)).label(word) for word in ASPECTS))
    .where(*_OF_TEST_RUN, _V.correction_id > bindparam("after"))
    .group_by(_V.correction_id)
    .order_by(_V.correction_id)
    .limit(bindparam("count"))
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict of a test run about a correction; `wrong_aspect` is the first that was wrong in any try."""

    correction_id: str
    verdict: str
    wrong_aspect: str | None


def outcomes(at: Snapshot, test_run_id: str, after: str, limit: int) -> Sequence[Outcome]:
    """The outcomes of a test run by correction id, after one; whose rights are not checked."""
    values = {"tenant_id": at.actor.tenant_id, "test_run_id": test_run_id, "after": after, "count": limit}
    found: list[Outcome] = []
    for row in at.all(_NEXT, **values):
        wrong = next((word for word in ASPECTS if row[word]), None)
        right = row["right"] == row["tries"]
        verdict = "wrong" if row["wrong"] else "right" if right else "not-evaluated"
        found.append(Outcome(row["correction_id"], verdict, wrong))
    return found


def would_move(at: Snapshot, test_run_id: str) -> WouldMove:
    """How many corrections came out right that are not fixed, and wrong that are; among the first 50,000."""
    fixed, reopened, looked, after = 0, 0, 0, ""
    while looked < MOST_COUNTED:
        some = outcomes(at, test_run_id, after, AT_ONCE)
        if not some:
            return WouldMove(fixed, reopened)
        right = [one.correction_id for one in some if one.verdict == "right"]
        wrong = [one.correction_id for one in some if one.verdict == "wrong"]
        fixed += corrections.count_to_fix(at, right) if right else 0
        reopened += corrections.count_to_reopen(at, wrong) if wrong else 0
        looked, after = looked + len(some), some[-1].correction_id
    return WouldMove(fixed, reopened, at_least=True)
