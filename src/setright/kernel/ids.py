"""Our own ids: a prefix and a ULID, and how they are told apart from ids that callers chose."""

import random
import re
import secrets
import threading
from collections.abc import Callable

from ulid import ULID

_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}\Z", re.IGNORECASE | re.ASCII)

PREFIXES = {
    "ten": "tenant",
    "prj": "project",
    "usr": "user",
    "tok": "token",
    "ses": "session",
    "inv": "invitation",
    "run": "run",
    "cor": "correction",
    "grp": "corrector group",
    "les": "lesson",
    "tst": "test run",
    "cas": "case",
    "rvq": "review queue",
    "rvc": "review claim",
    "ann": "annotation",
    "dec": "decision on an annotation",
    "out": "kept answer",
    "scl": "claim to speak as a scholar",
    "imp": "import",
    "ers": "erasure",
    "lgh": "legal hold",
    "req": "request",
}

NewId = Callable[[str, int], str]


class Ids:
    """Makes ids that sort by time; ids of one millisecond keep the order in which they were made.

    Ids are no secrets: their random part comes from a generator that is seeded once, because asking the system for
    each would make all other threads wait in the middle of it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._random = random.Random(secrets.randbits(256))
        self._last_ms = -1
        self._last = 0

    def __call__(self, prefix: str, now: int) -> str:
        """`prefix` + `_` + ULID for the moment `now` (microseconds); safe from any thread."""
        ms = now // 1000
        with self._lock:
            if ms <= self._last_ms:
                self._last += 1
            else:
                self._last_ms = ms
                self._last = (ms << 80) | self._random.getrandbits(79)
            number = self._last
        return f"{prefix}_{ULID.from_int(number)}"


def looks_like_ours(text: str) -> bool:
    """True for a known prefix with a ULID, or a bare ULID: callers may not choose such ids."""
    if _ULID.match(text):
        return True
    prefix, found, rest = text.partition("_")
    return bool(found) and prefix in PREFIXES and bool(_ULID.match(rest))


def with_prefix(prefix: str, text: str) -> str:
    """The stored form of an id as a caller wrote it: a bare ULID gets its prefix, anything else stays as written."""
    if _ULID.match(text):
        return f"{prefix}_{text.upper()}"
    if text.startswith(f"{prefix}_") and _ULID.match(text[len(prefix) + 1 :]):
        return f"{prefix}_{text[len(prefix) + 1 :].upper()}"
    return text


def bare(text: str) -> str:
    """The id without its prefix."""
    return text.partition("_")[2] if looks_like_ours(text) and "_" in text else text
