"""Taking the words of traces out for good: late spans and judgements of runs; all else went when they became runs."""

from collections.abc import Sequence

from setright.exchange.traces import store
from setright.storage import Tx
from setright.storage.lists import numbered


def erase_traces(tx: Tx, run_ids: Sequence[str]) -> int:
    """Take out what was kept of the traces that became these runs; how many parts had words."""
    if not run_ids:
        return 0
    found = tx.all(store.of_runs(len(run_ids)), tenant_id=tx.actor.tenant_id, **numbered("run", run_ids)[1])
    return sum(_erase(tx, row["project_id"], row["trace_id"]) for row in found)


def _erase(tx: Tx, project_id: str, trace_id: str) -> int:
    this = store.this(tx, project_id, trace_id)
    tx.run(store.MARK_ERASED, **this)
    return tx.run(store.ERASE, **this)
