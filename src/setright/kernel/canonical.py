"""Canonical JSON (RFC 8785) and the hashes made from it."""

import hashlib
from typing import Any

import rfc8785


def canonical(value: Any) -> bytes:
    """The RFC 8785 form of a JSON value."""
    return rfc8785.dumps(value)


def digest(value: Any) -> str:
    """SHA-256 of the canonical form, as hexadecimal text."""
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()
