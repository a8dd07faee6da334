"""The batches of work of the lessons room."""

from collections.abc import Mapping
from typing import Any

from setright.jobs import Batch
from setright.lessons import sessions, similar
from setright.lessons.likeness import READING
from setright.storage import Tx
from setright.storage.kept import read_mark, set_mark

READ_AS = "rules-read-as"
"""The mark that says by which version of our reading every rule in force is found."""


def drop_old_sessions(tx: Tx, _arguments: Mapping[str, Any], _cursor: Any) -> Batch:
    """Forget which rules sessions were told that read no briefing for 90 days."""
    gone = sessions.drop_old(tx)
    return Batch(gone, cursor="more" if gone else None)


def read_rules_again(tx: Tx, _arguments: Mapping[str, Any], cursor: Any) -> Batch:
    """Have rules found that came into force when this was not kept of them, or was read in another way."""
    if read_mark(tx, READ_AS) == READING:
        return Batch(0)
    done, last = similar.read_again(tx, *(cursor or ("", "")))
    if last is None:
        set_mark(tx, READ_AS, READING)
    return Batch(done, last)
