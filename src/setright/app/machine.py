"""What whoever holds the database may do without a token: make it, upgrade it, check it, and let a first person in."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from setright import events, identity
from setright.app.assemble import RunningApp, assemble
from setright.app.erasures import erase_again
from setright.app.limits import LimitsNow, limits_of, read_limits
from setright.app.reactions import react
from setright.app.settings import SettingFault, Settings, database_url
from setright.kernel.actor import SCOPES, Actor, Role
from setright.storage import Snapshot, Tx, sqlite
from setright.storage.address import Address, parse
from setright.storage.open import (
    SchemaMismatch,
    check_schema,
    check_writable,
    create_or_upgrade,
    schema_version,
)
from setright.storage.sqlite import UnsuitableSqlite
from setright.storage.version import HEAD, KNOWN

__all__ = [
    "Finding",
    "Schema",
    "SchemaMismatch",
    "TenantLimits",
    "UnsuitableSqlite",
    "address",
    "authenticates",
    "copy_before_upgrade",
    "first_tenant",
    "free_bytes",
    "limit_tenant",
    "limits_of_tenant",
    "make_ready",
    "new_tenant",
    "new_token",
    "open_app",
    "schema",
    "sqlite_drivers",
    "tenants",
    "upgrade",
]

T = TypeVar("T")
SECONDS = 60


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: `ok` is None where there is nothing to judge, `fix` says what to do."""

    name: str
    ok: bool | None
    says: str
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """The version of a database's schema, None when there is no ledger in it, beside the one this code needs."""

    found: str | None
    needed: str = HEAD

    @property
    def fits(self) -> bool:
        """Whether the database can be opened as it is."""
        return self.found == self.needed

    @property
    def can_be_upgraded(self) -> bool:
        """Whether this code knows the way from the database's version to its own."""
        return self.found is not None and self.found in KNOWN and not self.fits


@dataclass(frozen=True, slots=True)
class TenantLimits:
    """What limits a tenant, how much of it is used, and which of it the tenant has of its own (by word)."""

    tenant: identity.Tenant
    now: LimitsNow
    own: Mapping[str, int]


def address(settings: Settings) -> Address:
    """Where the database is; refuses (SettingFault) what is no address of a database."""
    try:
        return parse(database_url(settings))
    except ValueError as fault:
        raise SettingFault(f"{fault}.") from None


def open_app(settings: Settings) -> RunningApp:
    """The app on a database whose schema fits (else SchemaMismatch); close it after use.

    What was erased before, and came back with a backup, is erased again before anybody sees it.
    """
    address(settings)
    app = assemble(settings)
    try:
        erase_again(settings, app.store)
    except BaseException:
        app.close()
        raise
    return app


def schema(settings: Settings) -> Schema:
    """Which schema the database has."""
    return Schema(schema_version(address(settings)))


def make_ready(settings: Settings, *, may_upgrade: bool = False) -> Schema:
    """Make a missing SQLite file, and upgrade an old one where that was allowed; the schema as it was before.

    A PostgreSQL database is never touched: one whose schema does not fit is refused (SchemaMismatch).
    """
    place = address(settings)
    check_writable(place)
    before = schema(settings)
    if place.path is not None and (before.found is None or (may_upgrade and before.can_be_upgraded)):
        create_or_upgrade(place.url)
    check_schema(place)
    return before


def upgrade(settings: Settings) -> tuple[Schema, Path | None]:
    """Bring the database to the schema of this code: what it was before, and the copy that was made of a SQLite file."""
    place, before = address(settings), schema(settings)
    if before.found is not None and not before.fits and not before.can_be_upgraded:
        check_schema(place)
    create_or_upgrade(place.url)
    return before, copy_before_upgrade(settings) if before.can_be_upgraded else None


def copy_before_upgrade(settings: Settings) -> Path | None:
    """Where an upgrade to the schema of this code puts a SQLite file as it was before; None on PostgreSQL."""
    path = address(settings).path
    return None if path is None else path.with_name(f"{path.name}.before-{HEAD}")


def tenants(app: RunningApp) -> Sequence[identity.Tenant]:
    """Every tenant of the ledger, oldest first."""
    return app.store.read(identity.list_tenants).result(SECONDS)


