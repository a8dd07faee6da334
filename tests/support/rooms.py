"""A tenant in which a test acts as callers do: each call with its reactions and its events."""

from dataclasses import dataclass
from typing import Any

from setright import events
from setright.app.reactions import react
from setright.kernel.actor import Actor, Role
from setright.storage import Tx
from tests.support.ledger import Ledger, Tenant


@dataclass(frozen=True, slots=True)
class Room:
    """A tenant on a ledger; who acts is its admin unless told otherwise."""

    ledger: Ledger
    tenant: Tenant

    @property
    def person(self) -> Actor:
        """A person with write in the default project."""
        return self.ledger.actor(self.tenant, Role.WRITE)

    @property
    def assistant(self) -> Actor:
        """An assistant with write in the default project."""
        return self.ledger.actor(self.tenant, Role.WRITE, kind="service")

    def do(self, work: Any, actor: Actor | None = None) -> Any:
        """Run `work` as one call does: with its reactions and its events."""

        def whole(tx: Tx) -> Any:
            found = work(tx)
            react(tx)
            events.append(tx)
            return found

        return self.ledger.write(whole, actor or self.tenant.admin)

    def ask(self, work: Any, actor: Actor | None = None) -> Any:
        """Read."""
        return self.ledger.read(work, actor or self.tenant.admin)
