"""What must be true of the rows of test runs: as many cases, results and verdicts as each says, and the end that was told."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import and_, bindparam, exists, func, literal_column, or_, select

from setright import events
from setright.events import LoggedEvent
from setright.proof.lifecycle import ending_verb
from setright.proof.tables import case_results, newest_verdicts, test_cases, test_runs, verdicts
from setright.storage import Row, RowFault, Seen, Snapshot, Sql
from setright.storage.lists import among, any_of
from setright.storage.soundness import next_piece, pieces

MOST = 100
_T, _C, _R, _V, _N = test_runs.c, test_cases.c, case_results.c, verdicts.c, newest_verdicts.c
_ORDER = (_T.created_at, _T.id)
_DONE = _C.state == literal_column("'done'")
_OF_CASE = and_(_R.tenant_id == _C.tenant_id, _R.case_id == _C.id)
PIECE = Sql(
    select(test_runs)
    .where(_T.tenant_id == bindparam("tenant_id"), next_piece(*_ORDER))
    .order_by(*_ORDER)
    .limit(bindparam("count"))
)
LOST_CASES = Sql(
    select(_C.id, _C.state)
    .where(
        _C.tenant_id == bindparam("tenant_id"),
        or_(
            and_(_DONE, ~exists().where(_OF_CASE)),
            and_(~_DONE, exists().where(_OF_CASE)),
            (_C.state == literal_column("'open'")) == _C.next_at.is_(None),
            (_C.state == literal_column("'open'")) == _C.done_at.is_not(None),
        ),
    )
    .limit(MOST)
)
LOST_VERDICTS = Sql(
    select(_V.test_run_id, _V.correction_id, _V.repetition)
    .where(
        _V.tenant_id == bindparam("tenant_id"),
        ~exists().where(
            _C.tenant_id == _V.tenant_id,
            _C.id == _V.case_id,
            _C.test_run_id == _V.test_run_id,
            _C.repetition == _V.repetition,
            _DONE,
        ),
    )
    .limit(MOST)
)

_TRIES = and_(
    _V.tenant_id == _N.tenant_id, _V.test_run_id == _N.test_run_id, _V.correction_id == _N.correction_id
)
_WRONG_ONCE = exists().where(_TRIES, _V.verdict == literal_column("'wrong'"))
_NOT_RIGHT = exists().where(_TRIES, _V.verdict != literal_column("'right'"))
_FINISHED = exists().where(
    _T.tenant_id == _N.tenant_id,
    _T.id == _N.test_run_id,
    _T.status == literal_column("'finished'"),
    _T.ended_at == _N.ended_at,
    *(_T[name] == _N[name] for name in ("project_id", "subject_kind", "subject_key", "subject_version")),
)
LOST_WORDS = Sql(
    select(_N.subject_version, _N.project_id, _N.correction_id)
    .where(
        _N.tenant_id == bindparam("tenant_id"),
        or_(
            ~_FINISHED,
            and_(_N.verdict == literal_column("'wrong'"), ~_WRONG_ONCE),
            and_(_N.verdict == literal_column("'right'"), or_(_NOT_RIGHT, ~exists().where(_TRIES))),
        ),
    )
    .limit(MOST)
)


@lru_cache(maxsize=32)
def _by_word(word: Any, of: Any, tenant: Any, count: int) -> Sql:
    where = (tenant == bindparam("tenant_id"), any_of(of, "run", count))
    found = select(of.label("of"), word.label("word"), func.count().label("count"))
    return Sql(found.where(*where).group_by(of, word))


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Test runs of the tenant whose numbers are not those of their cases and verdicts, or whose end nothing tells."""
    tenant = {"tenant_id": at.actor.tenant_id}
    for piece in pieces(at, PIECE, _ORDER, **tenant):
        ids = [run["id"] for run in piece]
        cases = _counted(at, ids, _C.state, _C.test_run_id, _C.tenant_id)
        said = _counted(at, ids, _V.verdict, _V.test_run_id, _V.tenant_id)
        histories = events.histories(at, "test-run", ids)
        for run in piece:
            told = [*_number_faults(run, cases.get(run["id"], {}), said.get(run["id"], {}))]
            told += _end_faults(run, histories.get(run["id"], ()))
            yield from (RowFault("test_runs", run["id"], says) for says in told)
        seen(len(piece))
    for case in at.all(LOST_CASES, **tenant):
        yield RowFault(
            "test_cases", case["id"], f"it is {case['state']}, and its lease or its result says otherwise"
        )
    for verdict in at.all(LOST_VERDICTS, **tenant):
        yield RowFault(
            "verdicts", "/".join(map(str, verdict.values())), "there is no such case with a result"
        )
    for word in at.all(LOST_WORDS, **tenant):
        yield RowFault(
            "newest_verdicts", "/".join(word.values()), "no finished test run of the version says so"
        )


def _counted(at: Snapshot, ids: Sequence[str], word: Any, of: Any, tenant: Any) -> dict[str, dict[str, int]]:
    count, these = among("run", ids)
    found: dict[str, dict[str, int]] = {}
    for row in at.all(_by_word(word, of, tenant, count), tenant_id=at.actor.tenant_id, **these):
        found.setdefault(row["of"], {})[row["word"]] = row["count"]
    return found


def _number_faults(run: Row, cases: Mapping[str, int], said: Mapping[str, int]) -> Iterator[str]:
    there = {
        "case_count": cases.get("open", 0) + cases.get("done", 0),
        "done_count": cases.get("done", 0),
        "right_count": said.get("right", 0),
        "wrong_count": said.get("wrong", 0),
        "not_evaluated_count": said.get("not-evaluated", 0),
    }
    for name, count in there.items():
        if run[name] != count:
            yield f"its {name} is {run[name]}, and there are {count}"
    if run["erased_count"] < cases.get("erased", 0):
        yield f"its erased_count is {run['erased_count']}, and there are {cases['erased']}"


def _end_faults(run: Row, history: Sequence[LoggedEvent]) -> Iterator[str]:
    status, kinds = run["status"], [event.kind for event in history]
    wanted = ["test-run.created"] if status == "running" else ["test-run.created", f"test-run.{status}"]
    if kinds != wanted:
        yield f"its status is {status}, and its history says {', '.join(kinds) or 'nothing'}"
    if (run["ended_at"] is None) != (status == "running"):
        yield f"its status is {status}, and it {'never ended' if run['ended_at'] is None else 'ended'}"
    evaluated = ending_verb(run["right_count"], run["wrong_count"]) == "finish"
    if (status == "finished" and not evaluated) or (status == "failed" and evaluated):
        yield f"its status is {status}, and {'some' if evaluated else 'none'} of its verdicts are right or wrong"
