"""What of a review queue is done in batches: ending the many items of one that was closed."""

from collections.abc import Mapping
from typing import Any

from setright.jobs import Batch
from setright.reviews import items, store
from setright.storage import Tx

DROP_ITEMS = "drop-review-items"
DROPPED_AT_ONCE = 200


def drop_items(tx: Tx, arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Drop some unfinished items of a closed queue, and show what was said of them."""
    held = store.hold(tx, arguments["queueId"])
    dropped = 0 if held is None else items.drop_unfinished(tx, held.queue, DROPPED_AT_ONCE)
    return Batch(dropped, cursor="more" if dropped == DROPPED_AT_ONCE else None)
