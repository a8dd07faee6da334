"""What legal holds keep of that which is due to be cut."""

from collections.abc import Sequence

from setright import erasure, proof, runs
from setright.knowledge import DueQuestion
from setright.storage import Row, Snapshot


def held_runs(at: Snapshot, run_ids: Sequence[str]) -> set[str]:
    """Those of these runs that a hold keeps: on the run, on its participant or on its project.

    So is one that stands as a result in the case of a run that is held, which got the same input.
    """
    if not run_ids or not erasure.holds_anything(at):
        return set()
    corrected = proof.stood_for(at, run_ids)
    every = {*run_ids, *(one for several in corrected.values() for one in several)}
    found = runs.whose_runs(at, sorted(every))
    held = erasure.held_among(at, "run", every)
    projects = erasure.held_among(at, "project", {project for project, _ in found.values()})
    people = erasure.held_among(at, "participant", {who for _, who in found.values() if who is not None})
    held |= {run_id for run_id, (project, who) in found.items() if project in projects or who in people}
    return {one for one in run_ids if one in held or held.intersection(corrected.get(one, ()))}


def held_questions(at: Snapshot, some: Sequence[DueQuestion]) -> set[int]:
    """Those of these questions that a hold keeps: on the run in which they were asked, or on the user who asked."""
    if not some or not erasure.holds_anything(at):
        return set()
    in_runs = held_runs(at, sorted({one.run_id for one in some if one.run_id is not None}))
    users = erasure.held_among(at, "user", {one.by_id for one in some if one.by_kind == "user"})
    return {
        one.number for one in some if one.run_id in in_runs or (one.by_kind == "user" and one.by_id in users)
    }


def held_reads(at: Snapshot, some: Sequence[Row]) -> set[str]:
    """Those of these logged reads that a hold keeps: on the run that was read, or on who read it."""
    if not some or not erasure.holds_anything(at):
        return set()
    in_runs = held_runs(at, sorted({row["run_id"] for row in some}))
    users = erasure.held_among(at, "user", {row["by_id"] for row in some})
    return {row["id"] for row in some if row["run_id"] in in_runs or row["by_id"] in users}
