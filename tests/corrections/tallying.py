"""A tenant whose corrections are counted: its runs, several callers, and the figures as they are read."""

from dataclasses import dataclass, field
from typing import Any

from setright import corrections
from setright.corrections import (
    Agreement,
    AgreementFilters,
    Correction,
    CorrectionChange,
    CountFault,
    NewCorrection,
    Review,
    Summary,
    SummaryFilters,
)
from setright.kernel.actor import Actor
from setright.kernel.fields import validate
from tests.corrections.grouping import Groups

UNREVIEWED = Review()
WRONG_ANSWER: dict[str, Any] = {"answer": "wrong", "shouldSay": "14 days"}
RIGHT_ANSWER: dict[str, Any] = {"answer": "right"}
WRONG_CALLS: dict[str, Any] = {"decisions": "wrong", "mustNotCall": ["refund"]}
RIGHT_CALLS: dict[str, Any] = {"decisions": "right"}


def items(*verdicts: str) -> dict[str, Any]:
    """Items with the keys 0, 1 and on."""
    return {"items": [{"key": str(number), "verdict": verdict} for number, verdict in enumerate(verdicts)]}


@dataclass(frozen=True, slots=True)
class Tallied(Groups):
    """One tenant of a ledger; caller 0 is its admin, the others are people with the same rights."""

    _callers: list[Actor] = field(default_factory=list[Actor])

    def caller(self, number: int) -> Actor:
        """One of the callers."""
        self._callers.extend([self.tenant.admin] if not self._callers else [])
        while len(self._callers) <= number:
            self._callers.append(self.ledger.actor(self.tenant, tenant_role=self.tenant.admin.tenant_role))
        return self._callers[number]

    def says(
        self, caller: int, run_id: str, said: dict[str, Any], review: Review = UNREVIEWED, **more: Any
    ) -> Correction:
        """A correction of a run by one of the callers."""
        wanted = validate(NewCorrection, {"runId": run_id, **said, **more})
        return self.do(lambda tx: corrections.record_correction(tx, wanted, review), self.caller(caller))

    def shows(self, run_id: str, queue_id: str) -> None:
        """Show what was said blind of a run for a queue."""
        self.do(lambda tx: corrections.show_corrections(tx, run_id, queue_id))

    def moves(self, of: Correction, **change: Any) -> Correction:
        """The correction after a change by hand."""
        wanted = validate(CorrectionChange, change)
        return self.do(lambda tx: corrections.change_correction(tx, of.id, wanted, _Any()))

    def removes(self, of: Correction) -> Correction:
        """The correction, unregistered."""
        return self.do(lambda tx: corrections.unregister_correction(tx, of.id))

    def summary(
        self, by: Actor | None = None, limit: int = 100, after: Any = None, **filters: Any
    ) -> Summary:
        """The summary that a caller reads."""
        wanted = SummaryFilters(**filters)
        return self.ledger.read(
            lambda at: corrections.summarize(at, wanted, after, limit), by or self.tenant.admin
        )

    def agreement(
        self, by: Actor | None = None, limit: int = 100, after: Any = None, **filters: Any
    ) -> Agreement:
        """The agreement that a caller reads."""
        wanted = AgreementFilters(**filters)
        return self.ledger.read(
            lambda at: corrections.agreement(at, wanted, after, limit), by or self.tenant.admin
        )

    def counts(self, **filters: Any) -> dict[str, int]:
        """The plain counts of everything, without those that are 0."""
        return plain(self.summary(**filters).total)

    def faults(self) -> list[CountFault]:
        """Where the kept counts of this tenant differ from what its corrections say."""
        found = self.ledger.read(lambda at: corrections.count_faults(at, 1000))
        return [fault for fault in found if fault.key["tenant_id"] == self.tenant.id]


class _Any(frozenset[int]):
    """Every state."""

    def __contains__(self, _state: object) -> bool:
        return True


def plain(tally: corrections.Tally) -> dict[str, int]:
    """The plain counts of a tally, without those that are 0."""
    return {name: count.corrections for name, count in tally.items() if count.corrections}
