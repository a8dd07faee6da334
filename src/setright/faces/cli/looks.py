"""What `doctor` looks at, each look a function from the settings to its findings."""

import os
import platform
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

from setright import __version__, events
from setright.app import machine
from setright.app.assemble import Vouching
from setright.app.machine import Finding
from setright.app.settings import Settings, data_folder, unsafe_bind
from setright.client import Setright
from setright.faces.cli import local_token
from setright.faces.cli.failures import explain

Look = Callable[[Settings], Iterator[Finding]]
LEAST_FREE = 500 * 1024 * 1024
BUILT = 1_760_000_000
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PACKAGES = ("sqlalchemy", "pydantic", "psycopg", "pysqlite3", "uvicorn", "starlette", "httpx2")


def safely(look: Look, settings: Settings) -> list[Finding]:
    """The findings of a look; one that cannot look to its end says why."""
    found: list[Finding] = []
    try:
        for finding in look(settings):
            found.append(finding)  # noqa: PERF402 - what was found before a failure counts
    except Exception as error:  # noqa: BLE001 - a look that fails is itself a finding
        stop = explain(error)
        found.append(Finding(look.__name__, False, stop.message, "; ".join(stop.advice) or None))
    return found


def versions(_settings: Settings) -> Iterator[Finding]:
    """Which versions run here."""
    yield Finding(
        "setright", None, f"{__version__} on Python {platform.python_version()}, {platform.platform()}"
    )
    yield Finding("packages", None, ", ".join(f"{name} {_version(name)}" for name in PACKAGES))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "-"


def sqlite(settings: Settings) -> Iterator[Finding]:
    """Which SQLite would be used, and whether it can corrupt a write-ahead log."""
    drivers = machine.sqlite_drivers()
    used = next((name for name, _, safe in drivers if safe), None)
    shown = ", ".join(
        f"{name} {number}{' (used)' if name == used else '' if safe else ' (not used: can corrupt a write-ahead log)'}"
        for name, number, safe in drivers
    )
    needed = machine.address(settings).engine == "sqlite"
    fix = "Install one outside of 3.7.0 to 3.51.2: pip install pysqlite3; or use PostgreSQL."
    yield Finding("SQLite", used is not None if needed else None, shown or "there is none", fix)


def database(settings: Settings) -> Iterator[Finding]:
    """Whether the database is there, with a schema that fits, and can be read and written."""
    place, schema = machine.address(settings), machine.schema(settings)
    if schema.found is None:
        fix = (
            "setright serve, or setright bootstrap, makes it"
            if place.path
            else "setright db upgrade makes one"
        )
        yield Finding(
            "database", None if place.path else False, f"{place.shown} has no ledger yet; {fix}", fix
        )
        return
    fix = "setright db upgrade" if schema.can_be_upgraded else "install a newer setright"
    says = f"{place.shown}, schema {schema.found}" + (
        "" if schema.fits else f" where {schema.needed} is needed"
    )
    yield Finding("database", schema.fits, says, fix)
    if schema.fits:
        yield from _opened(settings)


def _opened(settings: Settings) -> Iterator[Finding]:
    running = machine.open_app(settings)
    try:
        known = machine.tenants(running)
        names = [tenant.name for tenant in known]
        last = running.store.read(events.last_moment).result(60) / 1_000_000
        yield Finding(
            "tenants",
            bool(names),
            ", ".join(names) or "nobody can come in: there is no tenant",
            "setright bootstrap makes the first tenant and a token",
        )
        yield from _near_limits([machine.limits_of_tenant(running, tenant) for tenant in known])
        yield _clock(last)
        yield _own_token(settings, lambda secret: machine.authenticates(running, secret).name)
        if running.issuer is not None:
            yield from _issuer(running.issuer, settings)
    finally:
        running.close()


