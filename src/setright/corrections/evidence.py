"""Moving a correction by evidence: its project runs a version that a test run found to get it right, or wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from setright import runs, subjects
from setright.corrections import store
from setright.corrections.lifecycle import Standing, by_evidence
from setright.corrections.model import Correction
from setright.corrections.moving import kept
from setright.corrections.testing import corrections_by_id
from setright.kernel.clock import to_wire
from setright.storage import Tx
from setright.subjects import VersionChange


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the version that a project runs through `change` made of a correction, right or wrong.

    It holds `since` the later of two moments (microseconds): when the project came to run it, and when it was judged.
    """

    verdict: str
    wrong_aspect: str | None
    change: VersionChange
    since: int


def hold_corrections(tx: Tx, correction_ids: Sequence[str]) -> Sequence[Correction]:
    """These corrections by id, which nobody else moves until the end of this transaction; their runs are held first."""
    found = corrections_by_id(tx, correction_ids)
    runs.hold_several(tx, sorted({one.run_id for one in found.values()}))
    return store.hold_these(tx, sorted(found))


def move_by_evidence(tx: Tx, now: Correction, found: Evidence) -> Correction | None:
    """Fix or reopen a correction that is held; None where the evidence changes nothing.

    A status that a hand set after the evidence was there stands.
    """
    if not now.stands or (now.status_set_at is not None and now.status_set_at > found.since):
        return None
    standing = Standing(now.status, now.sorted_to)
    moves = by_evidence(
        standing, found.verdict, found.wrong_aspect, participant=now.participant_id is not None
    )
    if moves is None:
        return None
    move, then = moves
    desk = now.sorted
    if then.sorted_to != now.sorted_to:
        desk = {"by": {"kind": "rule"}, "at": to_wire(tx.now)}
    moved = replace(now, status=then.status, sorted_to=then.sorted_to, sorted=desk)
    if move.verb == "fix":
        moved = replace(moved, fixed_in=_fixed_in(tx.now, found.change), reopened_in=None)
    else:
        moved = replace(moved, reopened_in=_reopened_in(tx.now, found.change))
    return kept(tx, now, moved, move.event)


def _fixed_in(now: int, change: VersionChange) -> Mapping[str, Any]:
    pinned = change.verb in ("pin", "went-back")
    return _told(now, change, "pin" if pinned else "latest", named=pinned)


def _reopened_in(now: int, change: VersionChange) -> Mapping[str, Any]:
    how = subjects.HOW[change.verb]
    return _told(now, change, how, named=how != "latest")


def _told(now: int, change: VersionChange, how: str, *, named: bool) -> Mapping[str, Any]:
    by = {"by": {"kind": change.by_kind, "id": change.by_id}} if named else {}
    return {"version": change.version, "how": how, **by, "at": to_wire(now)}
