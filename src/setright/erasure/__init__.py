"""Erasure: a person's words leave every room, and legal holds keep them there."""

from setright.erasure.errors import ErasureNotFound, HeldByLaw, LegalHoldNotFound
from setright.erasure.lifecycle import ERASURE_LIFE, HOLD_LIFE, ErasureState
from setright.erasure.model import Erasure, LegalHold, NewErasure, NewLegalHold, Remembered
from setright.erasure.operations import (
    ERASE,
    ask_for_erasure,
    carry_out,
    place_legal_hold,
    release_legal_hold,
)
from setright.erasure.queries import get_erasure, list_erasures, list_legal_holds
from setright.erasure.replaying import missing, replay
from setright.erasure.store import SECRET, held_among, holds_anything, pseudonyms, remembered

__all__ = [
    "ERASE",
    "ERASURE_LIFE",
    "HOLD_LIFE",
    "SECRET",
    "Erasure",
    "ErasureNotFound",
    "ErasureState",
    "HeldByLaw",
    "LegalHold",
    "LegalHoldNotFound",
    "NewErasure",
    "NewLegalHold",
    "Remembered",
    "ask_for_erasure",
    "carry_out",
    "get_erasure",
    "held_among",
    "holds_anything",
    "list_erasures",
    "list_legal_holds",
    "missing",
    "place_legal_hold",
    "pseudonyms",
    "release_legal_hold",
    "remembered",
    "replay",
]
