"""The batches of work of the proof room."""

from collections.abc import Mapping
from typing import Any

from setright.jobs import Batch
from setright.proof import operations
from setright.storage import Tx


def make_cases(tx: Tx, arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Make some more cases of a test run."""
    made = operations.make_cases(tx, arguments["testRunId"])
    is_done = made.is_whole or made.status != "running"
    return Batch(1, cursor=None if is_done else "more")
