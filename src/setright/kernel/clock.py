"""Time as integer microseconds since 1970 in UTC, and its RFC 3339 form on the wire."""

import re
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache

SECOND = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
LATEST_TIME = (_LAST - _EPOCH) // timedelta(microseconds=1)
_RFC_3339 = re.compile(
    r"(?P<year>[0-9]{4})-[0-9]{2}-[0-9]{2}[Tt](?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?"
    r"(?P<offset>[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?"
)
_EXAMPLE = "must be an RFC 3339 time such as 2026-01-05T01:00:00Z"
_OUTSIDE = "is outside the years 1970 to 9999"


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
    seconds, micros = divmod(moment, SECOND)
    return f"{_to_the_second(seconds)}.{micros:06d}Z"


@lru_cache(maxsize=4096)
def _to_the_second(seconds: int) -> str:
    return (_EPOCH.replace(tzinfo=None) + timedelta(seconds=seconds)).isoformat()


def from_wire(text: str) -> int:
    """Microseconds of an RFC 3339 time; ValueError when it has no offset, does not exist or is before 1970.

    Stricter than the standard library, which takes more forms of ISO 8601 with every version of Python.
    """
    found = _RFC_3339.fullmatch(text)
    if found is None:
        raise ValueError(_EXAMPLE)
    if found["offset"] is None:
        raise ValueError("must say its offset: end it with Z or +hh:mm")
    if found["year"] < "1970":
        raise ValueError(_OUTSIDE)
    try:
        moment = datetime.fromisoformat(text.upper())
        micros = (moment.astimezone(UTC) - _EPOCH) // timedelta(microseconds=1)
    except OverflowError:
        raise ValueError(_OUTSIDE) from None
    except ValueError:
        raise ValueError(_EXAMPLE) from None
    if not 0 <= micros <= LATEST_TIME:
        raise ValueError(_OUTSIDE)
    return micros
