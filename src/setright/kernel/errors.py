"""What can be refused, and how a refusal is carried from a room to every face."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar


class Kind(StrEnum):
    """The families of refusals; each face has one table from kind to its own status."""

    INVALID = "invalid"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    MISSING = "missing"
    METHOD = "method"
    NOT_ACCEPTABLE = "not-acceptable"
    CONFLICT = "conflict"
    GONE = "gone"
    CHANGED = "changed"
    TOO_LARGE = "too-large"
    MEDIA_TYPE = "media-type"
    MISDIRECTED = "misdirected"
    TOO_MANY = "too-many"
    HEADERS = "headers"
    BROKEN = "broken"
    UNAVAILABLE = "unavailable"


class Refusal(Exception):
    """A request that is answered with a reason instead of a result.

    `code` is stable and machine-readable; `details` may hold anything JSON; `retry_after` is in whole seconds.
    """

    kind: ClassVar[Kind] = Kind.INVALID
    code: ClassVar[str] = "invalid-body"

    def __init__(
        self, message: str, details: Mapping[str, Any] | None = None, *, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details) if details else {}
        self.retry_after = retry_after


class InvalidBody(Refusal):
    """The body breaks a rule; `details.faults` lists every fault with a JSON Pointer."""

    kind, code = Kind.INVALID, "invalid-body"


class UnknownField(Refusal):
    """The body has fields that this route does not know, and nothing else is wrong with it."""

    kind, code = Kind.INVALID, "unknown-field"


class UnknownParameter(Refusal):
    """The query string has a parameter that this route does not know."""

    kind, code = Kind.INVALID, "unknown-parameter"


class InvalidParameter(Refusal):
    """A query parameter or header has a value that is not allowed."""

    kind, code = Kind.INVALID, "invalid-parameter"


class InvalidCursor(Refusal):
    """The cursor was not made by this server for this list."""

    kind, code = Kind.INVALID, "invalid-cursor"


class ScopeMissing(Refusal):
    """The token lacks the scope that this route needs."""

    kind, code = Kind.FORBIDDEN, "scope-missing"


class PermissionDenied(Refusal):
    """The caller's role in the project, or in the tenant, does not allow this."""

    kind, code = Kind.FORBIDDEN, "permission-denied"


class ChangedMeanwhile(Refusal):
    """The thing was changed since the caller read it; `current` is its record as it is now, for the face to show."""

    kind, code = Kind.CHANGED, "changed-meanwhile"

    def __init__(self, thing: str, current: object) -> None:
        super().__init__(f"The {thing} was changed since you read it. Look at it again, then change it.")
        self.current = current


class StorageUnavailable(Refusal):
    """The database is locked, full, gone or restarting.

    Nothing was changed, unless `outcome_known` is false: then it failed at the very end, and only a retry can tell.
    """

    kind, code = Kind.UNAVAILABLE, "storage-unavailable"

    def __init__(self, reason: str, retry_after: int = 1, *, outcome_known: bool = True) -> None:
        outcome = (
            "Nothing was changed; try again."
            if outcome_known
            else "Whether the change was kept is not known; send it again with the same Idempotency-Key."
        )
        super().__init__(
            f"The database cannot be used just now ({reason}). {outcome}",
            {"reason": reason},
            retry_after=retry_after,
        )


def invalid(pointer: str, fault: str, allowed: str | None = None) -> InvalidBody:
    """An InvalidBody with one fault at `pointer` (RFC 6901 into the body)."""
    return refuse_faults([fault_at(pointer, fault, allowed)])


def fault_at(pointer: str, fault: str, allowed: str | None = None) -> dict[str, str]:
    """One entry of `details.faults`."""
    entry = {"pointer": pointer, "fault": fault}
    if allowed:
        entry["allowed"] = allowed
    return entry


MOST_FAULTS = 100
"""How many faults of one body are told; the message counts those beyond."""


def refuse_faults(faults: Sequence[dict[str, str]], beyond: int = 0) -> InvalidBody:
    """An InvalidBody whose message names the first fault and counts the rest, `beyond` those given included."""
    first = faults[0]
    where = first["pointer"] or "the body"
    rest = len(faults) + beyond - 1
    more = f" (and {rest} more)" if rest else ""
    allowed = f"; allowed: {first['allowed']}" if "allowed" in first else ""
    return InvalidBody(f"{where}: {first['fault']}{allowed}{more}.", {"faults": [*faults[:MOST_FAULTS]]})
