"""Cutting what was asked and answered long ago: what was said of the answers stays, and what they cited."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    bindparam,
    func,
    literal_column,
    null,
    select,
    tuple_,
    update,
)

from setright.kernel.ids import with_prefix
from setright.knowledge.tables import interactions, outputs
from setright.storage import Snapshot, Sql, Tx
from setright.storage.lists import among, any_of

_I, _O = interactions.c, outputs.c
_NOTHING: ColumnElement[str] = literal_column("'{}'")
_ASKED = (
    _I.tenant_id == bindparam("tenant_id"),
    _I.created_at < bindparam("before"),
    _I.content_expired_at.is_(None),
)
_COMPOSED = (
    _O.tenant_id == bindparam("tenant_id"),
    _O.generated_at < bindparam("before"),
    _O.content_expired_at.is_(None),
)
_AFTER = tuple_(_I.created_at, _I.number) > tuple_(
    bindparam("after", type_=BigInteger()), bindparam("after_number", type_=BigInteger())
)
_NEXT_QUESTIONS = Sql(
    select(_I.number, _I.created_at, _I.run_id, _I.by_kind, _I.by_id)
    .where(*_ASKED, _AFTER)
    .order_by(_I.created_at, _I.number)
    .limit(bindparam("count"))
)
_COUNT_QUESTIONS = Sql(select(func.count().label("count")).select_from(interactions).where(*_ASKED))
_NEXT_OUTPUTS = Sql(
    select(_O.id)
    .where(*_COMPOSED)
    .order_by(_O.generated_at, _O.id)
    .limit(bindparam("count"))
    .with_for_update()
)
_COUNT_OUTPUTS = Sql(select(func.count().label("count")).select_from(outputs).where(*_COMPOSED))


@dataclass(frozen=True, slots=True)
class DueQuestion:
    """A question that was kept for long enough: in which run it was asked, if in one, and by whom."""

    number: int
    created_at: int
    run_id: str | None
    by_kind: str
    by_id: str


@lru_cache(maxsize=16)
def _questions_cut(count: int) -> Sql:
    numbers = [bindparam(f"number_{one}", type_=BigInteger()) for one in range(count)]
    these = (_I.tenant_id == bindparam("of_tenant"), _I.number.in_(numbers), _I.content_expired_at.is_(None))
    emptied: dict[str, Any] = {
        "arguments": _NOTHING,
        "answer": _NOTHING,
        "content_expired_at": bindparam("now"),
    }
    return Sql(update(interactions).where(*these).values(emptied))


@lru_cache(maxsize=16)
def _outputs_cut(count: int) -> Sql:
    these = (_O.tenant_id == bindparam("of_tenant"), any_of(_O.id, "output", count))
    emptied: dict[str, Any] = {
        "answer": _NOTHING,
        "focus": null(),
        "focus_key": _O.id,
        "superseded_by": func.coalesce(_O.superseded_by, _O.id),
        "superseded_at": func.coalesce(_O.superseded_at, bindparam("now")),
        "content_expired_at": bindparam("now"),
    }
    return Sql(update(outputs).where(*these).values(emptied))


def due_questions(at: Snapshot, before: int, after: tuple[int, int], count: int) -> Sequence[DueQuestion]:
    """The next questions asked before a moment whose content is there, oldest first."""
    values = {"before": before, "after": after[0], "after_number": after[1], "count": count}
    rows = at.all(_NEXT_QUESTIONS, tenant_id=at.actor.tenant_id, **values)
    return [
        DueQuestion(
            row["number"],
            row["created_at"],
            None if row["run_id"] is None else with_prefix("run", row["run_id"]),
            row["by_kind"],
            row["by_id"],
        )
        for row in rows
    ]


def count_due_questions(at: Snapshot, before: int) -> int:
    """How many questions were asked before a moment and have their content."""
    row = at.one(_COUNT_QUESTIONS, tenant_id=at.actor.tenant_id, before=before)
    return 0 if row is None else row["count"]


def expire_questions(tx: Tx, numbers: Sequence[int]) -> int:
    """Cut questions and their answers; how many had any. What was said of the answers, and what they cited, stays."""
    if not numbers:
        return 0
    count = 1 << (len(numbers) - 1).bit_length()
    filled = [*numbers, *[numbers[-1]] * (count - len(numbers))]
    names = {f"number_{place}": number for place, number in enumerate(filled)}
    return tx.run(_questions_cut(count), of_tenant=tx.actor.tenant_id, now=tx.now, **names)


def expire_outputs(tx: Tx, before: int, count: int) -> int:
    """Cut up to `count` kept answers that were composed before a moment; how many.

    One that counted until now counts no more, so that it is composed anew when it is asked for.
    """
    rows = tx.all(_NEXT_OUTPUTS, tenant_id=tx.actor.tenant_id, before=before, count=count)
    if rows:
        size, names = among("output", [row["id"] for row in rows])
        tx.run(_outputs_cut(size), of_tenant=tx.actor.tenant_id, now=tx.now, **names)
    return len(rows)


def count_due_outputs(at: Snapshot, before: int) -> int:
    """How many kept answers were composed before a moment and have their content."""
    row = at.one(_COUNT_OUTPUTS, tenant_id=at.actor.tenant_id, before=before)
    return 0 if row is None else row["count"]
