"""The statements about cases, their leases, results and verdicts; every one filters by tenant."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, get_args

from sqlalchemy import and_, bindparam, null, select, update

from setright.kernel import json
from setright.matching import AspectWord
from setright.proof.model import Case, HeldVerdict
from setright.proof.tables import case_results, test_cases, verdicts
from setright.storage import Row, Snapshot, Sql, Tx, insert
from setright.storage.lists import among, any_of

_C, _R, _V = test_cases.c, case_results.c, verdicts.c
_OF_TEST_RUN = and_(_C.tenant_id == bindparam("tenant_id"), _C.test_run_id == bindparam("test_run_id"))
_OF_LEASE = and_(
    _C.tenant_id == bindparam("of_tenant"),
    _C.test_run_id == bindparam("of_test_run"),
    _C.lease == bindparam("of_lease"),
    _C.next_at.is_not(None),
)

ASPECTS: tuple[AspectWord, ...] = get_args(AspectWord)

NEXT = Sql(
    select(test_cases)
    .where(_OF_TEST_RUN, _C.next_at.is_not(None), _C.next_at <= bindparam("now"))
    .order_by(_C.next_at, _C.repetition, _C.position)
    .limit(bindparam("count"))
)
RENEW = Sql(update(test_cases).where(_OF_LEASE).values(next_at=bindparam("until")))
ADD_RESULT = insert(case_results)
ADD_VERDICT = insert(verdicts)


@lru_cache(maxsize=16)
def _these(count: int) -> Sql:
    return Sql(select(test_cases).where(_OF_TEST_RUN, any_of(_C.id, "case", count)))


@lru_cache(maxsize=64)
def _set(count: int, *, leased: bool) -> Sql:
    """An update of so many cases: leased until a moment, or for good no longer to be claimed."""
    these = (_C.tenant_id == bindparam("of_tenant"), any_of(_C.id, "case", count))
    if leased:
        return Sql(
            update(test_cases).where(*these).values(lease=bindparam("new_lease"), next_at=bindparam("until"))
        )
    ended = update(test_cases).where(*these)
    return Sql(ended.values(state=bindparam("new_state"), next_at=null(), done_at=bindparam("now")))


@lru_cache(maxsize=16)
def _hashes(count: int) -> Sql:
    return Sql(
        select(_R.case_id, _R.hash).where(
            _R.tenant_id == bindparam("tenant_id"), any_of(_R.case_id, "case", count)
        )
    )


@lru_cache(maxsize=16)
def _verdicts_of(count: int) -> Sql:
    these = (_V.tenant_id == bindparam("tenant_id"), _V.test_run_id == bindparam("test_run_id"))
    return Sql(
        select(verdicts)
        .where(*these, any_of(_V.correction_id, "correction", count))
        .order_by(_V.correction_id, _V.repetition)
    )


def cases_by_id(at: Snapshot, test_run_id: str, case_ids: Sequence[str]) -> Mapping[str, Case]:
    """Those of these cases that the test run has, by id."""
    if not case_ids:
        return {}
    count, names = among("case", case_ids)
    rows = at.all(_these(count), tenant_id=at.actor.tenant_id, test_run_id=test_run_id, **names)
    return {row["id"]: case_in(row) for row in rows}


def lease(tx: Tx, case_ids: Sequence[str], name: str, until: int) -> None:
    """Give cases to a lease until a moment."""
    count, names = among("case", case_ids)
    tx.add(_set(count, leased=True), of_tenant=tx.actor.tenant_id, new_lease=name, until=until, **names)


def end(tx: Tx, case_ids: Sequence[str], state: str) -> None:
    """Say that nothing is wanted of cases any more: they are done, or erased."""
    if case_ids:
        count, names = among("case", case_ids)
        tx.add(_set(count, leased=False), of_tenant=tx.actor.tenant_id, new_state=state, now=tx.now, **names)


def result_hashes(at: Snapshot, case_ids: Sequence[str]) -> Mapping[str, str]:
    """The hash of the result of each of these cases that has one."""
    if not case_ids:
        return {}
    count, names = among("case", case_ids)
    rows = at.all(_hashes(count), tenant_id=at.actor.tenant_id, **names)
    return {row["case_id"]: row["hash"] for row in rows}


def verdicts_of(at: Snapshot, test_run_id: str, correction_ids: Sequence[str]) -> Sequence[HeldVerdict]:
    """The verdicts of a test run about these corrections, each try by itself."""
    if not correction_ids:
        return ()
    count, names = among("correction", correction_ids)
    rows = at.all(_verdicts_of(count), tenant_id=at.actor.tenant_id, test_run_id=test_run_id, **names)
    return [verdict_in(row) for row in rows]


def add_verdict(tx: Tx, made: HeldVerdict) -> None:
    """Store a verdict."""
    tx.add(
        ADD_VERDICT,
        tenant_id=tx.actor.tenant_id,
        test_run_id=made.test_run_id,
        correction_id=made.correction_id,
        repetition=made.repetition,
        case_id=made.case_id,
        verdict=made.verdict,
        reason=made.reason,
        wrong_aspect=made.wrong_aspect,
        rule=made.rule,
        **_on_aspects(made),
        aspects=json.write_text(made.aspects),
        corrector_group_id=made.corrector_group_id or "",
        expert=int(made.expert),
        at=made.at,
    )


def case_in(row: Row) -> Case:
    """A row of cases as a record."""
    shown = {name: row[name] for name in row if name not in ("tenant_id", "position", "correction_ids")}
    return Case(correction_ids=tuple(json.read_stored(row["correction_ids"])), **shown)


def verdict_in(row: Row) -> HeldVerdict:
    """A row of verdicts as a record."""
    shown: dict[str, Any] = {name: row[name] for name in row if name not in ("tenant_id", *ASPECTS)}
    shown["aspects"] = json.read_stored(row["aspects"])
    shown["corrector_group_id"] = row["corrector_group_id"] or None
    shown["expert"] = bool(row["expert"])
    return HeldVerdict(**shown)


def _on_aspects(made: HeldVerdict) -> dict[str, str | None]:
    """The verdict on each aspect, None where the correction does not speak of it."""
    found = {one["aspect"]: one["verdict"] for one in made.aspects}
    return {aspect: found.get(aspect) for aspect in ASPECTS}
