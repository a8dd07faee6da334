"""Signing in and setting passwords: each a try that is counted, then the slow hash, then one transaction."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from setright import events, identity
from setright.app.passwords import Passwords
from setright.app.reactions import react
from setright.app.settings import Settings
from setright.identity import (
    Entrance,
    IssuedSession,
    Lasting,
    NewPassword,
    NewSession,
    SignInRefused,
    SignInSlowed,
)
from setright.kernel.clock import SECOND
from setright.kernel.errors import fault_at, refuse_faults
from setright.storage import Store, Tx

T = TypeVar("T")
OUTCOMES = ("right", "wrong", "slowed")


class SigningIn:
    """Lets users in by their passwords; `outcomes` counts how tries ended."""

    def __init__(self, store: Store, settings: Settings, passwords: Passwords | None = None) -> None:
        self._store = store
        self._passwords = passwords or Passwords()
        minutes = settings.session_idle_minutes, settings.session_hours * 60
        self._lasting = Lasting(*(60 * SECOND * count for count in minutes))
        self.outcomes: Counter[str] = Counter()

    async def sign_in(self, wanted: NewSession, address: str) -> IssuedSession:
        """A session of whose password this is; refuses (`sign-in-refused`) without saying what was wrong."""
        entrance = await self._right(wanted.email, wanted.tenant, wanted.password, address)
        better = await self._passwords.better(entrance.password_hash, wanted.password)
        return await self._write(lambda tx: identity.open_session(tx, entrance, self._lasting, better))

    async def set_password(self, wanted: NewPassword, address: str) -> IssuedSession:
        """A session of whose invitation or old password this is, and who has this new password from now on."""
        lasting = self._lasting
        if wanted.invitation is not None:
            invitation = wanted.invitation
            user = await asyncio.wrap_future(
                self._store.read(lambda at: identity.invited_user(at, invitation))
            )
            hashed = await self._hashed(wanted, user)
            return await self._write(lambda tx: identity.set_password(tx, invitation, hashed, lasting))
        entrance = await self._right(wanted.email or "", wanted.tenant, wanted.old_password or "", address)
        hashed = await self._hashed(wanted, entrance.user)
        return await self._write(lambda tx: identity.change_password(tx, entrance, hashed, lasting))

    def see(self, tenant_id: str, session_id: str) -> None:
        """Note that a session is in use; nobody waits for it."""
        self._store.write(lambda tx: identity.see_session(tx, tenant_id, session_id))

    def close(self) -> None:
        """Finish what is being hashed."""
        self._passwords.close()

    async def _right(self, email: str, tenant: str | None, password: str, address: str) -> Entrance:
        try:
            entrance = await self._write(lambda tx: identity.begin_sign_in(tx, email, tenant, address))
        except SignInSlowed:
            self.outcomes["slowed"] += 1
            raise
        if not await self._passwords.is_right(entrance.password_hash, password):
            self.outcomes["wrong"] += 1
            if entrance.slows_now:
                self._store.write(lambda tx: _told(tx, lambda: identity.note_slowed(tx, entrance)))
            raise SignInRefused
        self.outcomes["right"] += 1
        return entrance

    async def _hashed(self, wanted: NewPassword, user: identity.User | None) -> str:
        own = () if user is None else (user.name, user.email)
        fault = identity.password_fault(wanted.password, own)
        if fault is not None:
            raise refuse_faults([fault_at("/password", *fault)])
        return await self._passwords.hash(wanted.password)

    async def _write(self, work: Callable[[Tx], T]) -> T:
        loop = asyncio.get_running_loop()
        return await self._store.write_in_loop(lambda tx: _told(tx, lambda: work(tx)), loop)


def _told(tx: Tx, work: Callable[[], T]) -> T:
    """`work` with its reactions and its events in the same transaction."""
    result = work()
    react(tx)
    events.append(tx)
    return result
