"""What somebody thought of an answer, and what every word about an answer begins with."""

import hashlib
from dataclasses import replace
from typing import Any

from setright import identity
from setright.kernel import json
from setright.kernel.events import Event
from setright.kernel.json import MAX_INTEGER
from setright.knowledge import interaction_store
from setright.knowledge.errors import InteractionNotFound
from setright.knowledge.model import Feedback, Interaction, NewRating, Principal
from setright.storage import Tx


def rate_interaction(tx: Tx, number: int, new: NewRating) -> Feedback:
    """Keep what the caller thinks of an answer; the same again is the same, another rating counts from now on."""
    interaction = held_interaction(tx, number)
    own = [
        told
        for told in interaction.feedback
        if told.kind == "rating" and (told.by.kind, told.by.id) == (tx.actor.kind, tx.actor.id)
    ]
    if own and own[-1].rating == new.rating:
        return own[-1]
    made = replace(new_feedback(tx, interaction, "rating"), rating=new.rating)
    interaction_store.add_feedback(tx, made, said_key(tx, number, "rating", str(len(own))))
    tx.announce(Event("interaction.rated", "interaction", str(number), about=str(made.number)))
    return made


def held_interaction(tx: Tx, number: int) -> Interaction:
    """An interaction of the tenant of which nobody else says anything until the end of the transaction."""
    found = interaction_store.hold(tx, number) if 0 < number <= MAX_INTEGER else None
    if found is None:
        raise InteractionNotFound(number)
    return found


def run_of_question(number: int) -> str:
    """The id of the run that a question becomes when its answer is corrected."""
    return f"interaction-{number}"


def new_feedback(tx: Tx, interaction: Interaction, kind: Any) -> Feedback:
    """What the caller says of an answer, under the tenant's next number and still without its words."""
    return Feedback(
        number=identity.next_number(tx, "feedback"),
        interaction=interaction.number,
        kind=kind,
        claim=None,
        correction=None,
        evidence=None,
        scholar=None,
        annotation_run=None,
        rating=None,
        message=None,
        by=Principal(tx.actor.kind, tx.actor.id),
        created_at=tx.now,
    )


def said_key(tx: Tx, interaction: int, kind: str, *words: str) -> str:
    """A hash of what the caller says of an answer."""
    said = [tx.actor.kind, tx.actor.id, interaction, kind, *words]
    return hashlib.sha256(json.write(said)).hexdigest()
