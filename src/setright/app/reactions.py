"""The table of reactions: which rooms act, in the same transaction, on what another room announced."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from setright import corrections, proof, reviews
from setright.kernel.events import Event
from setright.storage import Tx


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a room does about events of one kind; it gets all of a transaction at once, in their order.

    `announces` names every event that it may lead to: a test sees to it that nothing leads back to itself.
    """

    does: Callable[[Tx, Sequence[Event]], None]
    announces: frozenset[str] = frozenset()


REACTIONS: Mapping[str, tuple[Reaction, ...]] = {
    "run.finished": (
        Reaction(
            corrections.runs_finished,
            frozenset({"correction.recorded", "correction.superseded", "correction.refused"}),
        ),
    ),
    "correction.superseded": (Reaction(reviews.follow_newer, reviews.ANNOUNCES),),
    "correction.unregistered": (Reaction(reviews.withdraw, reviews.ANNOUNCES),),
    **{f"version.{verb}": (Reaction(proof.version_changed),) for verb in ("deployed", "pinned", "unpinned")},
}
"""Event kind to the reactions of higher rooms."""


def react(tx: Tx) -> None:
    """Run the reactions to everything that was announced, then to what these announced, until nothing is new."""
    done = 0
    while done < len(tx.events):
        told, done = tx.events[done:], len(tx.events)
        for kind in dict.fromkeys(event.kind for event in told if event.kind in REACTIONS):
            for reaction in REACTIONS[kind]:
                reaction.does(tx, [event for event in told if event.kind == kind])
