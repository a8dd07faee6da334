"""Corrections that wait for their run: held, withdrawn, recorded when the run finishes, and read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from setright import identity, runs
from setright.corrections import waiting_store as store
from setright.corrections.errors import CorrectionNotFound, WaitingCorrectionNotFound
from setright.corrections.model import Correction, NewCorrection
from setright.corrections.moving import check_mover
from setright.corrections.operations import record_correction
from setright.corrections.queries import readable
from setright.corrections.waiting_model import (
    AwaitedRun,
    Backlog,
    WaitingCorrection,
    WaitingCorrectionNow,
    WaitingFilters,
)
from setright.kernel.actor import Role
from setright.kernel.clock import SECOND
from setright.kernel.errors import Refusal
from setright.kernel.events import Event
from setright.kernel.fields import validate
from setright.kernel.ids import with_prefix
from setright.kernel.limits import QuotaExceeded, Use
from setright.kernel.paging import Page, Place, page_of
from setright.storage import Row, Snapshot, Tx
from setright.storage.lists import among, numbered, page_values

ONE = Use(corrections=1)
MOST_FOR_ONE_RUN = 100
LISTED = ("waiting", "refused")


def record_or_hold(
    tx: Tx, wanted: NewCorrection, hold_in: str | None = None
) -> Correction | WaitingCorrection:
    """Keep a correction; with `hold_in`, a project, it waits there for a run that is missing or not finished yet."""
    if hold_in is None:
        return record_correction(tx, _after_those_that_wait(tx, wanted))
    project_id = identity.find_project(tx, hold_in).id
    tx.actor.require(Role.WRITE, project_id)
    _check_quota(tx)
    run_id = with_prefix("run", wanted.run_id or "")
    found = runs.to_await(tx, run_id, project_id)
    if found is not None and found.project_id == project_id and found.status != "running":
        return record_correction(tx, wanted)
    if store.count_waiting(tx, project_id, run_id) >= MOST_FOR_ONE_RUN:
        raise _too_many(run_id)
    tx.use(ONE)
    held = _held(tx, wanted, project_id, run_id)
    store.add(tx, held)
    tx.announce(_event("correction.held", held, ("state",)))
    return held


def attach(tx: Tx, finished: Iterable[tuple[str, str]]) -> None:
    """Record what waits for runs, each a run's id and its project's, in the order in which it was held."""
    projects = dict(finished)
    for held in store.waiting_for(tx, list(projects)):
        if held.project_id == projects[held.run_id]:
            tx.happens_after(max(held.held_at, tx.now))
            outcome = tx.attempt(partial(_record, tx, held))
            if isinstance(outcome, Refusal):
                _refuse(tx, held, outcome)


def withdraw(tx: Tx, correction_id: str) -> WaitingCorrectionNow:
    """Take back a held correction, so that it is never recorded; it stays readable, and again changes nothing."""
    held = store.hold(tx, with_prefix("cor", correction_id))
    if held is None:
        raise _not_found(tx, correction_id)
    check_mover(tx.actor, (held.made_by_kind, held.made_by_id), held.project_id)
    if held.state != "withdrawn":
        tx.happens_after(held.held_at)
        held = replace(held, state="withdrawn", withdrawn_at=tx.now)
        store.change(tx, held)
        tx.announce(_event("correction.withdrawn", held, ("state", "withdrawnAt")))
    return _now(tx, [held])[0]


def get_waiting(at: Snapshot, correction_id: str) -> WaitingCorrectionNow:
    """A held correction: one that waits, was refused or was withdrawn."""
    held = store.find(at, with_prefix("cor", correction_id))
    if held is None:
        raise _not_found(at, correction_id)
    at.actor.require(Role.READ, held.project_id)
    return _now(at, [held])[0]


def list_waiting(
    at: Snapshot, filters: WaitingFilters, after: Place | None, limit: int
) -> Page[WaitingCorrectionNow]:
    """A page of the held corrections that the caller may read, those held last first."""
    projects = at.actor.readable_projects()
    if filters.project_id is not None:
        projects = [identity.get_project(at, filters.project_id).id]
    if projects is not None and not projects:
        return Page([])
    made_by = filters.made_by
    values = {
        "run_id": filters.run_id and with_prefix("run", filters.run_id),
        "made_by_id": made_by and (made_by if made_by.startswith("tok_") else with_prefix("usr", made_by)),
    }
    present = {name: value for name, value in values.items() if value is not None}
    count, among_projects = among("project", projects) if projects else (0, {})
    states, among_states = numbered("state", filters.state or LISTED)
    statement = store.page(frozenset(present), count, states)
    names = present | among_projects | among_states | page_values(after, limit)
    rows = at.all(statement, tenant_id=at.actor.tenant_id, **names)
    page = page_of(rows, limit, _place, store.record)
    return Page(_now(at, page.data), page.next)


def backlog(at: Snapshot) -> Backlog:
    """How many corrections of the whole ledger wait, and for how long the oldest has: for its operator."""
    count, oldest = store.backlog(at)
    return Backlog(count, 0 if oldest is None else max(at.now - oldest, 0) / SECOND)


def _after_those_that_wait(tx: Tx, wanted: NewCorrection) -> NewCorrection:
    """A run that comes along is recorded first, with what waits for it: what is said now is the newer word.

    Nobody can wait for a run whose id is made just now.
    """
    if wanted.run is None or wanted.run.id is None:
        return wanted
    _check_quota(tx)
    recorded = runs.record_run(tx, wanted.run)
    run = recorded.run
    if recorded.created and run.status != "running":
        attach(tx, [(run.id, run.project_id)])
    return wanted.model_copy(update={"run": None, "run_id": run.id})


def _check_quota(tx: Tx) -> None:
    """Refuse one correction more than a tenant may add today before anything is written."""
    refusal = tx.over_quota(ONE)
    if refusal is not None:
        raise refusal


def _held(tx: Tx, wanted: NewCorrection, project_id: str, run_id: str) -> WaitingCorrection:
    return WaitingCorrection(
        id=tx.new_id("cor"),
        tenant_id=tx.actor.tenant_id,
        project_id=project_id,
        run_id=run_id,
        request=wanted.model_dump(by_alias=True, exclude_none=True),
        made_by_kind=tx.actor.kind,
        made_by_id=tx.actor.id,
        held_at=tx.now,
        state="waiting",
    )


def _record(tx: Tx, held: WaitingCorrection) -> None:
    """Record a held correction as its maker would now, with all that is checked then."""
    wanted = validate(NewCorrection, held.request)
    maker = identity.caller_now(tx, held.made_by_kind, held.made_by_id)
    tx.acting_as(maker, lambda: record_correction(tx, wanted, held_as=held.id))
    store.remove(tx, held)


def _refuse(tx: Tx, held: WaitingCorrection, why: Refusal) -> None:
    refused = replace(held, state="refused", refusal=store.told(why, tx.now))
    store.change(tx, refused)
    tx.announce(_event("correction.refused", refused, ("state", "refusal")))


def _too_many(run_id: str) -> QuotaExceeded:
    return QuotaExceeded(
        f"{MOST_FOR_ONE_RUN} corrections wait for run {run_id!r} already, and no more may. "
        "Finish the run, or withdraw some of them.",
        {"quota": "waiting-corrections-for-one-run", "limit": MOST_FOR_ONE_RUN, "used": MOST_FOR_ONE_RUN},
    )


def _now(at: Snapshot, held: Sequence[WaitingCorrection]) -> list[WaitingCorrectionNow]:
    """Held corrections as they are at this moment, with how it is with the run for which each waits."""
    awaited = sorted({one.run_id for one in held if one.state == "waiting"})
    projects = runs.projects_of(at, awaited) if awaited else {}
    return [
        WaitingCorrectionNow(one, max(at.now - one.held_at, 0) // SECOND, _run_state(one, projects))
        for one in held
    ]


def _run_state(held: WaitingCorrection, projects: Mapping[str, str]) -> AwaitedRun | None:
    if held.state != "waiting":
        return None
    if held.run_id not in projects:
        return "missing"
    return "running" if projects[held.run_id] == held.project_id else "elsewhere"


def _not_found(at: Snapshot, correction_id: str) -> WaitingCorrectionNotFound:
    """Why there is no such held correction; one that was recorded is a correction now."""
    try:
        readable(at, correction_id)
    except CorrectionNotFound:
        return WaitingCorrectionNotFound(correction_id)
    return WaitingCorrectionNotFound(correction_id, recorded=True)


def _event(kind: str, held: WaitingCorrection, changed: tuple[str, ...]) -> Event:
    return Event(kind, "correction", held.id, held.project_id, changed, about=held.run_id)


def _place(row: Row) -> Place:
    return Place(row["held_at"], row["id"])
