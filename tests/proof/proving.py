"""A tenant whose agent is corrected and tested: its runs, corrections and test runs, and the worker that moves them."""

from dataclasses import dataclass
from typing import Any, TypeVar

from setright import corrections, events, proof, runs, subjects
from setright.app.worker import Worker
from setright.corrections import Correction, CorrectionChange, NewCorrection
from setright.kernel.actor import Actor
from setright.kernel.fields import validate
from setright.runs import NewRun
from setright.subjects import NewDeploy, NewPin, Unpin, VersionChange
from tests.support.rooms import Room

T = TypeVar("T")
AGENT = {"kind": "agent", "id": "Refunds"}
WRONG_ANSWER: dict[str, Any] = {"answer": "wrong", "shouldSay": "14 days"}
WRONG_CALLS: dict[str, Any] = {"decisions": "wrong", "shouldCall": [{"tool": "refund"}]}


@dataclass(frozen=True, slots=True)
class Proving(Room):
    """A tenant in which versions of the agent Refunds are corrected and tested."""

    def run(self, version: str = "v1", **more: Any) -> str:
        """A finished run of a version."""
        body = {
            "projectId": "default",
            "subject": {**AGENT, "version": version},
            "input": {"question": "may I?"},
            "calls": [{"tool": "look_up", "args": {"order": 1}, "result": "paid"}],
            "output": "30 days",
            **more,
        }
        return self.do(lambda tx: runs.record_run(tx, validate(NewRun, body))).run.id

    def started(self, body: dict[str, Any]) -> str:
        """A run that is not finished."""
        return self.do(lambda tx: runs.record_run(tx, validate(NewRun, body))).run.id

    def corrected(self, run_id: str | None = None, by: Actor | None = None, **said: Any) -> Correction:
        """A correction of a run, of a new one unless told otherwise; it says that the answer was wrong."""
        body = {"runId": run_id or self.run(), **(said or WRONG_ANSWER)}
        wanted = validate(NewCorrection, body)
        return self.do(lambda tx: corrections.record_correction(tx, wanted), by)

    def begun(self, version: str = "v2", by: Actor | None = None, **more: Any) -> proof.TestRun:
        """A test run of a version."""
        body = {"projectId": "default", "subject": {**AGENT, "version": version}, **more}
        wanted = validate(proof.NewTestRun, body)
        return self.do(lambda tx: proof.create_test_run(tx, wanted), by)

    def now(self, test_run: proof.TestRun) -> proof.TestRun:
        """The test run as it stands."""
        return self.ask(lambda at: proof.get_test_run(at, test_run.id))

    def claimed(
        self, test_run: proof.TestRun, n: int = 100, by: Actor | None = None, **more: Any
    ) -> proof.Claimed:
        """Cases, claimed."""
        claim = validate(proof.Claim, {"n": n, **more})
        return self.do(lambda tx: proof.claim_cases(tx, test_run.id, claim), by)

    def submit(
        self, test_run: proof.TestRun, *results: dict[str, Any], by: Actor | None = None
    ) -> proof.Submitted:
        """What became of results."""
        checked = validate(proof.NewResults, {"results": list(results)}).checked()
        return self.do(lambda tx: proof.submit_results(tx, test_run.id, checked), by)

    def finish(self, test_run: proof.TestRun, **body: Any) -> proof.Finished:
        """The test run, finished."""
        wanted = validate(proof.FinishTestRun, body)
        return self.do(lambda tx: proof.finish_test_run(tx, test_run.id, wanted))

    def answered(self, test_run: proof.TestRun, **did: Any) -> proof.TestRun:
        """The test run after the version did the same in every case."""
        while (claimed := self.claimed(test_run)).cases:
            self.submit(test_run, *(result(one.case.id, claimed.lease, **did) for one in claimed.cases))
        return self.now(test_run)

    def tested(self, version: str, *verdicts: tuple[Correction, bool]) -> proof.TestRun:
        """A finished test run in which a version got some corrections right, and others wrong."""
        right = {one.run_id: is_right for one, is_right in verdicts}
        test_run = self.begun(version, filter={"ids": [one.id for one, _ in verdicts]})
        while (claimed := self.claimed(test_run)).cases:
            answers = [
                result(one.case.id, claimed.lease, answer="14 days" if right[one.case.run_id] else "30 days")
                for one in claimed.cases
            ]
            self.submit(test_run, *answers)
        return self.now(test_run)

    def deploy(self, version: str) -> VersionChange:
        """Make a version Latest."""
        wanted = NewDeploy(version=version)
        return self.do(lambda tx: subjects.deploy_version(tx, "agent", "refunds", wanted)).change

    def pin(self, version: str, project: str = "default") -> VersionChange:
        """Pin a version in a project."""
        wanted = validate(NewPin, {"subject": AGENT, "version": version})
        return self.do(lambda tx: subjects.pin_version(tx, project, wanted)).change

    def unpin(self, pin: VersionChange, project: str = "default") -> VersionChange:
        """Lift a pin."""
        return self.do(lambda tx: subjects.unpin_version(tx, project, pin.id, Unpin())).change

    def set(self, correction: Correction, **change: Any) -> Correction:
        """A correction, moved by hand."""
        wanted = validate(CorrectionChange, change)
        known = [self.stands(correction).updated_at]
        return self.do(lambda tx: corrections.change_correction(tx, correction.id, wanted, known))

    def stands(self, correction: Correction) -> Correction:
        """A correction as it stands now."""
        return self.ask(lambda at: corrections.get_correction(at, correction.id)).correction

    def story(self, subject_id: str) -> list[str]:
        """What happened to something."""
        return [one.kind for one in self.ask(lambda at: events.history(at, subject_id)).data]

    def work(self) -> None:
        """Do every job that is due."""
        worker = Worker(self.ledger.store)
        while worker.turn():
            pass


def result(case_id: str, lease: str | None, **did: Any) -> dict[str, Any]:
    """A result: no calls, and the answer that was wanted, unless told otherwise."""
    return {"caseId": case_id, "lease": lease, "calls": [], "answer": "14 days", **did}
