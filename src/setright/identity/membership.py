"""Who has which role in a project: put there, changed, taken away."""

from setright.identity import store
from setright.identity.changing import change_identity, require_active
from setright.identity.errors import MemberNotFound, TokenRevoked
from setright.identity.model import Member, NewMember, Project
from setright.identity.queries import find_project, find_token, find_user
from setright.kernel.actor import Role
from setright.kernel.errors import invalid
from setright.kernel.events import Event
from setright.kernel.ids import looks_like_ours, with_prefix
from setright.storage import Tx


def put_member(tx: Tx, project_id: str, new: NewMember) -> Member:
    """A user or a service token has this role in the project from now on, whatever it had; needs admin in it."""
    change_identity(tx)
    project = find_project(tx, project_id)
    tx.actor.require(Role.ADMIN, project.id)
    principal_id, name = _principal(tx, new)
    key = _member_key(project, new.kind, principal_id)
    before = tx.one(store.GET_MEMBER, **key)
    role, reviewer = Role[new.role.upper()], new.reviewer_role
    added_at = tx.now if before is None else before["added_at"]
    old = None if before is None else store.member_in(before)
    member = Member(project.id, new.kind, principal_id, name, role, reviewer, added_at)
    changed = _changed(old, member)
    if changed:
        tx.run(store.PUT_MEMBER, role=new.role, reviewer_role=reviewer, added_at=added_at, **key)
        tx.announce(Event("member.put", "member", principal_id, project.id, changed))
    return member


def remove_member(tx: Tx, project_id: str, kind: str, principal_id: str) -> Member:
    """The member as it was; it has no role of its own in the project any more.

    Also the last admin of a project may go: admins of the tenant manage every project.
    """
    change_identity(tx)
    project = find_project(tx, project_id)
    tx.actor.require(Role.ADMIN, project.id)
    stored = with_prefix("usr" if kind == "user" else "tok", principal_id)
    key = _member_key(project, kind, stored)
    possible = kind in ("user", "service") and looks_like_ours(stored)
    row = tx.one(store.GET_MEMBER, **key) if possible else None
    if row is None:
        raise MemberNotFound(
            f"Project {project.id} has no member {kind} {principal_id!r}.",
            {"projectId": project.id, "kind": kind, "id": principal_id},
        )
    tx.run(store.REMOVE_MEMBER, **key)
    tx.announce(Event("member.removed", "member", stored, project.id))
    return store.member_in(row)


def _principal(tx: Tx, new: NewMember) -> tuple[str, str]:
    """The stored id and the name of whom a membership is for; refuses who could not use it."""
    if new.kind == "user":
        user = find_user(tx, new.id)
        require_active(user)
        return user.id, user.name
    token = find_token(tx, new.id)
    if token.kind != "service":
        raise invalid("/id", "is a user's token", "a service token's id, or kind user with the user's id")
    if token.revoked_at is not None:
        raise TokenRevoked("The token was revoked, and stays so.", {"status": token.status, "moves": []})
    return token.id, token.name


def _member_key(project: Project, kind: str, principal_id: str) -> dict[str, str]:
    return {
        "tenant_id": project.tenant_id,
        "project_id": project.id,
        "principal_kind": kind,
        "principal_id": principal_id,
    }


def _changed(old: Member | None, new: Member) -> tuple[str, ...]:
    both = (
        ("role", None if old is None else old.role, new.role),
        ("reviewerRole", None if old is None else old.reviewer_role, new.reviewer_role),
    )
    return tuple(name for name, before, after in both if before != after)
