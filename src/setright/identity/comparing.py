"""Comparing what nobody may find out by measuring how long the comparison took."""

import hmac


def same(stored: str | None, given: str | None) -> bool:
    """Whether two secrets, or hashes of some, are the same text; nothing is the same as none."""
    return stored is not None and given is not None and hmac.compare_digest(stored.encode(), given.encode())
