"""A real database of either engine with fresh tenants in it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from setright.identity.tables import projects, tenants, users
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids
from setright.storage import Snapshot, Store, Tx, insert
from setright.storage.open import create_or_upgrade, open_store

T = TypeVar("T")
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Tenant:
    """A fresh tenant: its admin (a person) and its one project."""

    id: str
    admin: Actor
    project_id: str


class Ledger:
    """An open store; every test makes tenants of its own in it."""

    def __init__(self, url: str) -> None:
        create_or_upgrade(url)
        self.url = url
        self.clock = Clock()
        self.store: Store = open_store(url, self.clock, Ids())

    def write(self, work: Callable[[Tx], T], actor: Actor | None = None) -> T:
        """Run `work` in a committed transaction, as `actor`."""

        def as_actor(tx: Tx) -> T:
            tx.actor = actor or tx.actor
            return work(tx)

        return self.store.write(as_actor).result(30)

    def read(self, work: Callable[[Snapshot], T], actor: Actor | None = None) -> T:
        """Run `work` on a snapshot, as `actor`."""

        def as_actor(at: Snapshot) -> T:
            at.actor = actor or at.actor
            return work(at)

        return self.store.read(as_actor).result(30)

    def tenant(self) -> Tenant:
        """A new tenant with an admin user and a project called `default`."""
        number = next(_NUMBERS)

        def make(tx: Tx) -> Tenant:
            tenant_id, user_id = tx.new_id("ten"), tx.new_id("usr")
            tx.run(insert(tenants), id=tenant_id, name=f"{tenant_id}-{number}", created_at=tx.now)
            user: dict[str, Any] = {"id": user_id, "tenant_id": tenant_id, "name": "ada"}
            user |= {"email": None, "email_key": None, "external_id": None}
            tx.run(
                insert(users), **user, role="admin", created_at=tx.now, updated_at=tx.now, disabled_at=None
            )
            project: dict[str, Any] = {"tenant_id": tenant_id, "id": "default", "name": "Default"}
            tx.run(insert(projects), **project, created_at=tx.now, updated_at=tx.now)
            admin = Actor(tenant_id, "user", user_id, "", frozenset(SCOPES), {}, Role.ADMIN)
            return Tenant(tenant_id, admin, "default")

        return self.write(make)

    def project(self, tenant: Tenant, project_id: str) -> str:
        """A further project of the tenant."""
        project: dict[str, Any] = {"tenant_id": tenant.id, "id": project_id, "name": project_id}
        self.write(lambda tx: tx.run(insert(projects), **project, created_at=tx.now, updated_at=tx.now))
        return project_id

    def actor(self, tenant: Tenant, role: Role | None = None, **changes: Any) -> Actor:
        """Another caller of the tenant: a person with `role` in the default project unless told otherwise."""
        person = replace(tenant.admin, id=f"usr_{next(_NUMBERS):026d}", tenant_role=None)
        roles = {tenant.project_id: role} if role else {}
        return replace(person, **{"roles": roles, **changes})


def sqlite_url(folder: Path) -> str:
    """The address of a new SQLite file."""
    return f"sqlite:///{folder / 'ledger.db'}"
