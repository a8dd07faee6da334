"""A tenant of its own for every test of the identity room, and short ways to act in it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from setright import identity
from setright.identity import IssuedToken, NewMember, NewToken, NewUser, User
from setright.kernel.actor import Actor
from setright.kernel.errors import Refusal
from setright.kernel.events import Event
from setright.kernel.fields import validate
from setright.storage import Snapshot, Tx
from setright.storage.kept import identity_version
from tests.support.ledger import Ledger, Tenant


@dataclass(frozen=True, slots=True)
class Room:
    """One tenant of a ledger; whoever is not named acts as its admin."""

    ledger: Ledger
    tenant: Tenant

    @property
    def admin(self) -> Actor:
        """The tenant's admin, a person."""
        return self.tenant.admin

    def do(self, verb: Callable[..., Any], *arguments: Any, by: Actor | None = None) -> Any:
        """The result of an operation."""
        return self.ledger.write(lambda tx: verb(tx, *arguments), by or self.admin)

    def ask(self, read: Callable[..., Any], *arguments: Any, by: Actor | None = None, **more: Any) -> Any:
        """The result of a query."""
        return self.ledger.read(lambda at: read(at, *arguments, **more), by or self.admin)

    def refused(self, verb: Callable[..., Any], *arguments: Any, by: Actor | None = None) -> str:
        """The code with which an operation or a query is refused, and nothing of it stays."""
        with pytest.raises(Refusal) as caught:
            self.do(verb, *arguments, by=by)
        assert caught.value.message
        return caught.value.code

    def told(self, verb: Callable[..., Any], *arguments: Any) -> list[Event]:
        """What an operation of the admin announces."""

        def work(tx: Tx) -> list[Event]:
            verb(tx, *arguments)
            return tx.events

        return self.ledger.write(work, self.admin)

    def user(self, name: str, role: str | None = None) -> User:
        """A new user."""
        return self.do(identity.create_user, validate(NewUser, {"name": name, "role": role}))

    def token(self, by: Actor | None = None, **body: Any) -> IssuedToken:
        """A new token; a service token with the role write in the default project unless told otherwise."""
        service = {"kind": "service", "name": "agent", "projectId": "default", "role": "write"}
        return self.do(identity.create_token, validate(NewToken, {**service, **body}), by=by)

    def user_token(self, user: User, by: Actor | None = None, **body: Any) -> IssuedToken:
        """A new token of a user."""
        body = {"kind": "user", "name": "laptop", "userId": user.id, **body}
        return self.do(identity.create_token, validate(NewToken, body), by=by)

    def member(self, principal: Any, role: str, project: str = "default", reviewer: str | None = None) -> Any:
        """A user's or a token's role in a project."""
        kind = "user" if isinstance(principal, User) else "service"
        body = {"kind": kind, "id": principal.id, "role": role, "reviewerRole": reviewer}
        return self.do(identity.put_member, project, validate(NewMember, body))

    def bearer(self, secret: str, later: int = 0) -> identity.Authenticated:
        """Whose token a text is, `later` microseconds from now."""

        def read(at: Snapshot) -> identity.Authenticated:
            at.now += later
            return identity.authenticate(at, identity.present(secret))

        return self.ledger.read(read)

    def unauthenticated(self, secret: str, later: int = 0) -> str:
        """The code with which a token's text is refused."""
        with pytest.raises(Refusal) as caught:
            self.bearer(secret, later)
        assert caught.value.kind == "unauthenticated"
        return caught.value.code

    def person(self, name: str, role: str | None = None, tenant_role: str | None = None) -> Actor:
        """A new user as a caller, with a role in the default project."""
        user = self.user(name, tenant_role)
        if role:
            self.member(user, role)
        return self.bearer(self.user_token(user).secret).actor

    def version(self) -> str:
        """The mark that changes whenever callers must be read again."""
        return self.ledger.read(identity_version)


@pytest.fixture
def room(ledger: Ledger) -> Room:
    """A fresh tenant on each engine."""
    return Room(ledger, ledger.tenant())


@pytest.fixture
def elsewhere(ledger: Ledger) -> Room:
    """Another tenant in the same ledger."""
    return Room(ledger, ledger.tenant())