def first_tenant(
    app: RunningApp, tenant: str, project: str, user: str, keep: Callable[[str], None]
) -> identity.Bootstrapped | None:
    """The ledger's first tenant with its admin, project and token; None when there is a tenant already.

    `keep` gets the secret before the commit, so that whoever sees the tenant finds the secret kept.
    """

    def work(tx: Tx) -> identity.Bootstrapped | None:
        if identity.list_tenants(tx):
            return None
        made = identity.bootstrap(tx, tenant, project, user)
        keep(made.issued.secret)
        return made

    return _write(app, work)


def new_tenant(app: RunningApp, tenant: str, project: str, user: str) -> identity.Bootstrapped:
    """A further tenant with its admin, project and token; refuses (`tenant-exists`) a name that is taken."""
    return _write(app, lambda tx: identity.bootstrap(tx, tenant, project, user))


def new_token(app: RunningApp, tenant: identity.Tenant, name: str) -> tuple[identity.User, str] | None:
    """A new token for the tenant's oldest active admin, for who lost theirs; None when there is no admin."""
    found = app.store.read(lambda at: _oldest_admin(at, tenant)).result(SECONDS)
    if found is None:
        return None

    def work(tx: Tx) -> tuple[identity.User, str]:
        tx.actor = Actor(tenant.id, "user", found.id, "", frozenset(SCOPES), {}, Role.ADMIN)
        return found, identity.create_token(tx, identity.NewToken(kind="user", name=name)).secret

    return _write(app, work)


def _oldest_admin(at: Snapshot, tenant: identity.Tenant) -> identity.User | None:
    at.actor = Actor(tenant.id, "user", "", "", frozenset(SCOPES), {}, Role.ADMIN)
    oldest, after, more = None, None, True
    while more:
        page = identity.list_users(at, after, 100)
        admins = [user for user in page.data if user.role is Role.ADMIN and user.disabled_at is None]
        oldest = admins[-1] if admins else oldest
        after, more = page.next, page.next is not None
    return oldest


def limits_of_tenant(app: RunningApp, tenant: identity.Tenant) -> TenantLimits:
    """What limits a tenant, and how much of it is used."""
    return app.store.read(lambda at: _limits(app, at, tenant)).result(SECONDS)


def limit_tenant(app: RunningApp, tenant: identity.Tenant, changes: Mapping[str, int | None]) -> TenantLimits:
    """Give a tenant limits of its own, by word; None takes one away, so that those of every tenant count again."""

    def work(tx: Tx) -> TenantLimits:
        tx.actor = _operator(tenant)
        identity.set_own_limits(tx, changes)
        return _limits(app, tx, tenant)

    return _write(app, work)


def _limits(app: RunningApp, at: Snapshot, tenant: identity.Tenant) -> TenantLimits:
    at.actor = _operator(tenant)
    own = identity.own_limits(at)
    at.limits = limits_of(app.settings).with_own(own)
    return TenantLimits(tenant, read_limits(at), own)


def _operator(tenant: identity.Tenant) -> Actor:
    """Who holds the machine, in a tenant: nobody of its users."""
    return Actor(tenant.id, "service", "operator", "", frozenset())


def authenticates(app: RunningApp, secret: str) -> identity.Me:
    """Who a token's secret lets in; refuses one that lets nobody in."""
    presented = identity.present(secret)

    def read(at: Snapshot) -> identity.Me:
        at.actor = identity.authenticate(at, presented).actor
        return identity.me(at)

    return app.store.read(read).result(SECONDS)


def _write(app: RunningApp, work: Callable[[Tx], T]) -> T:
    """`work` as one call: its reactions and its events are in the same transaction."""

    def whole(tx: Tx) -> T:
        result = work(tx)
        react(tx)
        events.append(tx)
        return result

    return app.store.write(whole).result(SECONDS)


def sqlite_drivers() -> list[tuple[str, str, bool]]:
    """The installed SQLite drivers, preferred one first: name, version of the library inside, whether it is safe."""
    return [
        (name, ".".join(map(str, version)), sqlite.is_safe(version)) for name, _, version in sqlite.drivers()
    ]


def free_bytes(folder: Path) -> int:
    """The free space on the disk that `folder`, or the nearest folder above it that exists, is on."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free
