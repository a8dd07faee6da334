"""The batches of work of the lessons room."""

from collections.abc import Mapping
from typing import Any

from setright.jobs import Batch
from setright.lessons import sessions
from setright.storage import Tx


def drop_old_sessions(tx: Tx, _arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Forget which rules sessions were told that read no briefing for 90 days."""
    gone = sessions.drop_old(tx)
    return Batch(gone, cursor="more" if gone else None)
