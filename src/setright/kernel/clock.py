"""Time as integer microseconds since 1970 in UTC, and its RFC 3339 form on the wire."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

SECOND = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
LATEST_TIME = (_LAST - _EPOCH) // timedelta(microseconds=1)


class Clock:
    """A clock that never goes back; `source` gives nanoseconds since 1970 and may be replaced in tests."""

    def __init__(self, source: Callable[[], int] = time.time_ns, last: int = 0) -> None:
        self._source = source
        self._last = last
        self._lock = threading.Lock()

    def now(self) -> int:
        """Microseconds since 1970, never less than an earlier answer."""
        with self._lock:
            self._last = max(self._source() // 1000, self._last)
            return self._last

    def not_before(self, moment: int) -> None:
        """From now on answer nothing earlier than `moment` (microseconds)."""
        with self._lock:
            self._last = max(self._last, moment)


def to_wire(moment: int) -> str:
    """RFC 3339 with six decimals and `Z`."""
    return (_EPOCH + timedelta(microseconds=moment)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def from_wire(text: str) -> int:
    """Microseconds of an RFC 3339 time; ValueError when it has no offset, does not exist or is before 1970."""
    if len(text) > 40 or "T" not in text.upper():
        raise ValueError("must be an RFC 3339 time such as 2026-01-05T01:00:00Z")
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError("must say its offset: end it with Z or +hh:mm")
        micros = (moment.astimezone(UTC) - _EPOCH) // timedelta(microseconds=1)
    except OverflowError:
        raise ValueError("is outside the years 1970 to 9999") from None
    except ValueError as error:
        if "offset" in str(error):
            raise
        raise ValueError("must be an RFC 3339 time such as 2026-01-05T01:00:00Z") from None
    if not 0 <= micros <= LATEST_TIME:
        raise ValueError("is outside the years 1970 to 9999")
    return micros
