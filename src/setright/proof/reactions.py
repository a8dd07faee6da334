"""What this room does when another version comes to run somewhere: corrections are settled by what is known of it."""

from collections.abc import Sequence

from setright.kernel.events import Event
from setright.proof import settling
from setright.storage import Tx


def version_changed(tx: Tx, told: Sequence[Event]) -> None:
    """Ask for one job for each deploy, pin or unpin, in its own transaction."""
    for event in told:
        if event.about is not None:
            settling.ask_for_change(tx, event.about)
