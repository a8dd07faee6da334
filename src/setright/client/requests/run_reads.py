"""The requests about who was shown what runs said."""

from typing import Unpack

from setright.client.keeping import ReadLog, RunRead, RunReadFilters
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import query, segment


def log(project_id: str) -> Request[ReadLog]:
    """Read whether reads of a project's runs are logged."""
    return Request[ReadLog].get(f"{_project(project_id)}/read-log", ReadLog.read)


def keep_log(project_id: str, *, kept: bool = True, key: str | None = None) -> Request[ReadLog]:
    """Log reads of a project's runs from now on, or no more."""
    path = f"{_project(project_id)}/read-log"
    return Request[ReadLog].write("PUT", path, ReadLog.read, {"kept": kept}, key=key)


def page(project_id: str, **filters: Unpack[RunReadFilters]) -> Request[Page[RunRead]]:
    """Read one page of a project's log of reads, newest first."""
    path = f"{_project(project_id)}/run-reads"
    return Request[Page[RunRead]].get(path, page_of(RunRead), query(**filters))


def _project(project_id: str) -> str:
    return f"/v1/projects/{segment('project_id', project_id)}"
