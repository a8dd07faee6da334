"""Every kind of job by its name: what one batch of it does, and which of them come again by themselves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from setright import erasure, events, exchange, identity, jobs, knowledge, lessons, proof, retention, reviews
from setright.jobs import Batch
from setright.kernel.clock import SECOND
from setright.storage import Tx

MINUTE = 60 * SECOND
HOUR = 3600 * SECOND
KEPT_FOR = 7 * 24 * HOUR
LEDGER = ""
"""The tenant of jobs that belong to the whole ledger; no token ever has it."""

Doer = Callable[[Tx, Mapping[str, Any], Any], Batch]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job: `batch(tx, arguments, cursor)` does a little in one transaction and may run twice.

    `every` is how often the ledger asks for it by itself, in microseconds; None: only who needs it asks. What one that
    `forgets` has deleted is to leave the database's files, too. `before` is called before each batch, outside of it.
    """

    name: str
    batch: Doer
    every: int | None = None
    forgets: bool = False
    before: Callable[[], object] | None = None


def drop_ended_jobs(tx: Tx, _arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Delete jobs that ended more than seven days ago."""
    gone = jobs.drop_ended(tx, tx.now - KEPT_FOR)
    return Batch(gone, cursor="more" if gone else None)


def seal_events(tx: Tx, _arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Seal events that were committed since."""
    sealed = events.seal_some(tx)
    return Batch(sealed, cursor="more" if sealed == events.SEALED_AT_ONCE else None)


def drop_old_sign_ins(tx: Tx, _arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Drop sessions that ended long ago, and what was kept of tries to sign in."""
    gone = identity.drop_old(tx)
    return Batch(gone, cursor="more" if gone else None)


def embed_nothing(_tx: Tx, _arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Leave texts unread where no model reads them, though one did before."""
    return Batch(0)


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("drop-ended-jobs", drop_ended_jobs, every=HOUR),
        Kind("seal-events", seal_events, every=MINUTE),
        Kind("drop-old-sessions", lessons.drop_old_sessions, every=HOUR),
        Kind("drop-old-sign-ins", drop_old_sign_ins, every=HOUR),
        Kind("read-rules-again", lessons.read_rules_again, every=HOUR),
        Kind(knowledge.EMBED, embed_nothing),
        Kind(proof.MAKE_CASES, proof.make_cases),
        Kind(reviews.DROP_ITEMS, reviews.drop_items),
        Kind(proof.SETTLE_CHANGE, proof.settle_change),
        Kind(proof.SETTLE_TEST_RUN, proof.settle_test_run),
        Kind(exchange.ASSEMBLE, exchange.assemble),
        Kind(erasure.ERASE, erasure.carry_out, forgets=True),
        Kind(retention.CUT, retention.cut_some, forgets=True),
    )
}
"""Every kind by its name."""
