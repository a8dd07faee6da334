"""What can be done to corrections: each verb in one transaction."""

from setright import runs
from setright.corrections import reviewing, store
from setright.corrections.errors import (
    ItemNotFound,
    RunNotFinished,
)
from setright.corrections.groups import asserted_group
from setright.corrections.lifecycle import Standing, sort_at_save
from setright.corrections.model import NO_REVIEW, Correction, NewCorrection, Review
from setright.kernel.actor import Role
from setright.kernel.errors import fault_at
from setright.kernel.events import Event
from setright.kernel.limits import Use
from setright.kernel.pointers import resolve
from setright.runs import RunContentExpired, RunErased, RunNotFound, RunToCorrect
from setright.storage import Tx


def record_correction(
    tx: Tx, wanted: NewCorrection, review: Review = NO_REVIEW, held_as: str | None = None
) -> Correction:
    """Keep a correction of a finished run; it supersedes the caller's earlier one for the same participant.

    What supersedes a blind one is as blind, and what supersedes an adjudicating one adjudicates in its place. One that
    was held until now keeps the id that it was `held_as`, and counted against the quota when it was held.
    """
    if held_as is None:
        tx.use(Use(corrections=1))
    run = _finished_run(tx, wanted)
    group = None
    if wanted.corrector_group_id is not None:
        group = asserted_group(tx, wanted.corrector_group_id, run)
    _check_pointers(wanted, run)
    earlier, others = store.standing(tx, run.id, wanted.participant_id)
    review = reviewing.continued(earlier, review)
    correction = store.new_record(tx, wanted, run, _standing(wanted), group, review, held_as)
    store.add(tx, correction, earlier, others)
    if earlier is not None:
        gone = ("supersededBy", "unregisteredAt")
        tx.announce(_event("correction.superseded", correction, earlier.id, gone))
    reviewing.adjudicate(tx, correction)
    if run.copy_kept_at is None:
        runs.keep_copy(tx, run.id)
    tx.announce(_event("correction.recorded", correction, correction.id, ("status",)))
    return correction


def _finished_run(tx: Tx, wanted: NewCorrection) -> RunToCorrect:
    """The run that is corrected, recorded first when it came along; refused unless it can be corrected now."""
    run_id = wanted.run_id or ""
    if wanted.run is not None:
        run_id = runs.record_run(tx, wanted.run).run.id
    needs_output = any(item.pointer is not None for item in wanted.items or ())
    run = runs.to_correct(tx, run_id, with_output=needs_output, hold=True)
    if run is None:
        raise RunNotFound(run_id)
    tx.actor.require(Role.WRITE, run.project_id)
    if run.status == "running":
        raise RunNotFinished(run.id)
    if run.content_erased_at is not None:
        raise RunErased(run.id)
    if run.content_expired_at is not None and run.copy_kept_at is None:
        raise RunContentExpired(run.id)
    return run


def _standing(wanted: NewCorrection) -> Standing:
    return sort_at_save(
        decisions=wanted.decisions,
        answer=wanted.answer,
        wrong_item=wanted.has_wrong_item(),
        participant=wanted.participant_id is not None,
    )


def _check_pointers(wanted: NewCorrection, run: RunToCorrect) -> None:
    faults = [
        fault_at(f"/items/{index}/pointer", f"{item.pointer!r} leads to nothing in the run's output")
        for index, item in enumerate(wanted.items or ())
        if item.pointer is not None and not (run.has_output and resolve(run.output, item.pointer)[0])
    ]
    if faults:
        raise ItemNotFound(faults)


def _event(kind: str, correction: Correction, subject_id: str, changed: tuple[str, ...]) -> Event:
    hidden = correction.blind is not None
    about = correction.run_id
    return Event(kind, "correction", subject_id, correction.project_id, changed, about, blind=hidden)
