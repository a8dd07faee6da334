"""Which corrections a test run is held against, chosen a little at a time and grouped into cases by run."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from setright import corrections, runs
from setright.corrections import Candidate
from setright.kernel import json
from setright.kernel.clock import from_wire
from setright.kernel.errors import fault_at, refuse_faults
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Place
from setright.proof import store
from setright.proof.model import TestRun
from setright.storage import Snapshot, Tx

LOOKED_AT = 500
FEWEST = 25
_WHOLE = 2**64

Wanted = Callable[[Candidate], bool]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some cases to be: corrected runs with their corrections, how many were erased, and where to go on."""

    cases: Mapping[str, Sequence[str]]
    erased: int
    next_place: Sequence[Any] | None


def begin(filtered: Mapping[str, Any], now: int) -> Sequence[Any]:
    """Where the choice begins: at the first of the chosen ids, or at the newest correction of this moment."""
    return [0] if "ids" in filtered else [now + 1, ""]


def choose(at: Snapshot, test_run: TestRun) -> Chosen:
    """The next cases of a test run, from a bounded number of corrections; perhaps none, and yet there may be more."""
    if test_run.next_place is None:
        return Chosen({}, 0, None)
    seen, next_place = _seen(at, test_run, test_run.next_place)
    wanted = wanted_by(test_run)
    new = dict.fromkeys(one.run_id for one in seen if wanted(one))
    there = store.runs_that_are_cases(at, test_run.id, list(new))
    run_ids = [run_id for run_id in new if run_id not in there]
    states = runs.run_states(at, run_ids)
    kept = [run_id for run_id in run_ids if not states[run_id].is_erased]
    said: defaultdict[str, list[str]] = defaultdict(list)
    for one in corrections.candidates_of_runs(at, kept):
        if wanted(one):
            said[one.run_id].append(one.id)
    return Chosen({run_id: said[run_id] for run_id in kept}, len(run_ids) - len(kept), next_place)


def keep(tx: Tx, test_run: TestRun, chosen: Chosen) -> TestRun:
    """Store cases, each as often as it is tried; the test run with its new counts, which are not stored yet."""
    first = (test_run.case_count + test_run.erased_count) // test_run.repeat
    for number, (run_id, correction_ids) in enumerate(chosen.cases.items()):
        for repetition in range(1, test_run.repeat + 1):
            tx.add(
                store.ADD_CASE,
                tenant_id=test_run.tenant_id,
                id=tx.new_id("cas"),
                test_run_id=test_run.id,
                run_id=run_id,
                repetition=repetition,
                position=first + number,
                correction_ids=json.write_text(correction_ids),
                state="open",
                next_at=0,
                lease=None,
                done_at=None,
            )
    return replace(
        test_run,
        next_place=chosen.next_place,
        case_count=test_run.case_count + len(chosen.cases) * test_run.repeat,
        erased_count=test_run.erased_count + chosen.erased * test_run.repeat,
        correction_count=test_run.correction_count + sum(map(len, chosen.cases.values())),
    )


def wanted_by(test_run: TestRun) -> Wanted:
    """Whether a correction is one that the test run is held against."""
    filtered, subject = test_run.filter, test_run.subject
    group = filtered.get("correctorGroupId")
    group = None if group is None else with_prefix("grp", group)
    since = from_wire(filtered["since"]) if "since" in filtered else 0
    ids = {with_prefix("cor", text) for text in filtered.get("ids", ())}
    below = int(filtered.get("sample", 1) * _WHOLE)

    def wanted(one: Candidate) -> bool:
        return (
            one.why_not is None
            and (one.project_id, one.subject_kind, one.subject_key)
            == (test_run.project_id, subject.kind, subject.key)
            and ("status" not in filtered or one.status in filtered["status"])
            and ("sortedTo" not in filtered or one.sorted_to == filtered["sortedTo"])
            and (group is None or one.corrector_group_id == group)
            and one.created_at >= since
            and (not ids or one.id in ids)
            and place_in_sample(one.run_id) < below
        )

    return wanted


def place_in_sample(run_id: str) -> int:
    """A number of 64 bits by which a sample is taken, the same for a run in every test run."""
    return int.from_bytes(sha256(run_id.encode()).digest()[:8])


def check_ids(at: Snapshot, test_run: TestRun) -> None:
    """Refuse chosen ids that name no correction of the subject in the project, or one that is no case."""
    asked: Sequence[str] = test_run.filter.get("ids", ())
    found = corrections.candidates_by_id(at, asked)
    faults = [
        fault_at(f"/filter/ids/{index}", fault)
        for index, text in enumerate(asked)
        if (fault := _fault(test_run, found.get(text))) is not None
    ]
    if faults:
        raise refuse_faults(faults)


def _fault(test_run: TestRun, found: Candidate | None) -> str | None:
    subject = test_run.subject
    place = (test_run.project_id, subject.kind, subject.key)
    if found is None or found.is_blind or (found.project_id, found.subject_kind, found.subject_key) != place:
        return f"is the id of no correction of the {subject.kind} {subject.id!r} in this project"
    return found.why_not


def _seen(
    at: Snapshot, test_run: TestRun, place: Sequence[Any]
) -> tuple[Iterable[Candidate], Sequence[Any] | None]:
    """The next corrections to look at, and where to go on after them."""
    most = max(FEWEST, LOOKED_AT // test_run.repeat)
    if "ids" in test_run.filter:
        (done,) = place
        asked: Sequence[str] = test_run.filter["ids"]
        found = corrections.candidates_by_id(at, asked[done : done + most]).values()
        return found, [done + most] if done + most < len(asked) else None
    subject = test_run.subject
    page = corrections.candidates(at, subject.kind, subject.key, Place(*place), most)
    since = from_wire(test_run.filter["since"]) if "since" in test_run.filter else 0
    if len(page) < most or page[-1].created_at < since:
        return page, None
    return page, [page[-1].created_at, page[-1].id]
