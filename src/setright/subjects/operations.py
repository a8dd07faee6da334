"""Subjects as they are seen on runs and changed by their owners."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from setright.identity import UserNotFound, find_user
from setright.kernel.actor import Role
from setright.kernel.errors import ChangedMeanwhile, PermissionDenied, invalid
from setright.kernel.events import Event
from setright.storage import Row, Tx
from setright.subjects import store
from setright.subjects.errors import subject_not_found
from setright.subjects.model import Kind, Subject, SubjectChanges, SubjectRef, fold

_WIRE = {"name": "name", "description": "description", "owner_id": "ownerId"}


def see(tx: Tx, project_id: str, kind: Kind, subject_id: str, version: str) -> SubjectRef:
    """The subject of a run; what is new of it (itself, this version, this project) is remembered.

    A version that was seen is known, not deployed. One statement when nothing is new.
    """
    key = fold(subject_id)
    this = {"tenant_id": tx.actor.tenant_id, "kind": kind, "key": key}
    known = tx.one(store.KNOWN, **this, version=version, project_id=project_id) or _add(tx, this, subject_id)
    if known["version"] is None:
        tx.add(store.ADD_VERSION, **this, version=version, first_seen_at=tx.now, deployed_at=None)
    if known["project_id"] is None:
        tx.add(store.ADD_PROJECT, **this, project_id=project_id, first_seen_at=tx.now)
    return SubjectRef(kind, key, known["id"], version)


def _add(tx: Tx, this: dict[str, str], subject_id: str) -> Row:
    """Remember a subject; where another transaction just did so too, the first spelling counts."""
    nothing_yet = dict.fromkeys(("name", "description", "owner_id", "latest_version", "latest_change_id"))
    added = tx.run(store.ADD, **this, id=subject_id, **nothing_yet, created_at=tx.now, updated_at=tx.now)
    first = None if added else tx.one(store.HOLD, **this)
    return {"id": first["id"] if first else subject_id, "version": None, "project_id": None}


def patch_subject(
    tx: Tx, kind: Kind, subject_id: str, changes: SubjectChanges, known: Collection[int] | None = None
) -> Subject:
    """Change a subject's name, description or owner; needs write in a project in which it was seen.

    With `known`, only if its updatedAt is one of these.
    """
    subject = _to_change(tx, kind, subject_id)
    if known is not None and subject.updated_at not in known:
        raise ChangedMeanwhile(kind, subject)
    wanted: dict[str, Any] = {name: getattr(changes, name) for name in changes.model_fields_set}
    if wanted.get("owner_id") is not None:
        wanted["owner_id"] = _owner(tx, wanted["owner_id"])
    changed = replace(subject, **wanted)
    if changed == subject:
        return subject
    tx.add(
        store.CHANGE,
        tenant_id=tx.actor.tenant_id,
        kind=kind,
        key=subject.key,
        new_name=changed.name,
        new_description=changed.description,
        new_owner_id=changed.owner_id,
        now=tx.now,
    )
    names = tuple(_WIRE[name] for name in _WIRE if getattr(changed, name) != getattr(subject, name))
    tx.announce(Event(f"{kind}.changed", kind, subject.id, None, names))
    return replace(changed, updated_at=tx.now)


def hold(tx: Tx, kind: Kind, subject_id: str) -> tuple[Subject, list[str]]:
    """A subject, held until the end of the transaction, and the projects it was seen in; the caller may read one."""
    this = {"tenant_id": tx.actor.tenant_id, "kind": kind, "key": fold(subject_id)}
    row = tx.one(store.HOLD, **this)
    projects = [seen["project_id"] for seen in tx.all(store.PROJECTS, **this)]
    if row is None or not any(tx.actor.may(Role.READ, project) for project in projects):
        raise subject_not_found(kind, subject_id)
    return store.subject_in(row), projects


def _to_change(tx: Tx, kind: Kind, subject_id: str) -> Subject:
    """The subject, held until the end of the transaction, if the caller may change it."""
    subject, projects = hold(tx, kind, subject_id)
    if not any(tx.actor.may(Role.WRITE, project) for project in projects):
        raise PermissionDenied(
            f"This needs the role write in a project in which a run of the {kind} was seen.",
            {"needs": "write"},
        )
    return subject


def _owner(tx: Tx, user_id: str) -> str:
    """The stored id of a user of the tenant who is not disabled."""
    try:
        user = find_user(tx, user_id)
    except UserNotFound:
        raise invalid("/ownerId", "is not the id of a user of this tenant") from None
    if user.disabled_at is not None:
        raise invalid("/ownerId", "is the id of a user who was disabled")
    return user.id
