"""Who a token belongs to, remembered exactly: every transaction checks that nothing about callers changed since."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock

from setright.identity import Authenticated, Presented, authenticate
from setright.kernel.actor import Actor
from setright.kernel.clock import SECOND
from setright.kernel.limits import NO_LIMITS, Limits
from setright.storage import Snapshot
from setright.storage.kept import identity_version

REMEMBERED = 10_000
SEEN_EVERY = 60 * SECOND
"""How often it is noted that a session is in use."""


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller, what its tenant may use, and the identity version at which that was read."""

    presented: Presented
    found: Authenticated
    version: str
    limits: Limits = NO_LIMITS

    @property
    def actor(self) -> Actor:
        """Who calls."""
        return self.found.actor


class Callers:
    """Remembers up to 10,000 callers by the hash of their token, never the token itself.

    `limits` are those of a tenant that has none of its own.
    """

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        self._limits = limits
        self._known: OrderedDict[str, Caller] = OrderedDict()
        self._lock = Lock()

    def remembered(self, secret_hash: str, now: int) -> Caller | None:
        """The caller whose token's whole text has this hash, as last read, unless the token has expired since."""
        with self._lock:
            caller = self._known.get(secret_hash)
            if caller is None or (caller.found.valid_until is not None and caller.found.valid_until <= now):
                return None
            self._known.move_to_end(secret_hash)
            return caller

    def is_seen(self, caller: Caller, now: int) -> bool:
        """Whether a session is in use and it is time to note that; told true once a minute for each."""
        seen = caller.found.seen_at
        if seen is None or seen + SEEN_EVERY > now:
            return False
        with self._lock:
            self._known[caller.presented.secret_hash] = replace(
                caller, found=replace(caller.found, seen_at=now)
            )
        return True

    def read(self, at: Snapshot, presented: Presented) -> Caller:
        """The caller as the database has it now; refuses an invalid, expired or revoked token."""
        # The version first: a change between the two statements then makes this caller be read again.
        version = identity_version(at)
        found = authenticate(at, presented)
        caller = Caller(presented, found, version, self._limits.with_own(found.own_limits))
        with self._lock:
            self._known[presented.secret_hash] = caller
            self._known.move_to_end(presented.secret_hash)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return caller

    def confirm(self, at: Snapshot, caller: Caller, version: str) -> Caller:
        """The caller with its exact rights in this transaction, in which the identity version is `version`."""
        return caller if caller.version == version else self.read(at, caller.presented)
