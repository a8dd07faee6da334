"""Times of other tools, as RFC 3339."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def from_nanoseconds(nanoseconds: int | None) -> str | None:
    """A time in nanoseconds since 1970, in microseconds; None where there is none or it is beyond the year 9999."""
    if nanoseconds is None or nanoseconds <= 0:
        return None
    try:
        at = _EPOCH + timedelta(microseconds=nanoseconds // 1_000)
    except OverflowError:
        return None
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
