"""A project with runs, people who review them, and a clock that tests can make run out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import bindparam, update

from setright import corrections, events, reviews, runs
from setright.app.reactions import react
from setright.corrections import Correction, CorrectionFilters, NewCorrection, NewVerdict
from setright.kernel.actor import Actor, Role
from setright.kernel.fields import validate
from setright.reviews import (
    ClaimedRun,
    CountedQueue,
    NewReviewQueue,
    ReviewClaim,
    ReviewItem,
    ReviewQueue,
    ReviewQueueChange,
)
from setright.reviews.tables import review_claims
from setright.runs import Finish, NewRun
from setright.storage import Snapshot, Sql, Tx
from tests.support.ledger import Ledger, Tenant

T = TypeVar("T")
WRONG: dict[str, Any] = {"answer": "wrong", "shouldSay": "14 days"}
RIGHT: dict[str, Any] = {"answer": "right"}
_RUN_OUT = Sql(
    update(review_claims)
    .where(review_claims.c.id == bindparam("claim_id"), review_claims.c.lease_until.is_not(None))
    .values(lease_until=1)
)


@dataclass
class Desk:
    """One project of a fresh tenant on a ledger; verbs are done with their reactions and events."""

    ledger: Ledger
    tenant: Tenant = field(init=False)

    def __post_init__(self) -> None:
        self.tenant = self.ledger.tenant()

    @property
    def admin(self) -> Actor:
        """The tenant's admin."""
        return self.tenant.admin

    def reviewer(self, role: Role | None = Role.WRITE) -> Actor:
        """Another person with a role in the project."""
        return self.ledger.actor(self.tenant, role)

    def do(self, actor: Actor, work: Callable[[Tx], T]) -> T:
        """What a verb answers, once it is committed."""

        def whole(tx: Tx) -> T:
            answer = work(tx)
            react(tx)
            events.append(tx)
            return answer

        return self.ledger.write(whole, actor)

    def ask(self, actor: Actor, read: Callable[[Snapshot], T]) -> T:
        """What a query answers."""
        return self.ledger.read(read, actor)

    def run(self, **more: Any) -> str:
        """A finished run; its id."""
        body = {
            "projectId": "default",
            "subject": {"kind": "agent", "id": "Support", "version": "v1"},
            "input": "how long?",
            "output": "30 days",
            **more,
        }
        wanted = validate(NewRun, {name: value for name, value in body.items() if value is not None})
        return self.do(self.admin, lambda tx: runs.record_run(tx, wanted).run.id)

    def finish(self, run_id: str) -> None:
        """The end of a run that was running."""
        end = validate(Finish, {"output": "30 days"})
        self.do(self.admin, lambda tx: runs.finish_run(tx, run_id, end))

    def queue(self, actor: Actor | None = None, **more: Any) -> ReviewQueue:
        """A review queue of the project."""
        wanted = validate(NewReviewQueue, {"projectId": "default", "name": "weekly", **more})
        return self.do(actor or self.admin, lambda tx: reviews.create_queue(tx, wanted))

    def change(self, queue: ReviewQueue, actor: Actor | None = None, **more: Any) -> ReviewQueue:
        """The queue after a change."""
        wanted = validate(ReviewQueueChange, more)
        return self.do(actor or self.admin, lambda tx: reviews.change_queue(tx, queue.id, wanted))

    def close(self, queue: ReviewQueue, actor: Actor | None = None) -> CountedQueue:
        """The queue after it was closed."""
        return self.do(actor or self.admin, lambda tx: reviews.close_queue(tx, queue.id))

    def look(self, actor: Actor, queue: ReviewQueue, run_id: str | None = None) -> Any:
        """Whatever a claim answers."""
        return self.do(actor, lambda tx: reviews.claim_run(tx, queue.id, run_id))

    def claim(self, actor: Actor, queue: ReviewQueue, run_id: str | None = None) -> ReviewClaim:
        """A claim that is expected to find a run."""
        found = self.look(actor, queue, run_id)
        assert isinstance(found, ClaimedRun), found
        return found.claim

    def answer(self, actor: Actor, claim: ReviewClaim, **said: Any) -> Correction:
        """The correction that answers a claim; wrong unless told otherwise."""
        wanted = validate(NewVerdict, said or WRONG)
        return self.do(actor, lambda tx: reviews.answer_claim(tx, claim.queue_id, claim.id, wanted))

    def release(self, actor: Actor, claim: ReviewClaim) -> ReviewClaim:
        """The claim, given back."""
        return self.do(actor, lambda tx: reviews.release_claim(tx, claim.queue_id, claim.id))

    def skip(self, actor: Actor, claim: ReviewClaim) -> ReviewClaim:
        """The claim, skipped."""
        return self.do(actor, lambda tx: reviews.skip_claim(tx, claim.queue_id, claim.id))

    def adjudicate(self, actor: Actor, queue: ReviewQueue, run_id: str, **said: Any) -> Correction:
        """The correction by which an admin decides."""
        wanted = validate(NewVerdict, said or WRONG)
        return self.do(actor, lambda tx: reviews.adjudicate_item(tx, queue.id, run_id, wanted))

    def correct(self, actor: Actor, run_id: str, **said: Any) -> Correction:
        """A correction outside of any review."""
        wanted = validate(NewCorrection, {"runId": run_id, **(said or WRONG)})
        return self.do(actor, lambda tx: corrections.record_correction(tx, wanted))

    def remove(self, actor: Actor, correction: Correction) -> Correction:
        """The correction, unregistered."""
        return self.do(actor, lambda tx: corrections.unregister_correction(tx, correction.id))

    def find(self, actor: Actor, correction: Correction) -> Correction:
        """The correction as it is now."""
        return self.ask(actor, lambda at: corrections.get_correction(at, correction.id)).correction

    def seen(self, actor: Actor) -> set[str]:
        """The corrections that a caller finds in a list, those that stand no more included."""
        wanted = CorrectionFilters(include_unregistered=True)
        return {
            one.id
            for one in self.ask(actor, lambda at: corrections.list_corrections(at, wanted, None, 100)).data
        }

    def run_out(self, claim: ReviewClaim) -> None:
        """Let the time of a claim be over."""
        assert self.ledger.write(lambda tx: tx.run(_RUN_OUT, claim_id=claim.id)) == 1

    def counts(self, queue: ReviewQueue, actor: Actor | None = None) -> dict[str, int]:
        """The counts of a queue that are not 0."""
        found = self.ask(actor or self.admin, lambda at: reviews.get_queue(at, queue.id)).counts
        every = {name: getattr(found, name) for name in found.__slots__}
        return {name: count for name, count in every.items() if count}

    def items(
        self, queue: ReviewQueue, actor: Actor | None = None, state: str | None = None
    ) -> dict[str, ReviewItem]:
        """The items of a queue by their runs."""
        page = self.ask(actor or self.admin, lambda at: reviews.list_items(at, queue.id, state, None, 100))
        return {item.run_id: item for item in page.data}

    def state(self, queue: ReviewQueue, run_id: str) -> str:
        """Where an item stands."""
        return self.items(queue)[run_id].state
