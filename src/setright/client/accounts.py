"""The answers about projects, members, users, tokens, agents and flows as typed records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from setright.client.answers import Actor
from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class Project(Record):
    """A project: where runs and corrections live."""

    id: str
    name: str
    tenant_id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Member(Record):
    """What a user or service token may do in a project."""

    kind: str
    id: str
    role: str
    project_id: str | None = None
    name: str | None = None
    reviewer_role: str | None = None
    added_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class User(Record):
    """A person of the account; `disabled_at` is there when the user can no longer come in."""

    id: str
    name: str
    tenant_id: str | None = None
    email: str | None = None
    external_id: str | None = None
    role: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    disabled_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Token(Record):
    """A token; `secret` is the text that lets in, told once, when the token is made or rotated."""

    id: str
    kind: str
    tenant_id: str | None = None
    name: str | None = None
    user_id: str | None = None
    project_id: str | None = None
    role: str | None = None
    scopes: tuple[str, ...] | None = None
    secret: str | None = field(default=None, repr=False)
    created_by: Actor | None = None
    created_at: datetime | None = None
    rotated_at: datetime | None = None
    old_until: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Invitation(Record):
    """What lets a user set a password, once, until it expires; `secret` is told once, when it is made."""

    id: str
    user_id: str
    tenant_id: str | None = None
    secret: str | None = field(default=None, repr=False)
    created_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Session(Record):
    """A user who signed in; `secret` lets in as a token does, and is told once."""

    id: str
    user_id: str
    tenant_id: str | None = None
    secret: str | None = field(default=None, repr=False)
    created_at: datetime | None = None
    seen_at: datetime | None = None
    idle_until: datetime | None = None
    expires_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class JobFailure(Record):
    """Why an attempt at a job failed."""

    code: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Job(Record):
    """Work that goes on in batches after the request that asked for it; `done` counts what it did so far."""

    id: str
    name: str
    state: str
    key: str = ""
    arguments: Mapping[str, Any] | None = None
    attempt: int = 0
    done: int = 0
    due_at: datetime | None = None
    failure: JobFailure | None = None
    asked_by: Actor | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ProjectRole(Record):
    """The role that somebody has in one project."""

    id: str
    role: str


@dataclass(frozen=True, kw_only=True)
class Me(Record):
    """Who calls and what it may do: `role` counts in every project, `projects` are those with a role of their own."""

    kind: str
    id: str
    tenant_id: str
    tenant_name: str | None = None
    name: str | None = None
    role: str | None = None
    scopes: tuple[str, ...] | None = None
    projects: tuple[ProjectRole, ...] | None = None
    token: Token | None = None
    session_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class SubjectVersion(Record):
    """A version of an agent or flow; `deployed_at` is None for one that was only seen on a run."""

    version: str
    first_seen_at: datetime | None = None
    deployed_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class KnownSubject(Record):
    """An agent or a flow; its `versions`, in order, are there when one is read by `get`."""

    kind: str
    id: str
    name: str | None = None
    description: str | None = None
    owner_id: str | None = None
    latest_version: str | None = None
    versions: tuple[SubjectVersion, ...] | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
