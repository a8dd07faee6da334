"""What can be asked about retention: how long what is kept, what is due, and what the passings cut."""

from collections import Counter
from dataclasses import replace

from setright.identity import get_project
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place
from setright.retention import store
from setright.retention.errors import PassingNotFound
from setright.retention.jobs import START, cut_off, steps
from setright.retention.kinds import KINDS
from setright.retention.model import Cut, Passing, Retention
from setright.storage import Snapshot


def get_project_retention(at: Snapshot, project_id: str) -> Retention:
    """How long content of a project is kept; for everybody who may read it."""
    return store.find(at, get_project(at, project_id).id)


def get_tenant_retention(at: Snapshot) -> Retention:
    """How long content that belongs to no project is kept; for admins of the tenant."""
    at.actor.require_admin()
    return store.find(at, None)


def read_due(at: Snapshot) -> Passing:
    """What a passing would cut now, as a passing that is none; for admins of the tenant."""
    at.actor.require_admin()
    now = Passing("", "dry-run", at.actor.kind, at.actor.id, at.now, at.now)
    found, names = list[Cut](), tuple(KINDS)
    counts: Counter[str] = Counter()
    for step in steps(at, START):
        kind, project_id = names[step.kind], step.retention.project_id
        days = step.retention.days[kind]
        before = cut_off(now, days)
        cut, held = KINDS[kind].count(at, project_id or "", before)
        if cut or held:
            found.append(Cut(project_id, kind, days, before, cut, held))
            counts[kind] += cut
    return replace(now, cuts=found, counts=dict(sorted(counts.items())))


def get_passing(at: Snapshot, passing_id: str) -> Passing:
    """How far a passing is, and what it cut in which project."""
    at.actor.require_admin()
    found = store.passing(at, with_prefix("rtp", passing_id), with_cuts=True)
    if found is None:
        raise PassingNotFound(passing_id)
    return found


def list_passings(at: Snapshot, after: Place | None, limit: int) -> Page[Passing]:
    """A page of the tenant's passings, newest first, without what they cut in which project."""
    at.actor.require_admin()
    return store.page(at, after, limit)
