"""Taking out of test runs what versions did in the cases of erased runs, and what was told of erased corrections."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, literal_column, null, select, update

from setright.kernel import json
from setright.proof.tables import case_results, test_cases, verdicts
from setright.storage import Row, Snapshot, Sql, Tx
from setright.storage.lists import among, any_of

_C, _R, _V = test_cases.c, case_results.c, verdicts.c
_TOLD = "What this told of was erased."
_STAYS = ("aspect", "verdict", "reason")
_SAY_LESS = Sql(
    update(verdicts)
    .where(
        _V.tenant_id == bindparam("of_tenant"),
        _V.test_run_id == bindparam("of_test_run"),
        _V.correction_id == bindparam("of_correction"),
        _V.repetition == bindparam("of_repetition"),
    )
    .values(aspects=bindparam("new_aspects"))
)


@lru_cache(maxsize=16)
def _cases(count: int) -> Sql:
    shown = (_C.id, _C.test_run_id, _C.correction_ids, _R.run_id)
    joined = test_cases.outerjoin(case_results, (_R.tenant_id == _C.tenant_id) & (_R.case_id == _C.id))
    these = (_C.tenant_id == bindparam("tenant_id"), any_of(_C.run_id, "run", count))
    return Sql(select(*shown).select_from(joined).where(*these).order_by(_C.id))


@lru_cache(maxsize=16)
def _stands(count: int) -> Sql:
    joined = case_results.join(test_cases, (_R.tenant_id == _C.tenant_id) & (_R.case_id == _C.id))
    these = (_R.tenant_id == bindparam("tenant_id"), any_of(_R.run_id, "run", count))
    return Sql(select(_R.run_id.label("stands"), _C.run_id).select_from(joined).where(*these))


@lru_cache(maxsize=16)
def _verdicts(count: int) -> Sql:
    key = (_V.tenant_id == bindparam("tenant_id"), _V.test_run_id == bindparam("test_run_id"))
    shown = (_V.correction_id, _V.repetition, _V.aspects)
    return Sql(select(*shown).where(*key, any_of(_V.correction_id, "correction", count)))


@lru_cache(maxsize=16)
def _emptied(count: int) -> Sql:
    these = (_R.tenant_id == bindparam("of_tenant"), any_of(_R.case_id, "case", count))
    return Sql(update(case_results).where(*these).values(content=null(), hash=literal_column("''")))


def runs_that_stand(at: Snapshot, run_ids: Sequence[str]) -> Sequence[str]:
    """Ids of the runs that stand as results in cases of these runs: they got the same input."""
    return sorted({row["run_id"] for row in _cases_of(at, run_ids) if row["run_id"] is not None})


def stood_for(at: Snapshot, run_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The corrected runs for which runs stand as results of cases, by the ids of those that stand for any."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    if run_ids:
        count, names = among("run", run_ids)
        for row in at.all(_stands(count), tenant_id=at.actor.tenant_id, **names):
            found[row["stands"]].append(row["run_id"])
    return found


def erase_cases(tx: Tx, run_ids: Sequence[str]) -> int:
    """Take out what versions did in the cases of these runs, and the explanations of every verdict; how many cases.

    The verdicts stay, and no count of a test run changes.
    """
    cases = _cases_of(tx, run_ids)
    if cases:
        count, names = among("case", [row["id"] for row in cases])
        tx.run(_emptied(count), of_tenant=tx.actor.tenant_id, **names)
        _say_less(tx, cases, None)
    return len(cases)


def erase_verdicts(tx: Tx, of_runs: Mapping[str, str]) -> None:
    """Take out the explanations of verdicts on corrections, each given with its run."""
    _say_less(tx, _cases_of(tx, sorted(set(of_runs.values()))), set(of_runs))


def _cases_of(at: Snapshot, run_ids: Sequence[str]) -> Sequence[Row]:
    if not run_ids:
        return ()
    count, names = among("run", run_ids)
    return at.all(_cases(count), tenant_id=at.actor.tenant_id, **names)


def _say_less(tx: Tx, cases: Sequence[Row], only: set[str] | None) -> None:
    by_test_run: defaultdict[str, set[str]] = defaultdict(set)
    for row in cases:
        ids: list[str] = json.read_stored(row["correction_ids"])
        by_test_run[row["test_run_id"]] |= {one for one in ids if only is None or one in only}
    for test_run_id, correction_ids in sorted(by_test_run.items()):
        if not correction_ids:
            continue
        count, names = among("correction", sorted(correction_ids))
        tenant = tx.actor.tenant_id
        for row in tx.all(_verdicts(count), tenant_id=tenant, test_run_id=test_run_id, **names):
            tx.run(
                _SAY_LESS,
                of_tenant=tenant,
                of_test_run=test_run_id,
                of_correction=row["correction_id"],
                of_repetition=row["repetition"],
                new_aspects=json.write_text([_less(one) for one in json.read_stored(row["aspects"])]),
            )


def _less(aspect: Mapping[str, Any]) -> dict[str, Any]:
    return {name: aspect[name] for name in _STAYS if name in aspect} | {"explanation": _TOLD}
