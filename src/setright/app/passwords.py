"""Hashing passwords with argon2id: in threads of its own, a few at a time, and never inside a transaction."""

import asyncio
import base64
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from setright.identity import as_read
from setright.kernel.errors import Kind, Refusal

T = TypeVar("T")
MEMORY_KIB = 32 * 1024
ROUNDS = 3
AT_ONCE = 2
MOST_WAITING = 32
_SALT, _HASH = 16, 32


class SignInBusy(Refusal):
    """More people sign in at this moment than are looked at."""

    kind, code = Kind.UNAVAILABLE, "sign-in-busy"

    def __init__(self) -> None:
        super().__init__("Too many sign-ins wait to be looked at. Try again.", retry_after=2)


class Passwords:
    """Two hashes are made at once at most, and 32 wait: what is more is refused (`sign-in-busy`), and nothing else waits.

    `rounds` and `memory_kib` are the work that one hash takes; hashes made with other work are made anew at sign-in.
    """

    def __init__(self, rounds: int = ROUNDS, memory_kib: int = MEMORY_KIB) -> None:
        self._hasher = PasswordHasher(
            time_cost=rounds, memory_cost=memory_kib, parallelism=1, hash_len=_HASH, salt_len=_SALT
        )
        # Nobody's hash, with the same work in it: it takes as long to find that it is wrong.
        self._nobodys = (
            f"$argon2id$v=19$m={memory_kib},t={rounds},p=1${_random_text(_SALT)}${_random_text(_HASH)}"
        )
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="setright-passwords")
        self._busy = 0

    async def is_right(self, stored: str | None, password: str) -> bool:
        """Whether a password is the one that was hashed; without a hash it takes as long to say no."""
        right = await self._in_thread(lambda: self._verify(stored or self._nobodys, password))
        return right and stored is not None

    async def hash(self, password: str) -> str:
        """The hash of a password, with its salt and the work that it took."""
        return await self._in_thread(lambda: self._hasher.hash(as_read(password)))

    async def better(self, stored: str | None, password: str) -> str | None:
        """A hash in place of one that was made with other work than is asked for now; None where it was not."""
        if stored is None or not self._hasher.check_needs_rehash(stored):
            return None
        return await self.hash(password)

    def close(self) -> None:
        """Finish what is being hashed."""
        self._threads.shutdown()

    def _verify(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, as_read(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._busy >= AT_ONCE + MOST_WAITING:
            raise SignInBusy
        self._busy += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._busy -= 1


def _random_text(count: int) -> str:
    return base64.b64encode(secrets.token_bytes(count)).decode().rstrip("=")
