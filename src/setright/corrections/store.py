"""The statements of the corrections room; every one filters by tenant."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from sqlalchemy import bindparam, select, union_all, update

from setright.corrections import tallies
from setright.corrections.group_model import CorrectorGroup
from setright.corrections.lifecycle import Standing
from setright.corrections.model import Correction, NewCorrection, Review, Subject
from setright.corrections.raters import OTHERS, rating_in
from setright.corrections.ratings import Rating
from setright.corrections.tables import corrections
from setright.kernel import json
from setright.kernel.clock import to_wire
from setright.runs import RunToCorrect
from setright.storage import Row, Snapshot, Sql, Tx, insert
from setright.storage.lists import among, any_of

C = corrections.c
_ADD = insert(corrections)
_FIND = Sql(select(corrections).where(C.tenant_id == bindparam("tenant_id"), C.id == bindparam("id")))
_HOLD = Sql(
    select(corrections)
    .where(C.tenant_id == bindparam("tenant_id"), C.id == bindparam("id"))
    .with_for_update(key_share=True)
)
_MOVE = Sql(
    update(corrections)
    .where(C.tenant_id == bindparam("of_tenant"), C.id == bindparam("of_id"))
    .values(
        **{
            name: bindparam(f"new_{name}")
            for name in ("status", "sorted_to", "sorted", "fixed_in", "reopened_in")
        },
        status_note=bindparam("new_status_note"),
        unregistered_at=bindparam("new_unregistered_at"),
        place=bindparam("new_place"),
        status_set_at=bindparam("new_status_set_at"),
        updated_at=bindparam("new_updated_at"),
    )
)


@lru_cache(maxsize=16)
def _hold_these(count: int) -> Sql:
    these = (C.tenant_id == bindparam("tenant_id"), any_of(C.id, "id", count))
    return Sql(select(corrections).where(*these).order_by(C.id).with_for_update(key_share=True))


_OWN = select(corrections).where(
    C.tenant_id == bindparam("tenant_id"),
    C.run_id == bindparam("run_id"),
    C.place == bindparam("place"),
    C.made_by_kind == bindparam("made_by_kind"),
    C.made_by_id == bindparam("made_by_id"),
    C.participant_key == bindparam("participant_key"),
)
_STANDING = Sql(union_all(_OWN, select(OTHERS.subquery())))
_SUPERSEDE = Sql(
    update(corrections)
    .where(C.tenant_id == bindparam("tenant_of"), C.id == bindparam("earlier"))
    .values(
        place=C.id,
        superseded_by=bindparam("superseded_by"),
        unregistered_at=bindparam("at"),
        updated_at=bindparam("at"),
    )
)
_STANDINGS = ("sorted", "link", "fixed_in", "reopened_in", "status_note")


def standing(tx: Tx, run_id: str, participant_id: str | None) -> tuple[Correction | None, list[Rating]]:
    """The caller's standing correction of a run for a participant, after which we come, and what others say of it."""
    actor = tx.actor
    own = {
        "made_by_kind": actor.kind,
        "made_by_id": actor.id,
        "participant_key": participant_id or "",
    }
    rows = tx.all(_STANDING, tenant_id=actor.tenant_id, run_id=run_id, place="", **own)
    if not rows:
        return None, []
    mine = [row for row in rows if all(row[name] == value for name, value in own.items())]
    others = [rating_in(row) for row in rows if row not in mine]
    for row in mine:
        tx.happens_after(row["updated_at"])
        return record(row), others
    return None, others


def new_record(
    tx: Tx,
    wanted: NewCorrection,
    run: RunToCorrect,
    standing: Standing,
    group: CorrectorGroup | None,
    review: Review,
    held_as: str | None,
) -> Correction:
    """The record of a new correction, not stored yet; an expert's if its group is restricted now."""
    now = to_wire(tx.now)
    fixed = {"how": "recorded-right", "at": now} if standing.status == "fixed" else None
    return Correction(
        id=held_as or tx.new_id("cor"),
        tenant_id=tx.actor.tenant_id,
        project_id=run.project_id,
        run_id=run.id,
        subject=Subject(run.subject_kind, run.subject_key, run.subject_id, run.subject_version),
        decisions=wanted.decisions,
        answer=wanted.answer,
        said=wanted.said(),
        corrector_group_id=None if group is None else group.id,
        expert=group is not None and group.assertable_by is not None,
        made_by_kind=tx.actor.kind,
        made_by_id=tx.actor.id,
        participant_id=wanted.participant_id,
        status=standing.status,
        sorted_to=standing.sorted_to,
        sorted={"by": {"kind": "rule"}, "at": now} if standing.sorted_to else None,
        link=None,
        fixed_in=fixed,
        reopened_in=None,
        status_note=None,
        created_at=tx.now,
        updated_at=tx.now,
        unregistered_at=None,
        superseded_by=None,
        blind=review.blind,
        adjudicates=review.adjudicates,
    )


