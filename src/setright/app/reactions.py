"""The table of reactions: which rooms act, in the same transaction, on what another room announced."""

from collections.abc import Callable, Mapping

from setright.kernel.events import Event
from setright.storage import Tx

REACTIONS: Mapping[str, tuple[Callable[[Tx, Event], None], ...]] = {}
"""Event kind to the reactions of higher rooms; empty until a room reacts."""


def react(tx: Tx) -> None:
    """Run the reactions to every announced event, those that reactions announce included."""
    done = 0
    while done < len(tx.events):
        event = tx.events[done]
        done += 1
        for reaction in REACTIONS.get(event.kind, ()):
            reaction(tx, event)
