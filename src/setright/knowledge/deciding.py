"""The verbs by which a scholar accepts or rejects a reading that is contested."""

from setright import identity
from setright.kernel.events import Event
from setright.knowledge import annotation_store, queries, store
from setright.knowledge.errors import (
    AnnotationMoveRefused,
    AnnotationNotFound,
    PersonNeeded,
    ScholarNeeded,
)
from setright.knowledge.lifecycle import ANNOTATION_LIFE, standing
from setright.knowledge.model import Decision, Layered, NewDecision, Principal, Verdict
from setright.storage import Tx


def accept_annotation(tx: Tx, annotation_id: str, new: NewDecision) -> Layered:
    """A scholar holds a contested reading for right; the same scholar's same word again changes nothing."""
    return _decide(tx, annotation_id, new, "accept", "accepted")


def reject_annotation(tx: Tx, annotation_id: str, new: NewDecision) -> Layered:
    """A scholar holds a contested reading for wrong; it stays readable, and is shown last."""
    return _decide(tx, annotation_id, new, "reject", "rejected")


def _decide(tx: Tx, annotation_id: str, new: NewDecision, verb: str, verdict: Verdict) -> Layered:
    before = queries.get_annotation(tx, annotation_id)
    if not tx.actor.is_person:
        raise PersonNeeded(before.annotation.id, verb)
    scholar = _scholar(tx, new, verb)
    held = store.hold(tx, before.annotation.artifact_id)
    if held is None:
        raise AnnotationNotFound(annotation_id)
    layered = queries.get_annotation(tx, annotation_id)
    there = standing(layered)
    move = ANNOTATION_LIFE.find(verb, there)
    if move is None:
        moves = [other.verb for other in ANNOTATION_LIFE.open_from(there)]
        raise AnnotationMoveRefused(layered.annotation.id, there, verb, moves)
    newest = layered.newest_decision
    if newest is not None and there == verdict and newest.scholar == scholar and newest.reason == new.reason:
        return layered
    made = Decision(
        id=tx.new_id("dec"),
        annotation_id=layered.annotation.id,
        artifact_id=layered.annotation.artifact_id,
        verdict=verdict,
        reason=new.reason,
        scholar=scholar,
        by=Principal(tx.actor.kind, tx.actor.id),
        created_at=tx.now,
    )
    annotation_store.mark(tx, [layered.annotation.id], store.grow(tx, held), "decision")
    annotation_store.decide(tx, made)
    tx.announce(Event(move.event, "annotation", layered.annotation.id, about=made.id))
    return queries.get_annotation(tx, layered.annotation.id)


def _scholar(tx: Tx, new: NewDecision, verb: str) -> int:
    """As whom the caller decides: as it says, or as the only scholar for whom it may speak."""
    if new.scholar_id is not None:
        return identity.require_speaker(tx, new.scholar_id).number
    own = identity.scholars_of_caller(tx)
    if len(own) != 1:
        raise ScholarNeeded(verb, own)
    return own[0]