def add(tx: Tx, made: Correction, earlier: Correction | None, others: Sequence[Rating]) -> None:
    """Store a new correction in the place of its maker, run and participant, beside what others say of the run.

    The earlier one that stood there is superseded: it keeps its status and moves no more.
    """
    if earlier is not None:
        tx.add(_SUPERSEDE, tenant_of=made.tenant_id, earlier=earlier.id, superseded_by=made.id, at=tx.now)
    _insert(tx, made)
    tallies.changed(tx, earlier, made, others)


def _insert(tx: Tx, made: Correction) -> None:
    standings = {name: _text(getattr(made, name)) for name in _STANDINGS}
    tx.add(
        _ADD,
        id=made.id,
        tenant_id=made.tenant_id,
        project_id=made.project_id,
        run_id=made.run_id,
        subject_kind=made.subject.kind,
        subject_key=made.subject.key,
        subject_id=made.subject.id,
        subject_version=made.subject.version,
        decisions=made.decisions,
        answer=made.answer,
        said=json.write_text(made.said),
        corrector_group_id=made.corrector_group_id,
        expert=1 if made.expert else None,
        made_by_kind=made.made_by_kind,
        made_by_id=made.made_by_id,
        participant_key=made.participant_id or "",
        created_at=made.created_at,
        status=made.status,
        sorted_to=made.sorted_to,
        updated_at=made.updated_at,
        unregistered_at=None,
        superseded_by=None,
        place="",
        content_erased_at=None,
        blind=made.blind,
        adjudicates=json.write_text(made.adjudicates) if made.adjudicates else None,
        adjudicated_by=None,
        status_set_at=None,
        **standings,
    )


def find(at: Snapshot, correction_id: str) -> Correction | None:
    """A correction of the caller's tenant."""
    row = at.one(_FIND, tenant_id=at.actor.tenant_id, id=correction_id)
    return record(row) if row else None


def hold(tx: Tx, correction_id: str) -> Correction | None:
    """A correction of the caller's tenant, which nobody else moves until the end of this transaction."""
    row = tx.one(_HOLD, tenant_id=tx.actor.tenant_id, id=correction_id)
    if row is None:
        return None
    tx.happens_after(row["updated_at"])
    return record(row)


def hold_these(tx: Tx, correction_ids: Sequence[str]) -> Sequence[Correction]:
    """These corrections by id, which nobody else moves until the end of this transaction; who calls holds their runs."""
    count, names = among("id", correction_ids)
    rows = tx.all(_hold_these(count), tenant_id=tx.actor.tenant_id, **names)
    for row in rows:
        tx.happens_after(row["updated_at"])
    return [record(row) for row in rows]


def move(tx: Tx, before: Correction, moved: Correction) -> None:
    """Store where a correction stands now; a removed one leaves its place to another."""
    tx.add(
        _MOVE,
        of_tenant=moved.tenant_id,
        of_id=moved.id,
        new_status=moved.status,
        new_sorted_to=moved.sorted_to,
        new_sorted=_text(moved.sorted),
        new_fixed_in=_text(moved.fixed_in),
        new_reopened_in=_text(moved.reopened_in),
        new_status_note=_text(moved.status_note),
        new_unregistered_at=moved.unregistered_at,
        new_status_set_at=moved.status_set_at,
        new_place=moved.id if moved.status == "removed" else "",
        new_updated_at=moved.updated_at,
    )
    tallies.changed(tx, before, moved)


def record(row: Row) -> Correction:
    """A row as a record."""
    standings = {name: _mapping(row[name]) for name in _STANDINGS}
    return Correction(
        id=row["id"],
        tenant_id=row["tenant_id"],
        project_id=row["project_id"],
        run_id=row["run_id"],
        subject=Subject(row["subject_kind"], row["subject_key"], row["subject_id"], row["subject_version"]),
        decisions=row["decisions"],
        answer=row["answer"],
        said=json.read_stored(row["said"]),
        corrector_group_id=row["corrector_group_id"],
        expert=bool(row["expert"]),
        made_by_kind=row["made_by_kind"],
        made_by_id=row["made_by_id"],
        participant_id=row["participant_key"] or None,
        status=row["status"],
        sorted_to=row["sorted_to"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        unregistered_at=row["unregistered_at"],
        superseded_by=row["superseded_by"],
        blind=row["blind"],
        adjudicates=tuple(json.read_stored(row["adjudicates"] or "[]")),
        adjudicated_by=row["adjudicated_by"],
        status_set_at=row["status_set_at"],
        content_erased_at=row["content_erased_at"],
        **standings,
    )


def _text(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else json.write_text(value)


def _mapping(text: str | None) -> Mapping[str, Any] | None:
    return None if text is None else cast("Mapping[str, Any]", json.read_stored(text))
