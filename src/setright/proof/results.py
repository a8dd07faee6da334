"""Handing in what a version did in cases: each result once, held at once, whoever sends it again."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from setright import runs
from setright.kernel import json
from setright.kernel.errors import Refusal
from setright.kernel.ids import with_prefix
from setright.proof import case_store, ending, holding
from setright.proof.errors import (
    CaseClaimed,
    CaseErased,
    CaseNotFound,
    LeaseLost,
    ResultExists,
    RunDoesNotFit,
    TestRunEnded,
)
from setright.proof.holding import Did
from setright.proof.model import Case, HeldVerdict, NewResult, ResultOutcome, Submitted, TestRun
from setright.proof.operations import to_change
from setright.runs import RunNotFound, RunState
from setright.storage import Tx
from setright.storage.moments import database_now


def submit_results(tx: Tx, test_run_id: str, results: Sequence[NewResult | Refusal]) -> Submitted:
    """Keep results and hold them against what was said; an equal one again is the one that is there.

    One that is refused stops no other; alone, it is the refusal of the whole. With the last result the test run ends.
    """
    test_run = to_change(tx, test_run_id)
    arrived = _Arrived(tx, test_run, results)
    outcomes = [arrived.outcome(index, result) for index, result in enumerate(results)]
    if len(outcomes) == 1 and outcomes[0].refusal is not None:
        raise outcomes[0].refusal
    verdicts: defaultdict[str, list[HeldVerdict]] = defaultdict(list)
    new = arrived.accepted
    if new:
        for verdict in holding.hold(tx, test_run, [did for did, _ in new.values()], arrived.states):
            verdicts[verdict.case_id].append(verdict)
        test_run = _kept(tx, test_run, new, verdicts)
    for case in arrived.again:
        verdicts[case.id] = [
            one
            for one in case_store.verdicts_of(tx, test_run.id, case.correction_ids)
            if one.case_id == case.id
        ]
    return Submitted(test_run, [_with_verdicts(one, verdicts) for one in outcomes])


def _with_verdicts(outcome: ResultOutcome, verdicts: Mapping[str, Sequence[HeldVerdict]]) -> ResultOutcome:
    if outcome.refusal is not None or outcome.case_id is None:
        return outcome
    return replace(outcome, verdicts=verdicts.get(outcome.case_id, ()))


class _Arrived:
    """Results that just arrived, with all that tells whether each may be kept."""

    def __init__(self, tx: Tx, test_run: TestRun, results: Sequence[NewResult | Refusal]) -> None:
        whole = [one for one in results if isinstance(one, NewResult)]
        case_ids = sorted({with_prefix("cas", one.case_id) for one in whole})
        run_ids = {with_prefix("run", one.run_id) for one in whole if one.run_id is not None}
        self._tx = tx
        self._test_run = test_run
        self._cases = case_store.cases_by_id(tx, test_run.id, case_ids)
        done = [case.id for case in self._cases.values() if case.state == "done"]
        self._hashes = dict(case_store.result_hashes(tx, done))
        self.states: Mapping[str, RunState] = runs.held_states(
            tx, sorted(run_ids | {case.run_id for case in self._cases.values()})
        )
        self.accepted: dict[str, tuple[Did, NewResult]] = {}
        self.again: list[Case] = []

    def outcome(self, index: int, result: NewResult | Refusal) -> ResultOutcome:
        """What becomes of a result, without its verdicts yet."""
        if isinstance(result, Refusal):
            return ResultOutcome(index, None, refusal=result)
        case_id = with_prefix("cas", result.case_id)
        try:
            created = self._accept(case_id, result)
        except Refusal as refusal:
            return ResultOutcome(index, case_id, refusal=refusal)
        return ResultOutcome(index, case_id, created=created)

    def _accept(self, case_id: str, result: NewResult) -> bool:
        """Whether a result is new; refused unless it may be kept or is there already."""
        case = self._cases.get(case_id)
        if case is None:
            raise CaseNotFound(self._test_run.id, result.case_id)
        there = self._hashes.get(case_id)
        if there == result.hash:
            if case_id not in self.accepted:
                self.again.append(case)
            return False
        if there is not None or case.state == "done":
            ours = result.lease is None or result.lease == case.lease
            raise ResultExists(case_id) if ours else LeaseLost(result.lease or "", case_id)
        if self._test_run.status != "running":
            raise TestRunEnded(self._test_run.id, self._test_run.status)
        if case.state == "erased" or self.states[case.run_id].is_erased:
            raise CaseErased(case_id, case.run_id)
        self._check_lease(case, result)
        run_id = None if result.run_id is None else self._run_that_fits(with_prefix("run", result.run_id))
        self.accepted[case_id] = Did(case, result.content, run_id), result
        self._hashes[case_id] = result.hash
        return True

    def _check_lease(self, case: Case, result: NewResult) -> None:
        if result.lease is not None and result.lease != case.lease:
            raise LeaseLost(result.lease, case.id)
        if result.lease is None and (case.next_at or 0) > database_now(self._tx):
            raise CaseClaimed(case.id)

    def _run_that_fits(self, run_id: str) -> str:
        """The id of a run that can stand for a result: finished, there, and of what is tested."""
        run, subject = self.states.get(run_id), self._test_run.subject
        if run is None:
            raise RunNotFound(run_id)
        faults = {
            "it belongs to another project": run.project_id != self._test_run.project_id,
            f"it is no run of the {subject.kind} {subject.id!r}": (run.subject_kind, run.subject_key)
            != (subject.kind, subject.key),
            f"its version is not {subject.version!r}": run.subject_version != subject.version,
            "it is not finished": run.status == "running",
            "its content was erased": run.is_erased,
            "its content has expired": run.is_expired,
        }
        if any(faults.values()):
            raise RunDoesNotFit(run_id, [fault for fault, holds in faults.items() if holds])
        return run_id


def _kept(
    tx: Tx,
    test_run: TestRun,
    new: Mapping[str, tuple[Did, NewResult]],
    verdicts: Mapping[str, Sequence[HeldVerdict]],
) -> TestRun:
    """Store results with their verdicts, and how the test run stands then."""
    case_store.end(tx, list(new), "done")
    counted: Counter[str] = Counter()
    for case_id, (did, result) in new.items():
        tx.add(
            case_store.ADD_RESULT,
            tenant_id=test_run.tenant_id,
            case_id=case_id,
            run_id=did.run_id,
            content=None if did.content is None else json.write_text(did.content),
            hash=result.hash,
            by_kind=tx.actor.kind,
            by_id=tx.actor.id,
            at=tx.now,
        )
        for verdict in verdicts.get(case_id, ()):
            case_store.add_verdict(tx, verdict)
            counted[verdict.verdict] += 1
    return ending.kept(
        tx,
        replace(
            test_run,
            done_count=test_run.done_count + len(new),
            right_count=test_run.right_count + counted["right"],
            wrong_count=test_run.wrong_count + counted["wrong"],
            not_evaluated_count=test_run.not_evaluated_count + counted["not-evaluated"],
        ),
    )
