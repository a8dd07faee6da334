"""What this room does when runs finish: what waited for them is recorded."""

from collections.abc import Sequence

from setright.corrections.waiting import attach
from setright.kernel.events import Event
from setright.storage import Tx


def runs_finished(tx: Tx, told: Sequence[Event]) -> None:
    """Record the corrections that waited for these runs, or say why not; no run is kept from finishing.

    Nobody can have waited for a run whose id was made just now.
    """
    ended = [(event.subject_id, event.project_id or "") for event in told if not tx.is_new(event.subject_id)]
    if ended:
        attach(tx, ended)
