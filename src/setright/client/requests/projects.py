"""The requests about projects and their members."""

from typing import Unpack

from setright.client.accounts import Member, Project
from setright.client.inputs import MemberFields, PageFilters, ProjectFields
from setright.client.paging import Page, page_of
from setright.client.request import Request, nothing
from setright.client.values import ours, query, segment


def create(*, key: str | None = None, **project: Unpack[ProjectFields]) -> Request[Project]:
    """Make a project; the same id with the same name again answers the project that is there."""
    return Request[Project].write("POST", "/v1/projects", Project.read, ours(project), key=key)


def get(project_id: str) -> Request[Project]:
    """Read a project."""
    return Request[Project].get(_project(project_id), Project.read)


def rename(project_id: str, name: str, *, key: str | None = None) -> Request[Project]:
    """Give a project another name."""
    return Request[Project].write("PATCH", _project(project_id), Project.read, {"name": name}, key=key)


def page(**filters: Unpack[PageFilters]) -> Request[Page[Project]]:
    """Read one page of the projects that the caller may read, newest first."""
    return Request[Page[Project]].get("/v1/projects", page_of(Project), query(**filters))


def members_page(project_id: str, **filters: Unpack[PageFilters]) -> Request[Page[Member]]:
    """Read one page of a project's members."""
    return Request[Page[Member]].get(f"{_project(project_id)}/members", page_of(Member), query(**filters))


def put_member(
    project_id: str, principal_id: str, *, key: str | None = None, **member: Unpack[MemberFields]
) -> Request[Member]:
    """Give a user or service token a role in a project, or another one than before."""
    path = _member(project_id, principal_id)
    return Request[Member].write("PUT", path, Member.read, ours(member), key=key)


def remove_member(
    project_id: str, principal_id: str, *, kind: str | None = None, key: str | None = None
) -> Request[None]:
    """Take a role in a project away; without `kind` an id that begins with `tok_` is a token's, any other a user's."""
    path = _member(project_id, principal_id)
    return Request[None].write("DELETE", path, nothing, query=query(kind=kind), key=key)


def _project(project_id: str) -> str:
    return f"/v1/projects/{segment('project_id', project_id)}"


def _member(project_id: str, principal_id: str) -> str:
    return f"{_project(project_id)}/members/{segment('principal_id', principal_id)}"
