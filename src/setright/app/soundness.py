"""Holding a whole ledger against what must be true of it: what its engine can tell, and what the rooms know."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import Table, func, select, text

from setright import (
    corrections,
    events,
    exchange,
    identity,
    jobs,
    knowledge,
    lessons,
    proof,
    reviews,
    runs,
    subjects,
)
from setright.app import references
from setright.app.assemble import RunningApp
from setright.app.machine import Finding, address
from setright.app.schema import metadata
from setright.app.settings import Settings
from setright.kernel.actor import SCOPES, Actor
from setright.kernel.clock import Clock
from setright.storage import RowFault, Seen, Snapshot, Sql, Tx
from setright.storage.address import Address
from setright.storage.backup import Progress
from setright.storage.checks import Told, check_file, check_server
from setright.storage.open import check_schema
from setright.storage.reading import snapshot
from setright.storage.version import HEAD

MOST = 100
"""How many faults of one kind are told."""
COUNTS = "correction_counts"
GO_BACK = "Keep the database as it is, and go back to a backup: setright db restore."

Faults = Callable[[Snapshot, Seen], Iterator[RowFault]]


@dataclass(frozen=True, slots=True)
class Room:
    """A room's check of its own rows: `table` is what it goes through, `whole` what is said when all is well."""

    name: str
    faults: Faults
    table: Table
    whole: str


ROOMS = tuple(
    Room(name, faults, metadata.tables[table], whole)
    for name, faults, table, whole in (
        ("identity", identity.faults, "members", "each of {} members is somebody"),
        ("subjects", subjects.faults, "subjects", "each of {} agents and flows was seen at a version"),
        ("runs", runs.faults, "runs", "each of {} runs has its content and every call"),
        (
            "corrections",
            corrections.faults,
            "corrections",
            "each of {} corrections stands where its history led it",
        ),
        (
            "reviews",
            reviews.faults,
            "review_items",
            "each of {} reviewed runs stands where its claims put it",
        ),
        ("lessons", lessons.faults, "lessons", "each of {} lessons stands where its history led it"),
        ("knowledge", knowledge.faults, "annotations", "each of {} annotations stands on what it is of"),
        ("test runs", proof.faults, "test_runs", "each of {} test runs counts what it has"),
        (
            "traces",
            exchange.trace_faults,
            "traces",
            "each of {} traces is gathered, is a run, or says why not",
        ),
        ("jobs", jobs.faults, "jobs", "each of {} jobs is taken or has ended"),
        ("events", events.faults, "events", "each of {} events is in the feed"),
    )
)
_COUNTS = {room.name: Sql(select(func.count().label("count")).select_from(room.table)) for room in ROOMS}

NOBODY_CORRECTS = Sql(text("LOCK TABLE corrections IN SHARE ROW EXCLUSIVE MODE"))
"""Whoever records or moves a correction waits; on SQLite there is one writer anyway."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found: a finding for each thing that was looked at, and every row that is wrong, by table and id."""

    findings: Sequence[Finding]
    faults: Sequence[RowFault]


def check(settings: Settings, progress: Progress) -> Checked:
    """Read the whole ledger, which servers may go on writing to, in one snapshot; nothing is changed.

    Refuses (SchemaMismatch) a database whose schema is not that of this code.
    """
    place = address(settings)
    check_schema(place)
    progress("Checking the database itself", 0, None)
    found = [Finding("schema", True, f"version {HEAD}"), *_engine(place)]
    if any(finding.name == "integrity" and finding.ok is False for finding in found):
        unread = "not looked at, because the database itself is damaged"
        return Checked([*found, *(Finding(room.name, None, unread) for room in ROOMS)], ())
    faults: list[RowFault] = []
    with snapshot(place, Clock().now) as at:
        for name, whole, told in _looks(at, progress):
            wrong = list(islice(told, MOST + 1))
            faults += wrong[:MOST]
            found.append(_finding(name, wrong, whole))
    return Checked(found, tuple(faults))


def recount(app: RunningApp) -> int:
    """Count anew what is kept as counts, in one transaction; how many rows of counts were wrong (at most 1,000)."""

    def work(tx: Tx) -> int:
        if tx.engine == "postgresql":
            tx.run(NOBODY_CORRECTS)
        wrong = len(corrections.count_faults(tx, 1000))
        corrections.recount(tx)
        return wrong

    return app.store.write(work).result()


def _engine(place: Address) -> Iterator[Finding]:
    told: Sequence[Told] = check_server(place.url) if place.path is None else check_file(place.path)
    for one in told:
        yield Finding(one.name, one.ok, one.says, GO_BACK if one.ok is False else None)


def _looks(at: Snapshot, progress: Progress) -> Iterator[tuple[str, str, Iterator[RowFault]]]:
    """Everything that is looked at row by row: its name, what is said when all is well, and its faults."""
    progress("Checking references", 0, None)
    yield "references", "every row that is named is there", references.faults(at)
    tenants = [tenant.id for tenant in identity.list_tenants(at)]
    for room in ROOMS:
        row = at.one(_COUNTS[room.name])
        count = row["count"] if row else 0
        seen = _counting(progress, f"Checking {room.name}", count)
        yield room.name, room.whole.format(f"{count:,}"), _every_tenant(at, tenants, room.faults, seen)


def _every_tenant(at: Snapshot, tenants: Sequence[str], faults: Faults, seen: Seen) -> Iterator[RowFault]:
    """A room's check of each tenant, as if the tenant itself asked."""
    for tenant in tenants:
        at.actor = Actor(tenant, "service", "", "", frozenset(SCOPES))
        yield from faults(at, seen)


def _counting(progress: Progress, what: str, total: int) -> Seen:
    done = 0

    def seen(more: int) -> None:
        nonlocal done
        done += more
        progress(what, done, total)

    seen(0)
    return seen


def _finding(name: str, faults: Sequence[RowFault], whole: str) -> Finding:
    if not faults:
        return Finding(name, True, whole)
    first, count = faults[0], f"more than {MOST}" if len(faults) > MOST else str(len(faults))
    says = f"{count} wrong, first {first.table} {first.id}: {first.says}"
    only_counts = all(fault.table == COUNTS for fault in faults)
    return Finding(name, False, says, "setright db recount counts anew" if only_counts else GO_BACK)
