"""The seal of each event over the one before it in its tenant, by which a change of the log is found; pure."""

import hashlib
from collections.abc import Mapping
from typing import Any

from setright.kernel import json

BEGINNING = ""
"""The seal before the first event of a tenant."""


def hash_of_id(identifier: str) -> str:
    """The SHA-256 of an id; ids of ours have 80 bits of chance in them, and cannot be guessed from it."""
    return hashlib.sha256(identifier.encode()).hexdigest()


def seal(before: str, event: Mapping[str, Any]) -> str:
    """The seal of an event: the SHA-256 of the seal before it and of everything that the event says.

    Ids of who did it and of users stand in it as hashes, so that a pseudonym may take the place of a user's id later:
    `by_hash` and `subject_hash` are then what is left of the id that stood there.
    """
    told = [
        before,
        event["tenant_id"],
        event["at"],
        event["by_kind"],
        event["by_hash"] or hash_of_id(event["by_id"]),
        event["kind"],
        event["subject_kind"],
        event["subject_hash"] or hash_of_id(event["subject_id"]),
        event["project_id"],
        event["changed"],
        event["about"],
        event["blind"],
    ]
    return hashlib.sha256(json.write(told)).hexdigest()
