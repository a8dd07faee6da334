"""What is kept of runs that several raters judged: the votes on each unit, and the figures of agreement."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from sqlalchemy import bindparam, or_, select
from sqlalchemy import delete as core_delete

from setright.corrections.model import Correction
from setright.corrections.ratings import (
    MOST_PAIRED,
    NO_VOTES,
    Rating,
    Unit,
    Votes,
    pairs_among,
    rater_of,
    verdicts_in,
)
from setright.corrections.tables import agreement_counts, agreement_pairs, agreement_units, corrections
from setright.kernel import json
from setright.storage import Row, Sql, Sums, Tx, upsert
from setright.storage.lists import among, any_of

FIGURES = Sums(agreement_counts)
PAIRS = Sums(agreement_pairs)
_C, _U = corrections.c, agreement_units.c
OTHERS = (
    select(corrections)
    .where(
        _C.tenant_id == bindparam("tenant_id"),
        _C.run_id == bindparam("run_id"),
        _C.place == bindparam("place"),
        _C.blind.is_(None),
        or_(
            _C.made_by_kind != bindparam("made_by_kind"),
            _C.made_by_id != bindparam("made_by_id"),
            _C.participant_key != bindparam("participant_key"),
        ),
    )
    .limit(MOST_PAIRED + 1)
)
"""What others say of a run: as many as matter, and nothing that is blind."""
_OTHERS = Sql(OTHERS)
_OF_RUN = (_U.tenant_id == bindparam("tenant_of"), _U.run_id == bindparam("of_run"))
_KEEP = upsert(agreement_units, tuple(column.name for column in agreement_units.primary_key.columns))
_DROP = Sql(
    core_delete(agreement_units).where(
        *_OF_RUN, _U.item_key == bindparam("of_key"), _U.aspect == bindparam("of_aspect")
    )
)


@lru_cache(maxsize=32)
def _units(keys: int) -> Sql:
    """The votes on the units of a run that have so many keys (`key_0` and on)."""
    votes = (_U.rights, _U.wrongs, _U.expert_rights, _U.expert_wrongs)
    return Sql(select(_U.item_key, _U.aspect, *votes).where(*_OF_RUN, any_of(_U.item_key, "key", keys)))


def others_of(tx: Tx, made: Correction) -> list[Rating]:
    """What others than the maker of a correction say of its run; at most one more than are ever paired."""
    rows = tx.all(
        _OTHERS,
        tenant_id=made.tenant_id,
        run_id=made.run_id,
        place="",
        made_by_kind=made.made_by_kind,
        made_by_id=made.made_by_id,
        participant_key=made.participant_id or "",
    )
    return [rating_in(row) for row in rows]


def rating_in(row: Row) -> Rating:
    """What a row of corrections rates."""
    items = json.read_stored(row["said"]).get("items", ()) if '"items":' in row["said"] else ()
    rater = rater_of(row["made_by_kind"], row["made_by_id"], row["participant_key"])
    return Rating(rater, bool(row["expert"]), verdicts_in(row["decisions"], row["answer"], items))


def rated(tx: Tx, of: Correction, was: Rating | None, now: Rating | None, others: Sequence[Rating]) -> None:
    """Keep votes and figures in step with what one rater says; a run that one rater judged alone has none."""
    for sign, pair, amounts in _pairs(was, now, others):
        tx.count(PAIRS, (*_place(of), *pair), [sign * amount for amount in amounts])
    before, after = (len(others) + (one is not None) for one in (was, now))
    if max(before, after) < 2:
        return
    steps = [(one, sign) for one, sign in ((was, -1), (now, 1)) if one is not None]
    if min(before, after) < 2:
        steps.append((others[0], 1 if before < after else -1))
    units = {unit for one, _ in steps for unit in one.verdicts}
    there = _votes(tx, of, units) if before > 1 else {}
    for unit in sorted(units):
        old = new = there.get(unit, NO_VOTES)
        for one, sign in steps:
            if unit in one.verdicts:
                new = new.with_vote(one.verdicts[unit], one.expert, sign)
        if new != old:
            _keep(tx, of, unit, old, new)


def _pairs(
    was: Rating | None, now: Rating | None, others: Sequence[Rating]
) -> Iterable[tuple[int, tuple[str, str, int], list[int]]]:
    """The pairs that go (-1) and come (1); all of a run's where it comes to have too many raters, or no more has."""
    fit = [len(others) + (one is not None) <= MOST_PAIRED for one in (was, now)]
    for sign, one, fits in zip((-1, 1), (was, now), fit, strict=True):
        mine = [] if one is None else [one]
        groups = [[*mine, other] for other in others] if all(fit) else [[*mine, *others]]
        if fits:
            yield from ((sign, *found) for group in groups for found in pairs_among(group))


def _votes(tx: Tx, of: Correction, units: set[Unit]) -> dict[Unit, Votes]:
    count, keys = among("key", sorted({key for key, _ in units}))
    rows = tx.all(_units(count), tenant_of=of.tenant_id, of_run=of.run_id, **keys)
    return {
        (row["item_key"], row["aspect"]): Votes(
            row["rights"], row["wrongs"], row["expert_rights"], row["expert_wrongs"]
        )
        for row in rows
    }


def _keep(tx: Tx, of: Correction, unit: Unit, old: Votes, new: Votes) -> None:
    key, aspect = unit
    if new == NO_VOTES:
        tx.add(_DROP, tenant_of=of.tenant_id, of_run=of.run_id, of_key=key, of_aspect=aspect)
    else:
        tx.add(
            _KEEP,
            tenant_id=of.tenant_id,
            run_id=of.run_id,
            item_key=key,
            aspect=aspect,
            project_id=of.project_id,
            subject_kind=of.subject.kind,
            subject_key=of.subject.key,
            subject_version=of.subject.version,
            rights=new.rights,
            wrongs=new.wrongs,
            expert_rights=new.expert_rights,
            expert_wrongs=new.expert_wrongs,
            changed_at=tx.now,
        )
    for votes, sign in ((old, -1), (new, 1)):
        figures = votes.figures()
        if figures is not None:
            counted, amounts = figures
            tx.count(FIGURES, (*_place(of), aspect, *counted), [sign * amount for amount in amounts])


def _place(of: Correction) -> tuple[str, str, str, str, str]:
    return of.tenant_id, of.project_id, of.subject.kind, of.subject.key, of.subject.version
