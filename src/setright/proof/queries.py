"""What can be asked about test runs."""

from typing import Any

from setright.identity import get_project
from setright.kernel.actor import Role
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place, page_of
from setright.proof import store
from setright.proof.errors import TestRunNotFound, TestRunsNotComparable
from setright.proof.model import Finished, TestRun, TestRunFilters
from setright.proof.outcomes import would_move
from setright.storage import Snapshot
from setright.storage.lists import among, page_values
from setright.subjects import fold, running_version


def get_test_run(at: Snapshot, test_run_id: str) -> TestRun:
    """A test run that the caller may read."""
    test_run = store.find(at, with_prefix("tst", test_run_id))
    if test_run is None:
        raise TestRunNotFound(test_run_id)
    at.actor.require(Role.READ, test_run.project_id)
    return test_run


def list_test_runs(at: Snapshot, filters: TestRunFilters, after: Place | None, limit: int) -> Page[TestRun]:
    """A page of the test runs that the caller may read, newest first."""
    projects = at.actor.readable_projects()
    if filters.project_id is not None:
        projects = [get_project(at, filters.project_id).id]
    count, names = (None, {}) if projects is None else among("project", projects)
    present = _present(filters)
    statement = store.page(frozenset(present), count)
    values = present | names | page_values(after, limit)
    rows = at.all(statement, tenant_id=at.actor.tenant_id, **values)
    return page_of(rows, limit, store.place_of, store.record)


def comparable(at: Snapshot, test_run: TestRun, against: str) -> TestRun:
    """A test run to compare with, which must be of the same subject in the same project."""
    other = get_test_run(at, against)
    if _tested(other) != _tested(test_run):
        raise TestRunsNotComparable(test_run.id, other.id)
    return other


def _tested(test_run: TestRun) -> tuple[str, str, str]:
    return test_run.project_id, test_run.subject.kind, test_run.subject.key


def what_it_means(at: Snapshot, test_run: TestRun) -> Finished:
    """A test run with what follows for its project once it is finished; whose rights are not checked."""
    if test_run.status != "finished":
        return Finished(test_run)
    subject = test_run.subject
    runs_it = running_version(at, test_run.project_id, subject.kind, subject.key) == subject.version
    return Finished(test_run, runs_it, None if runs_it else would_move(at, test_run.id))


def _present(filters: TestRunFilters) -> dict[str, Any]:
    subject_id = filters.agent_id if filters.agent_id is not None else filters.flow_id
    kind = "flow" if filters.agent_id is None else "agent"
    found = {
        "subject_kind": None if subject_id is None else kind,
        "subject_key": None if subject_id is None else fold(subject_id),
        "subject_version": filters.version,
        "status": filters.status,
    }
    return {name: value for name, value in found.items() if value is not None}
