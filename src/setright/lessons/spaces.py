"""Where lessons count and who may say so: a project, or the whole account."""

from setright.identity import find_project, get_project
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import PermissionDenied
from setright.lessons.errors import AccountWide
from setright.lessons.model import Lesson
from setright.storage import Snapshot

ACCOUNT = ""
"""The space of what counts in the whole account."""


def to_write(at: Snapshot, project_id: str | None) -> str | None:
    """The project in which a new lesson counts, None for the whole account; refuses who may not write there.

    Without a project it is the caller's, where it has a role in exactly one.
    """
    actor = at.actor
    if project_id:
        found = find_project(at, project_id).id
        actor.require(Role.WRITE, found)
        return found
    if actor.tenant_role is None and len(actor.roles) == 1:
        (only,) = actor.roles
        actor.require(Role.WRITE, only)
        return only
    require(actor, Role.WRITE, None)
    return None


def to_read(at: Snapshot, project_id: str | None) -> list[str] | None:
    """The projects whose lessons are read: the one asked for, else all that the caller may read; None: every one."""
    if project_id:
        return [get_project(at, project_id).id]
    return at.actor.readable_projects()


def with_account(projects: list[str] | None) -> list[str] | None:
    """The spaces of these projects, and the account; None: every space."""
    return None if projects is None else [ACCOUNT, *projects]


def require(actor: Actor, role: Role, project_id: str | None) -> None:
    """Refuse (`permission-denied`) who has not that role where a lesson counts: for the account, in any project."""
    if project_id is not None:
        actor.require(role, project_id)
        return
    if actor.projects_with(role) == []:
        raise PermissionDenied(
            f"What counts in the whole account needs the role {role.word} in a project, or in the tenant.",
            {"needs": role.word},
        )


def may_read(actor: Actor, project_id: str | None) -> bool:
    """Whether the caller may read what counts there."""
    if project_id is None:
        return actor.projects_with(Role.READ) != []
    return actor.may(Role.READ, project_id)


def require_to_put_in_force(actor: Actor, lesson: Lesson) -> None:
    """Refuse an assistant of some projects to say what counts in the whole account."""
    tenant_wide = actor.tenant_role is not None and actor.tenant_role >= Role.WRITE
    if lesson.project_id is None and not actor.is_person and not tenant_wide:
        raise AccountWide(lesson.id)