def _issuer(issuer: Vouching, settings: Settings) -> Iterator[Finding]:
    """Whether the issuer of access tokens calls itself as the settings do."""
    fault = issuer.start_fault()
    kept = f"in {settings.oidc_keys}" if settings.oidc_keys else "read from it"
    good = f"{issuer.name}: its keys are {kept}"
    if fault is None:
        yield Finding("issuer", True, good)
    else:
        yield Finding("issuer", False, fault[1], "copy oidc_issuer from its metadata, or give oidc_keys")


def _near_limits(tenants: Sequence[machine.TenantLimits]) -> Iterator[Finding]:
    """Which tenants have used nine tenths of a limit or more; theirs is not wrong, but they may be refused soon."""
    for found in tenants:
        for one in (*found.now.quotas, *found.now.caps):
            if one.is_near:
                fix = f"setright tenant limits {found.tenant.name!r} --{one.word} NUMBER allows more"
                says = f"{found.tenant.name} has used {one.used} of {one.limit} {one.word}; {fix}"
                yield Finding("limits", None, says, fix)


def _clock(last: float) -> Finding:
    now = time.time()
    shown = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(now))
    if now < max(last, BUILT):
        newest = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(max(last, BUILT)))
        return Finding(
            "clock", False, f"it says {shown}, which is before {newest}", "Set the clock of this machine."
        )
    return Finding("clock", True, f"it says {shown}")


def _own_token(settings: Settings, who: Callable[[str], str]) -> Finding:
    file = local_token.token_file(settings)
    secret = local_token.kept(file)
    if secret is None:
        return Finding("local token", None, f"there is none in {file}; setright bootstrap makes one")
    try:
        return Finding("local token", True, f"{file} lets in {who(secret)}")
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it is the finding
        return Finding(
            "local token", False, f"{file}: {explain(error).message}", "setright bootstrap makes another"
        )


def disk(settings: Settings) -> Iterator[Finding]:
    """How much space is left where the ledger is."""
    place = machine.address(settings)
    folder = place.path.absolute().parent if place.path else data_folder(settings)
    free = machine.free_bytes(folder)
    yield Finding(
        "disk",
        free >= LEAST_FREE,
        f"{free / 1e9:.1f} GB free at {folder}",
        "Make room: a full disk refuses writes.",
    )


def file_modes(settings: Settings) -> Iterator[Finding]:
    """Whether other users of this machine could read what is secret."""
    if sys.platform == "win32":
        return
    path = machine.address(settings).path
    secret = [local_token.token_file(settings)]
    secret += [path.with_name(path.name + end) for end in ("", "-wal", "-shm")] if path else []
    secret += [Path(settings.tls_key)] if settings.tls_key else []
    there = [file for file in secret if file.exists()]
    open_ones = [file for file in there if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    shown = ", ".join(f"{file} has the mode {stat.S_IMODE(file.stat().st_mode):o}" for file in open_ones)
    if there:
        says = shown or f"only their owner can read the {len(there)} files that are secret"
        yield Finding("file modes", not open_ones, says, f"chmod 600 {' '.join(map(str, open_ones))}")


def listening(settings: Settings) -> Iterator[Finding]:
    """Whether a server with these settings would be safe to start."""
    reason = unsafe_bind(settings)
    yield Finding("address", reason is None, reason or f"{settings.host}:{settings.port}")
    for name in ("tls_certificate", "tls_key"):
        file = getattr(settings, name)
        if file:
            readable = os.access(file, os.R_OK)
            yield Finding(name, readable, f"{file} {'can' if readable else 'cannot'} be read")


def server(_settings: Settings) -> Iterator[Finding]:
    """Whether the server of SETRIGHT_URL answers and lets this token in."""
    url = os.environ.get("SETRIGHT_URL")
    if not url:
        yield Finding(
            "server", None, "SETRIGHT_URL is not set: the commands work on the ledger of this machine"
        )
        return
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        yield Finding("server", False, f"{url} is not https: the token travels in the clear", "Use https.")
    with Setright(url, timeout=5, retries=0) as client:
        me = client.me()
    yield Finding("server", True, f"{url} lets in {me.kind} {me.name or me.id}")


ALL: tuple[Look, ...] = (versions, sqlite, database, disk, file_modes, listening, server)
