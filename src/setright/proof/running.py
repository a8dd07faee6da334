"""What a project runs, and how many corrections are still to be settled by it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from setright import jobs, subjects
from setright.identity import get_project
from setright.jobs import Job
from setright.kernel.paging import Page, Place
from setright.proof import settling_store, store
from setright.proof.settling import SETTLE_CHANGE, SETTLE_TEST_RUN
from setright.storage import Snapshot
from setright.subjects import Running, SubjectRef


@dataclass(frozen=True, slots=True)
class RunningNow:
    """Which version of a subject a project runs; `left` corrections are still to be looked at because of it."""

    running: Running
    left: int


def list_running(at: Snapshot, project_id: str, after: Place | None, limit: int) -> Page[RunningNow]:
    """What a project runs and why, the newest seen first, and whether its corrections are being moved just now."""
    project = get_project(at, project_id).id
    page = subjects.list_running(at, project, after, limit)
    left = _left(at, project, page.data) if page.data else Counter[tuple[str, str]]()
    return Page([RunningNow(one, left[one.kind, one.key]) for one in page.data], page.next)


def _left(at: Snapshot, project_id: str, page: Sequence[Running]) -> Counter[tuple[str, str]]:
    """How many corrections the jobs that are under way still have before them, by the subject."""
    versions = {
        (one.kind, one.key): SubjectRef(one.kind, one.key, one.id, one.version)
        for one in page
        if one.version is not None
    }
    found = Counter[tuple[str, str]]()
    for job in jobs.unfinished(at, SETTLE_CHANGE):
        change = subjects.get_change(at, job.arguments["changeId"])
        version = versions.get((change.kind, change.key))
        if version is not None and (change.project_id or project_id, change.version) == (
            project_id,
            version.version,
        ):
            found[change.kind, change.key] += _left_of_change(at, job, version, project_id)
    for job in jobs.unfinished(at, SETTLE_TEST_RUN):
        test_run = store.find(at, job.arguments["testRunId"])
        if test_run is None or test_run.project_id != project_id:
            continue
        subject = test_run.subject
        version = versions.get((subject.kind, subject.key))
        if version is not None and version.version == subject.version:
            found[subject.kind, subject.key] += settling_store.left_of_test_run(
                at, test_run.id, job.cursor or ""
            )
    return found


def _left_of_change(at: Snapshot, job: Job, version: SubjectRef, project_id: str) -> int:
    """How many corrections of a project a change's job has before it, which goes through the projects by their ids."""
    through = subjects.change_that_runs(at, project_id, version.kind, version.key)
    if through is None or through.id != job.arguments["changeId"]:
        return 0
    in_project, after = job.cursor or ("", "")
    if in_project > project_id:
        return 0
    return settling_store.left(at, version, project_id, after if in_project == project_id else "")
