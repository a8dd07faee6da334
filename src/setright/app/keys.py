"""How an Idempotency-Key is told apart: by who sent it, to what, and with which body."""

import hashlib

from setright.kernel.actor import Actor
from setright.storage import Key

__all__ = ["MOST_KEY", "Key", "key_of"]

MOST_KEY = 255
"""How many characters an Idempotency-Key may have."""


def key_of(actor: Actor, method: str, path: bytes, query: bytes, key: bytes, body: bytes) -> Key:
    """The stored form of a key that `actor` sent with a request; a user is the same caller whichever token is used."""
    parts = (
        actor.tenant_id.encode(),
        actor.kind.encode(),
        actor.id.encode(),
        method.encode(),
        path,
        query,
        key,
    )
    whole = b"".join([len(part).to_bytes(4, "big") + part for part in parts])
    return Key(hashlib.sha256(whole).digest(), hashlib.sha256(body).digest())
